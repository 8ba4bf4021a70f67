import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, Migrator, sql, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { searchIssues } from '../../ops/verify.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { nGrams } from '../sqlite/n-grams.ts'
import { openDatabaseFile } from '../open-database.ts'
import { migrationsFor } from './migrations.ts'

/** Creates a database of version 0.1 in which one of Asha's posts is hidden. */
async function olderDatabase(): Promise<string> {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const database = new SqliteDatabase(file)
  database.function('grams', { deterministic: true }, (text) => nGrams(String(text)))
  const db = new Kysely<never>({ dialect: new SqliteDialect({ database }) })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrationsFor('sqlite') }) },
  })
  const { error } = await migrator.migrateTo('0007-personal-tokens')
  expect(error).toBeUndefined()
  const images = [
    ['hidden', 'asha', 'lotus'],
    ['copy', 'asha', 'lotus'],
    ['other', 'asha', 'kite'],
    ['theirs', 'ravi', 'lotus'],
  ]
  for (const [id, owner, bytes] of images) {
    await sql`
      INSERT INTO images (id, owner_id, source, prompt, state, folder, sha256, width, height, created_at)
      VALUES (${id}, ${owner}, 'uploaded', '', 'ready', ${id}, ${bytes}, 1, 1, 0)`.execute(db)
  }
  const posts = [
    ['a', 'asha', 'hidden', 7],
    ['b', 'asha', 'hidden', null],
    ['c', 'asha', 'copy', null],
    ['d', 'asha', 'other', null],
    ['e', 'ravi', 'theirs', null],
  ]
  for (const [id, author, image, hiddenAt] of posts) {
    await sql`
      INSERT INTO posts (id, author_id, image_id, name, prompt, search_text, created_at, hidden_at)
      VALUES (${id}, ${author}, ${image}, '', '', 'a lotus', 0, ${hiddenAt})`.execute(db)
  }
  await sql`
    INSERT INTO reports (post_id, reason, words, created_at)
    VALUES ('a', 'spam', '', 1), ('a', 'hateful', '', 2), ('a', 'spam', '', 3)`.execute(db)
  await sql`
    INSERT INTO moderation_log (action, administrator_id, administrator_name, post_id, created_at)
    VALUES ('hide', 'meera', 'Meera', 'a', 7), ('delete', 'meera', 'Meera', 'gone', 8)`.execute(db)
  await db.destroy()
  return file
}

test('hides the images of hidden posts and all posts that show them', async () => {
  const db = await openDatabaseFile(await olderDatabase())
  onTestFinished(() => db.destroy())
  const images = await db.selectFrom('images').select(['id', 'hidden_at', 'withdrawn_at']).execute()
  expect(images).toEqual([
    { id: 'hidden', hidden_at: 7, withdrawn_at: null },
    { id: 'copy', hidden_at: 7, withdrawn_at: null },
    { id: 'other', hidden_at: null, withdrawn_at: null },
    { id: 'theirs', hidden_at: null, withdrawn_at: null },
  ])
  const shown = await db.selectFrom('posts').select('id').where('hidden_at', 'is', null).execute()
  expect(shown.map(({ id }) => id)).toEqual(['d', 'e'])
  expect(await db.selectFrom('gallery').select('posts').execute()).toEqual([{ posts: 2 }])
  for await (const { message } of searchIssues(db)) expect.fail(message)
})

test('records the authors and the reasons of hidden posts in the log', async () => {
  const db = await openDatabaseFile(await olderDatabase())
  onTestFinished(() => db.destroy())
  const log = await db
    .selectFrom('moderation_log')
    .select(['post_id', 'author_id', 'reasons', 'image_sha256'])
    .execute()
  expect(log).toEqual([
    { post_id: 'a', author_id: 'asha', reasons: '["hateful","spam"]', image_sha256: null },
    { post_id: 'gone', author_id: null, reasons: '[]', image_sha256: null },
  ])
})
