import { beforeAll, expect, test } from 'vitest'
import type { FailureData } from '../../shared/errors.ts'
import { WorkInProgress } from '../rate-limits/work-in-progress.ts'
import { createHeldEngine } from '../../test/support/engine.ts'
import { eventually, follow } from '../../test/support/generations.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestUser,
} from '../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'

interface CallResponse {
  readonly result?: { readonly data: unknown }
  readonly error?: { readonly message: string; readonly data: FailureData }
}

const server = shareTestServer()
let asha: TestUser
beforeAll(async () => {
  await fillGallery(server(), numberedPosts(1_100))
  asha = await server().signUp()
})

test.each<[path: string, input: object | undefined, accepted: number]>([
  ['posts.list', { limit: 1_000 }, 4],
  ['account.export', undefined, 2],
  ['images.list', { limit: 1_000 }, 4],
  ['posts.list', {}, 100],
  ['viewer', undefined, 100],
  ['images.quota', undefined, 100],
  ['images.list', {}, 100],
])('of a batch of a hundred calls of %s with %j answers %i', async (path, input, accepted) => {
  const inputs = Array<typeof input>(100).fill(input)
  const query = encodeURIComponent(JSON.stringify(Object.fromEntries(inputs.entries())))
  const response = await server().request(
    `/trpc/${inputs.map(() => path).join(',')}?batch=1&input=${query}`,
    { headers: server().headersOf(asha) },
  )
  const body = await response.text()
  expect(body.length).toBeLessThan(4_000_000)
  const calls = JSON.parse(body) as CallResponse[]
  expect(calls.filter(({ result }) => result)).toHaveLength(accepted)
  for (const { error } of calls.slice(accepted))
    expect(error).toMatchObject({
      message: 'This request asks for too much at once. Send its calls in several requests.',
      data: { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413, reason: 'too_large' },
    })
})

test('limits the work of unfinished requests per client network', async () => {
  const { engine, held } = createHeldEngine()
  // Room for two generations and one plain call.
  const workInProgress = new WorkInProgress({ perRequest: 1_000, perNetwork: 35 })
  const own = await startTestServer({ engine, workInProgress })
  const meera = await own.signUp()
  const [here, elsewhere] = [freshAddress(), freshAddress()]
  const from = (address: string) => own.client({ ...own.headersOf(meera), 'x-forwarded-for': address })
  const read = (path: string) => own.request(path, { headers: { 'x-forwarded-for': here } })
  const leaving = [new AbortController(), new AbortController()]
  for (const [index, { signal }] of leaving.entries())
    await follow(from(here), { prompt: `Lotus ${index}` }, signal).seen('running')
  expect(await from(here).viewer.query()).toMatchObject({ id: meera.id })
  const rejected = await read('/trpc/posts.list')
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2'])
  const { error } = (await rejected.json()) as CallResponse
  expect(error).toMatchObject({
    message: 'Too many requests from your network at once. Try again in a moment.',
    data: { reason: 'busy', retryAfter: 2 },
  })
  expect((await read('/api/v1/post?limit=10')).status).toBe(503)
  expect((await from(elsewhere).posts.list.query({ limit: 5 })).posts).toEqual([])
  for (const [index, status] of [503, 200].entries()) {
    leaving[index]?.abort()
    await eventually(async () => (await read('/trpc/posts.list')).status).toBe(status)
  }
  for (const job of held) job.release()
})
