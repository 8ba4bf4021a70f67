import { beforeAll, describe, expect, test } from 'vitest'
import { photoMaxBytes } from '../../shared/limits.ts'
import { doors } from './test-doors.ts'
import { shareTestServer, type TestPerson } from './test-kit.ts'

const server = shareTestServer()
const tooLarge = 'The request is too large.'
let asha: TestPerson
beforeAll(async () => {
  asha = await server().signUp()
})

/** A body whose length is not told before. */
function stream(bytes: number): ReadableStream<Uint8Array> {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(chunk)
      sent += chunk.length
      if (sent >= bytes) controller.close()
    },
  })
}

describe.each(doors)('through $name', (door) => {
  test('a prompt of more than a megabyte is not read', async () => {
    const answer = await server().postJson(door.addresses.generate, `"${'x'.repeat(1_100_000)}"`, asha)
    expect(answer.status).toBe(413)
    expect(JSON.stringify(await answer.json())).toContain(tooLarge)
  })

  test.each(['generate', 'share'] as const)('nor is one to %s whose length was not told', async (call) => {
    const answer = await server().request(door.addresses[call], {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server().headersOf(asha) },
      body: stream(call === 'share' ? photoMaxBytes * 2 : 2_000_000),
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
    expect(JSON.stringify(await answer.json())).toContain(tooLarge)
  })

  test('a small body whose length was not told is read', async () => {
    const answer = await server().request(door.addresses.share, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server().headersOf(asha) },
      body: new Blob(['{"prompt":""}']).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(await answer.json())).toContain('Please enter a prompt and generate an image')
  })

  test('the next request of the same client is answered as ever', async () => {
    for (let round = 0; round < 5; round += 1) {
      await server().postJson(door.addresses.generate, 'x'.repeat(2_000_000), asha)
      expect((await server().request('/api/v1/post')).status).toBe(200)
    }
  })
})

test('a typed client is told why', async () => {
  const tooMuch = asha.trpc.posts.create.mutate({
    name: 'A',
    prompt: 'p',
    photo: 'x'.repeat(photoMaxBytes * 1.5),
  })
  await expect(tooMuch).rejects.toMatchObject({
    message: tooLarge,
    data: { httpStatus: 413, reason: 'too_large' },
  })
})

test('a batch that holds a photo and other calls is read', async () => {
  const share = asha.trpc.posts.create.mutate({
    name: 'A',
    prompt: 'p',
    photo: `data:image/png;base64,${'A'.repeat(2_000_000)}`,
  })
  const remove = asha.trpc.posts.delete.mutate({ id: 'nothing' })
  await expect(share).rejects.toMatchObject({ data: { httpStatus: 400 } })
  await expect(remove).rejects.toMatchObject({ data: { httpStatus: 404 } })
})

test.each(['/api/auth/sign-in/email', '/api/v1/unknown', '/'])(
  'no other address reads more than a megabyte either: %s',
  async (address) => {
    const answer = await server().request(address, {
      method: 'POST',
      headers: { origin: server().url },
      body: 'x'.repeat(1_100_000),
    })
    expect(answer.status).toBe(413)
  },
)
