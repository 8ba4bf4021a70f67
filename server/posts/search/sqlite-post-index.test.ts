import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseFile } from '../../db/open-database.ts'
import { blockBits } from '../../db/sqlite/n-grams.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { eventually } from '../../../test/support/generations.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { MatchCounts } from './post-index.ts'
import { createSqlitePostIndex } from './sqlite-post-index.ts'

test('puts few long posts into one block and finds them', async () => {
  const server = await startTestServer()
  const { db } = server.services
  const asha = await server.signUp()
  const { id: imageId } = await asha.generate('A lotus')
  const long = 'क्षि'.repeat(3_990)
  for (const prompt of [`One ${long}`, 'Two', `Three ${long}`, 'Four']) {
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
  }
  const rows = await db.selectFrom('posts').select('seq').orderBy('seq').execute()
  const taken = rows.map(({ seq }, index) => seq - (rows[index - 1]?.seq ?? 0))
  expect(taken).toEqual([124, 1, 124, 1])
  const [one = 0, two = 0, three = 0, four = 0] = rows.map(({ seq }) => seq)
  for (const [term, found] of [
    ['one', [one]],
    ['two', [two]],
    ['क्षिक्षि', [three, one]],
    ['asha', [four, three, two, one]],
  ] as const) {
    expect(await server.services.postIndex.findMatches(term, { after: 0, upTo: four }, 10)).toEqual(found)
  }
})

test('a count that failed is not cached', async () => {
  const db = await openDatabaseFile(`${await tempFolder()}/rangoli.db`)
  const counts = new MatchCounts(createSqlitePostIndex(db))
  const state = { newest: 10, posts: 10, changes: 0 }
  await sql`ALTER TABLE posts_grams RENAME TO elsewhere`.execute(db)
  await expect(counts.count('a', {}, state)).rejects.toThrow('no such table')
  await sql`ALTER TABLE elsewhere RENAME TO posts_grams`.execute(db)
  onTestFinished(() => db.destroy())
  expect(await counts.count('a', {}, state)).toBe(0)
})

const searchFor = (search: string) =>
  `/trpc/posts.list?input=${encodeURIComponent(JSON.stringify({ search }))}`

test('a running search stops when its client disconnects', async () => {
  const server = await startTestServer()
  const { db, searches } = server.services
  await fillGallery(server, numberedPosts(1, 'Oldest'))
  // A search without matches reads each block with a statement of its own.
  await sql`UPDATE sqlite_sequence SET seq = ${5_000 * 2 ** blockBits} WHERE name = 'posts'`.execute(db)
  await fillGallery(server, numberedPosts(1, 'Newest'))

  const began = performance.now()
  expect(await (await server.request(searchFor('nowhere'))).json()).toMatchObject({
    result: { data: { total: 0 } },
  })
  const whole = performance.now() - began
  const leaving = new AbortController()
  const abandoned = server.request(searchFor('nothing'), { signal: leaving.signal })
  await eventually(() => searches.load.running).toBe(1)
  const left = performance.now()
  leaving.abort()
  await expect(abandoned).rejects.toThrow('aborted')
  await eventually(() => searches.load.running).toBe(0)
  expect(performance.now() - left).toBeLessThan(whole / 2)
})
