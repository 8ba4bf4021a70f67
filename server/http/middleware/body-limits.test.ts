import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { uploadMaxBytes } from '../../../shared/limits.ts'
import { transports } from '../../../test/support/transports.ts'
import { shareTestServer, type TestUser } from '../../../test/support/test-server.ts'

const server = shareTestServer()
const tooLarge = 'The request is too large.'
let asha: TestUser
beforeAll(async () => {
  asha = await server().signUp()
})

/** A body without Content-Length. */
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

describe.each(transports)('through $name', (transport) => {
  test('rejects a prompt of more than a megabyte', async () => {
    const response = await server().postJson(transport.addresses.generate, `"${'x'.repeat(1_100_000)}"`, asha)
    expect(response.status).toBe(413)
    expect(JSON.stringify(await response.json())).toContain(tooLarge)
  })

  test.each(['generate', 'share'] as const)(
    'rejects a body above the limit to %s without Content-Length',
    async (call) => {
      const response = await server().request(transport.addresses[call], {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...server().headersOf(asha) },
        body: stream(call === 'share' ? uploadMaxBytes * 2 : 2_000_000),
        duplex: 'half',
      } as RequestInit)
      expect(response.status).toBe(413)
      expect(JSON.stringify(await response.json())).toContain(tooLarge)
    },
  )

  test('accepts a small body without Content-Length', async () => {
    const response = await server().request(transport.addresses.share, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server().headersOf(asha) },
      body: new Blob(['{"prompt":""}']).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toContain('Please enter a prompt and generate an image')
  })

  test('serves the next request on the connection of a rejected one', async () => {
    for (let round = 0; round < 5; round += 1) {
      await server().postJson(transport.addresses.generate, 'x'.repeat(2_000_000), asha)
      expect((await server().request('/api/v1/post')).status).toBe(200)
    }
  })
})

test('a typed client gets the reason', async () => {
  const tooMuch = asha.trpc.posts.create.mutate({
    name: 'A',
    prompt: 'p',
    photo: 'x'.repeat(uploadMaxBytes * 1.5),
  })
  await expect(tooMuch).rejects.toMatchObject({
    message: tooLarge,
    data: { httpStatus: 413, reason: 'too_large' },
  })
})

test('accepts a batch with an image and other calls', async () => {
  const share = asha.trpc.posts.create.mutate({
    name: 'A',
    prompt: 'p',
    photo: `data:image/png;base64,${'A'.repeat(2_000_000)}`,
  })
  const remove = asha.trpc.posts.delete.mutate({ id: 'nothing' })
  expect(await Promise.allSettled([share, remove])).toMatchObject([
    { reason: { data: { httpStatus: 400 } } },
    { reason: { data: { httpStatus: 404 } } },
  ])
})

test.each([
  ['/api/auth/sign-in/email', 64],
  ['/api/v1/unknown', 1_024],
  ['/', 1_024],
])('%s accepts at most %i kilobytes', async (address, kilobytes) => {
  const send = (size: number) =>
    server().request(address, { method: 'POST', headers: { origin: server().url }, body: 'x'.repeat(size) })
  for (let round = 0; round < 3; round += 1) expect((await send(kilobytes * 1_024)).status).not.toBe(413)
  expect((await send(kilobytes * 1_024 + 1)).status).toBe(413)
})

describe.each(transports)('a large photo through $name', (transport) => {
  const photo = JSON.stringify({ prompt: 'p', photo: `data:image/png;base64,${'A'.repeat(4_000_000)}` })
  const strangers: { who: string; headers: Record<string, string>; error: string }[] = [
    { who: 'an anonymous client', headers: {}, error: 'Please sign in first.' },
    {
      who: 'an invalid token',
      headers: { authorization: 'Bearer x' },
      error: 'The bearer token is not valid.',
    },
    {
      who: 'a forged session',
      headers: { cookie: 'better-auth.session_token=x.y' },
      error: 'Please sign in first.',
    },
  ]

  test.each(strangers)('is rejected for $who', async ({ headers, error }) => {
    for (const body of [photo, new Blob([photo]).stream()]) {
      const response = await server().request(transport.addresses.share, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server().url, ...headers },
        body,
        duplex: 'half',
      } as RequestInit)
      expect(response.status).toBe(401)
      expect(JSON.stringify(await response.json())).toContain(error)
    }
  })

  test('is accepted from a signed-in user', async () => {
    const response = await server().postJson(transport.addresses.share, photo, asha)
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toContain('not a JPEG, PNG or WebP')
  })
})

describe('a body with a huge Content-Length', () => {
  test.each(['/api/v1/post', '/trpc/posts.create', '/api/auth/sign-in/email', '/'])(
    'is rejected at %s without reading it, and closes the connection',
    async (address) => {
      const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
      socket.write(
        `POST ${address} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n\r\nbeginning`,
      )
      const response = await readText(socket)
      expect(response).toMatch(/^HTTP\/1\.1 413 /)
      expect(response).toMatch(/\r\nconnection: close\r\n/i)
      expect(response).toContain(tooLarge)
    },
  )

  test('closes the connection after the maximum that is discarded, without Content-Length', async () => {
    const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
    // Data in flight fails once the server has closed the connection.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = Buffer.alloc(0x10000, 'x')
    let sent = 0
    const send = () => {
      do sent += chunk.length
      while (socket.write(Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')])))
    }
    socket.on('drain', send)
    send()
    socket.resume()
    await closed
    expect(sent).toBeLessThan(100 * 1024 * 1024)
  })
})

describe('a batch', () => {
  const list = (count: number) =>
    Promise.all(Array.from({ length: count }, () => asha.trpc.posts.list.query({ limit: 1 })))

  test('may contain a hundred calls', async () => {
    expect(await list(100)).toHaveLength(100)
  })

  test('is rejected with more than a hundred calls', async () => {
    await expect(list(101)).rejects.toMatchObject({ data: { httpStatus: 400, reason: 'bad_input' } })
  })
})
