import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createGate } from '../../../test/support/gate.ts'
import { eventually } from '../../../test/support/generations.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

test('a count from the index leaves out posts that are newer than its range, and older ones', async () => {
  const server = await startTestServer()
  const { postIndex } = server.services
  await fillGallery(server, numberedPosts(2_500, 'Kite'))
  expect(await postIndex.countMatches('kite', { after: 0, upTo: 2_490 })).toBe(2_490)
  expect(await postIndex.countMatches('k', { after: 100, upTo: 2_490 })).toBe(2_390)
})

describe('a slow search on PostgreSQL', () => {
  const server = shareTestServer()
  /** More than are compared without the index. */
  const posts = 2_100
  const range = { after: 0, upTo: posts }

  /** Process ids of the running searches. */
  async function searching(): Promise<number[]> {
    const { rows } = await sql<{ pid: number }>`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND query LIKE '%n_grams(search_text)%'
        AND pid <> pg_backend_pid()`.execute(server().services.db)
    return rows.map(({ pid }) => pid)
  }

  /** Makes searches wait while `work` runs. */
  async function whileLocked(work: () => Promise<void>): Promise<void> {
    const [locked, done] = [createGate(), createGate()]
    const lock = server()
      .services.db.transaction()
      .execute(async (transaction) => {
        await sql`LOCK TABLE posts IN ACCESS EXCLUSIVE MODE`.execute(transaction)
        locked.open()
        await done.opened
      })
    await locked.opened
    await work().finally(done.open)
    await lock
  }

  test('is canceled when its client disconnects, and does not start if it was waiting', async () => {
    const { postIndex } = server().services
    await fillGallery(server(), numberedPosts(posts, 'Kite'))
    await whileLocked(async () => {
      const leaving = new AbortController()
      const counts = ['lotus', 'kite', 'moon'].map((term) =>
        postIndex.countMatches(term, range, leaving.signal),
      )
      await eventually(searching).toHaveLength(2)
      leaving.abort()
      for (const outcome of await Promise.allSettled(counts))
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'canceled' } })
      expect(await searching()).toEqual([])
    })
    expect(await postIndex.countMatches('kite', range)).toBe(posts)
  })

  test('that the database cancels because of its time limit fails as busy', async () => {
    const { db, postIndex } = server().services
    await whileLocked(async () => {
      const count = postIndex.countMatches('moon', range)
      const outcome = expect(count).rejects.toMatchObject({ code: 'busy', retryAfter: 10 })
      await eventually(searching).toHaveLength(1)
      const [pid] = await searching()
      await sql`SELECT pg_cancel_backend(${pid})`.execute(db)
      await outcome
    })
  })
})
