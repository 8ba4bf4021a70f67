import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { blockBits } from '../db/sqlite/n-grams.ts'
import { eventually } from '../../test/support/generations.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'

const list = (search: string) => `/trpc/posts.list?input=${encodeURIComponent(JSON.stringify({ search }))}`

test('a running search stops when its client disconnects', async () => {
  const server = await startTestServer()
  const { db, searches } = server.services
  await fillGallery(server, numberedPosts(1, 'Oldest'))
  // A search without matches reads each block with a statement of its own.
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
