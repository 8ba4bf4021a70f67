import { once } from 'node:events'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { blockBits } from '../db/sqlite/post-index.ts'
import { SearchQueue } from '../rate-limits/search-queue.ts'
import { eventually } from '../../test/support/generations.ts'
import { freshAddress, shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'

const list = (search: string) => `/trpc/posts.list?input=${encodeURIComponent(JSON.stringify({ search }))}`

/** A batch of searches for each of these terms. */
function batch(terms: readonly string[]): string {
  const inputs = Object.fromEntries(terms.map((search, index) => [index, { search, limit: 2 }]))
  const paths = terms.map(() => 'posts.list').join(',')
  return `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`
}

const searchesFor = (term: string) => [
  `/?q=${term}`,
  list(term),
  `/api/v1/post?search=${term}`,
  batch([term]),
]

describe('searches of one client network', () => {
  const searches = new SearchQueue({ running: 2, waiting: 3 })
  const server = shareTestServer({ searches })

  /** Has as many searches of a network run as may, until the test finishes them or ends. */
  function occupy(network: string): () => void {
    const held = new AbortController()
    const finish = () => held.abort()
    onTestFinished(finish)
    for (let running = 0; running < 2; running += 1) {
      void searches.run(network, undefined, () => once(held.signal, 'abort'))
    }
    return finish
  }

  /** Asks from a network; null when it leaves before there is an answer. */
  function ask(network: string, path: string) {
    const leaving = new AbortController()
    const headers = { 'x-forwarded-for': network }
    const answer = server()
      .request(path, { headers, signal: leaving.signal })
      .catch((error: unknown) => {
        if (leaving.signal.aborted) return null
        throw error
      })
    return { answer, leave: () => leaving.abort() }
  }

  test.each(searchesFor('refused'))('are refused with Retry-After when too many wait: %s', async (path) => {
    const [here, elsewhere] = [freshAddress(), freshAddress()]
    occupy(here)
    const waiting = ['lotus', 'kite', 'moon'].map((term) => ask(here, list(term)))
    await eventually(() => searches.load.waiting).toBe(3)

    const refused = await ask(here, path).answer
    expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused?.text()).toContain(
      'Too many searches from your network at once. Try again in a moment.',
    )
    for (const other of ['/healthz', '/', '/api/v1/post'])
      expect((await ask(here, other).answer)?.status).toBe(200)
    expect((await ask(elsewhere, path).answer)?.status).toBe(200)

    for (const { leave } of waiting) leave()
    await eventually(() => searches.load.waiting).toBe(0)
  })

  test.each(searchesFor('left'))('leave the queue when their client leaves: %s', async (path) => {
    const here = freshAddress()
    occupy(here)
    const { answer, leave } = ask(here, path)
    await eventually(() => searches.load.waiting).toBe(1)
    leave()
    expect(await answer).toBeNull()
    await eventually(() => searches.load.waiting).toBe(0)
  })

  test('go on when one of several clients who wait for the same leaves', async () => {
    const here = freshAddress()
    const finish = occupy(here)
    const [first, second] = [ask(here, '/?q=shared'), ask(here, '/?q=shared')]
    await eventually(() => searches.load.waiting).toBe(1)
    first.leave()
    expect(await first.answer).toBeNull()
    finish()
    expect((await second.answer)?.status).toBe(200)
  })

  test('fail one by one in a batch', async () => {
    const answer = await server().request(
      batch(['lotus', 'kite', 'moon', 'lamp', 'transport', 'river', 'boat']),
    )
    expect(answer.status).toBe(207)
    const calls = (await answer.json()) as { error?: { data: { reason: string } } }[]
    const outcomes = calls.map(({ error }) => error?.data.reason ?? 'answered')
    expect(outcomes).toEqual([...Array<string>(5).fill('answered'), 'busy', 'busy'])
  })
})

test('an abandoned search stops in the middle', async () => {
  const server = await startTestServer()
  const { db, searches } = server.services
  await fillGallery(server, numberedPosts(1, 'Oldest'))
  // Each block in between is a statement of its own for a search that finds nothing.
  await sql`UPDATE sqlite_sequence SET seq = ${5_000 * 2 ** blockBits} WHERE name = 'posts'`.execute(db)
  await fillGallery(server, numberedPosts(1, 'Newest'))

  const began = performance.now()
  expect(await (await server.request(list('nowhere'))).json()).toMatchObject({
    result: { data: { total: 0 } },
  })
  const whole = performance.now() - began
  const leaving = new AbortController()
  const abandoned = server.request(list('nothing'), { signal: leaving.signal })
  await eventually(() => searches.load.running).toBe(1)
  const left = performance.now()
  leaving.abort()
  await expect(abandoned).rejects.toThrow('aborted')
  await eventually(() => searches.load.running).toBe(0)
  expect(performance.now() - left).toBeLessThan(whole / 2)
})
