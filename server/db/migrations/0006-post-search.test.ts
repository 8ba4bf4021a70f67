import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { SqlitePostIndex } from '../../posts/search/sqlite-post-index.ts'
import { openDatabaseFile } from '../open-database.ts'
import { createOlderDatabase } from '../../../test/support/older-database.ts'

/** Creates a database of the previous version with posts, one of them hidden. */
async function olderDatabase(): Promise<string> {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const db = await createOlderDatabase(file, '0005-moderation')
  await sql`
    INSERT INTO images (id, owner_id, source, prompt, state, created_at)
    VALUES ('i', 'asha', 'uploaded', '', 'failed', 0)`.execute(db)
  await sql`
    INSERT INTO posts (id, author_id, image_id, name, prompt, search_text, created_at, hidden_at)
    VALUES ('a', 'asha', 'i', '', '', 'a lotus', 0, NULL), ('b', 'asha', 'i', '', '', 'a hidden lotus', 0, 1),
      ('c', 'asha', 'i', '', '', 'a kite', 0, NULL)`.execute(db)
  await db.destroy()
  return file
}

test('finds and counts the posts of an older database except hidden ones', async () => {
  const db = await openDatabaseFile(await olderDatabase())
  onTestFinished(() => db.destroy())
  const found = (term: string) => new SqlitePostIndex(db).findMatches(term, { after: 0, upTo: 10 }, 10)
  expect(await found('lot')).toEqual([1])
  expect(await found('a')).toEqual([3, 1])
  expect(await found('it')).toEqual([3])
  expect(await db.selectFrom('gallery').selectAll().execute()).toEqual([{ posts: 2, changes: 0 }])

  await db.updateTable('posts').set({ hidden_at: null }).where('id', '=', 'b').execute()
  expect(await found('lot')).toEqual([2, 1])
  expect(await db.selectFrom('gallery').selectAll().execute()).toEqual([{ posts: 3, changes: 1 }])
})

test('rejects posts written without the SQL function instead of leaving them out of the index', async () => {
  const file = await olderDatabase()
  await (await openDatabaseFile(file)).destroy()
  const stranger = new SqliteDatabase(file)
  onTestFinished(() => void stranger.close())
  const write = () =>
    stranger.exec(`
      INSERT INTO posts (id, author_id, image_id, name, prompt, search_text, created_at)
      VALUES ('d', 'asha', 'i', '', '', 'a lotus', 0)`)
  expect(write).toThrow('no such function: grams')
  expect(stranger.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(3)
})
