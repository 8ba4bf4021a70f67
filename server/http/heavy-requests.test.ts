import { beforeAll, describe, expect, test } from 'vitest'
import type { FailureData } from '../../shared/errors.ts'
import { WorkInProgress } from '../rate-limits/work-in-progress.ts'
import { createHeldEngine } from '../../test/support/engine.ts'
import { eventually, follow } from '../../test/support/generations.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestUser,
  type TestServer,
} from '../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'

interface CallResponse {
  readonly result?: { readonly data: unknown }
  readonly error?: { readonly message: string; readonly data: FailureData }
}

/** Sends a batch of calls of one procedure, by GET. */
async function batch(server: TestServer, path: string, inputs: readonly unknown[], who?: TestUser) {
  const paths = inputs.map(() => path).join(',')
  const input = encodeURIComponent(JSON.stringify(Object.fromEntries(inputs.entries())))
  const response = await server.request(`/trpc/${paths}?batch=1&input=${input}`, {
    headers: server.headersOf(who),
  })
  const body = await response.text()
  return { status: response.status, bytes: body.length, responses: JSON.parse(body) as CallResponse[] }
}

const answered = (responses: readonly CallResponse[]) => responses.filter(({ result }) => result).length

describe('one request', () => {
  const server = shareTestServer()
  let asha: TestUser
  beforeAll(async () => {
    await fillGallery(server(), numberedPosts(1_100))
    asha = await server().signUp()
  })

  test('fails the calls of a batch beyond four lists of 1,000', async () => {
    const inputs = Array.from({ length: 100 }, () => ({ limit: 1_000 }))
    const { status, bytes, responses } = await batch(server(), 'posts.list', inputs)
    expect(status).toBe(207)
    expect(answered(responses)).toBe(4)
    expect(bytes).toBeLessThan(4_000_000)
    for (const { error } of responses.slice(4)) {
      expect(error).toMatchObject({
        message: 'This request asks for too much at once. Send its calls in several requests.',
        data: { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413, reason: 'too_large' },
      })
    }
  })

  test('may contain a hundred pages of the gallery, or a hundred small calls', async () => {
    for (const [path, input] of [
      ['posts.list', {}],
      ['viewer', undefined],
      ['images.quota', undefined],
      ['images.list', {}],
    ] as const) {
      const { responses } = await batch(server(), path, Array(100).fill(input), asha)
      expect([path, answered(responses)]).toEqual([path, 100])
    }
  })

  test('may ask for a list of 1,000 on both transports', async () => {
    const list = await server().request(`/trpc/posts.list?input=${encodeURIComponent('{"limit":1000}')}`)
    expect(list.status).toBe(200)
    for (const query of ['', '?limit=1000']) {
      const rest = await server().request(`/api/v1/post${query}`)
      expect(((await rest.json()) as { data: unknown[] }).data).toHaveLength(1_000)
    }
  })

  test.each<[path: string, input: () => object | undefined, few: number]>([
    ['account.export', () => undefined, 2],
    ['images.list', () => ({ limit: 1_000 }), 4],
  ])('may contain only a few calls of %s', async (path, input, few) => {
    const { responses } = await batch(server(), path, Array(40).fill(input()), asha)
    expect(answered(responses)).toBe(few)
    expect(responses.at(-1)?.error?.data.reason).toBe('too_large')
  })
})

test('limits the work of unfinished requests per client network', async () => {
  const { engine, held } = createHeldEngine()
  // Room for two generations and one plain call.
  const workInProgress = new WorkInProgress({ perRequest: 1_000, perNetwork: 35 })
  const server = await startTestServer({ engine, workInProgress })
  const asha = await server.signUp()
  const [here, elsewhere] = [freshAddress(), freshAddress()]
  const from = (address: string) => server.client({ ...server.headersOf(asha), 'x-forwarded-for': address })
  const leaving = [new AbortController(), new AbortController()]
  for (const [index, { signal }] of leaving.entries()) {
    await follow(from(here), { prompt: `Lotus ${index}` }, signal).seen('running')
  }
  expect(await from(here).viewer.query()).toMatchObject({ id: asha.id })
  const rejected = await server.request('/trpc/posts.list', { headers: { 'x-forwarded-for': here } })
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2'])
  const { error } = (await rejected.json()) as CallResponse
  expect(error).toMatchObject({
    message: 'Too many requests from your network at once. Try again in a moment.',
    data: { reason: 'busy', retryAfter: 2 },
  })
  const rest = await server.request('/api/v1/post?limit=10', { headers: { 'x-forwarded-for': here } })
  expect([rest.status, rest.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await from(elsewhere).posts.list.query({ limit: 5 })).posts).toEqual([])

  leaving[0]?.abort()
  await eventually(
    async () => (await server.request('/trpc/posts.list', { headers: { 'x-forwarded-for': here } })).status,
  ).toBe(503)
  leaving[1]?.abort()
  await eventually(async () => {
    const response = await server.request('/trpc/posts.list', { headers: { 'x-forwarded-for': here } })
    return response.status
  }).toBe(200)
  for (const job of held) job.release()
})
