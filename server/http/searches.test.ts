import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createSearchQueue } from '../rate-limits/keyed-queue.ts'
import { eventually } from '../../test/support/generations.ts'
import { freshAddress, shareTestServer } from '../../test/support/test-server.ts'

const list = (search: string) => `/trpc/posts.list?input=${encodeURIComponent(JSON.stringify({ search }))}`

/** URL of a batch with one search per term. */
function batch(terms: readonly string[]): string {
  const inputs = Object.fromEntries(terms.map((search, index) => [index, { search, limit: 2 }]))
  const paths = terms.map(() => 'posts.list').join(',')
  return `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`
}

const searchesFor = (term: string) => [`/?q=${term}`, batch([term])]

const searches = createSearchQueue({ running: 2, waiting: 3 })
const server = shareTestServer({ searches })

/** Starts as many searches of a network as may run, until the test finishes them or ends. */
function occupy(network: string): () => void {
  const held = new AbortController()
  const finish = () => held.abort()
  onTestFinished(finish)
  for (let running = 0; running < 2; running += 1) {
    void searches.run(network, undefined, () => once(held.signal, 'abort'))
  }
  return finish
}

/** Sends a request from a network; resolves to null if it disconnects before the response. */
function ask(network: string, path: string) {
  const leaving = new AbortController()
  const headers = { 'x-forwarded-for': network }
  const response = server()
    .request(path, { headers, signal: leaving.signal })
    .catch((error: unknown) => {
      if (leaving.signal.aborted) return null
      throw error
    })
  return { response, leave: () => leaving.abort() }
}

test.each(searchesFor('rejected'))(
  'rejects %s with Retry-After if too many searches of its network wait',
  async (path) => {
    const [here, elsewhere] = [freshAddress(), freshAddress()]
    occupy(here)
    const waiting = ['lotus', 'kite', 'moon'].map((term) => ask(here, list(term)))
    await eventually(() => searches.load.waiting).toBe(3)

    const rejected = await ask(here, path).response
    expect([rejected?.status, rejected?.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await rejected?.text()).toContain(
      'Too many searches from your network at once. Try again in a moment.',
    )
    for (const other of ['/healthz', '/', '/api/v1/post'])
      expect((await ask(here, other).response)?.status).toBe(200)
    expect((await ask(elsewhere, path).response)?.status).toBe(200)

    for (const { leave } of waiting) leave()
    await eventually(() => searches.load.waiting).toBe(0)
  },
)

test.each(searchesFor('canceled'))('%s leaves the queue when its client disconnects', async (path) => {
  const here = freshAddress()
  occupy(here)
  const { response, leave } = ask(here, path)
  await eventually(() => searches.load.waiting).toBe(1)
  leave()
  expect(await response).toBeNull()
  await eventually(() => searches.load.waiting).toBe(0)
})

test('a search continues when one of several waiting clients disconnects', async () => {
  const here = freshAddress()
  const finish = occupy(here)
  const [first, second] = [ask(here, '/?q=shared'), ask(here, '/?q=shared')]
  await eventually(() => searches.load.waiting).toBe(1)
  first.leave()
  expect(await first.response).toBeNull()
  finish()
  expect((await second.response)?.status).toBe(200)
})

test('searches fail individually in a batch', async () => {
  const response = await server().request(
    batch(['lotus', 'kite', 'moon', 'lamp', 'transport', 'river', 'boat']),
  )
  expect(response.status).toBe(207)
  const calls = (await response.json()) as { error?: { data: { reason: string } } }[]
  const outcomes = calls.map(({ error }) => error?.data.reason ?? 'succeeded')
  expect(outcomes).toEqual([...Array<string>(5).fill('succeeded'), 'busy', 'busy'])
})
