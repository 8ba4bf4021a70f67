import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/support/databases.ts'
import { imageRow } from '../../test/support/posts.ts'
import { insertPosts } from '../posts/post-queries.ts'
import { createGalleryVersion } from './content-version.ts'
import { readGalleryState } from './gallery.ts'
import type { Database } from './open-database.ts'

/** A gallery: posts `public`, `unlisted`, `private` and `hidden` of images with the same ids, a like, an option, and an image that is not shared. */
async function fillGallery(db: Database): Promise<void> {
  for (const id of ['hidden', 'private', 'unlisted', 'public', 'unshared']) {
    await db.insertInto('images').values(imageRow(id)).execute()
    if (id === 'unshared') continue
    const texts = { name: 'Asha', prompt: 'A lotus', search_text: 'asha\u001fa lotus' }
    await insertPosts(db, [{ id, author_id: 'asha', image_id: id, ...texts, created_at: 1 }])
  }
  for (const text of [
    `UPDATE posts SET visibility = id WHERE id IN ('unlisted', 'private')`,
    `UPDATE posts SET hidden_at = 1 WHERE id = 'hidden'`,
    `INSERT INTO post_likes (post_id, user_id, created_at) VALUES ('public', 'meera', 1)`,
    `INSERT INTO site_options (name, value) VALUES ('announcements', '[]')`,
    `INSERT INTO mails (id, message, created_at, due_at, expires_at) VALUES ('mail', '{}', 1, 1, 1)`,
    `INSERT INTO api_keys (id, user_id, name, hash, user_name, created_at) VALUES ('key', 'asha', '', 'h', 'Asha', 1)`,
  ]) {
    await sql.raw(text).execute(db)
  }
}

const editsOf = (id: string) =>
  [
    `UPDATE posts SET prompt = 'A kite', search_text = 'asha\u001fa kite' WHERE id = '${id}'`,
    `UPDATE posts SET name = 'Meera' WHERE id = '${id}'`,
    `UPDATE posts SET sensitive = 1 WHERE id = '${id}'`,
    `UPDATE images SET folder = 'another' WHERE id = '${id}'`,
    `DELETE FROM posts WHERE id = '${id}'`,
  ] as const

const newImage = `INSERT INTO images (id, owner_id, source, engine, prompt, state, created_at)
  VALUES ('new', 'asha', 'generated', 'rangoli', '', 'queued', 1)`

/** Writes that change what visitors see. */
const visible = [
  ...editsOf('public'),
  ...editsOf('unlisted'),
  `UPDATE posts SET hidden_at = 1 WHERE id = 'public'`,
  `UPDATE posts SET hidden_at = NULL WHERE id = 'hidden'`,
  `UPDATE posts SET visibility = 'public' WHERE id = 'private'`,
  `UPDATE posts SET visibility = 'private' WHERE id = 'unlisted'`,
  `INSERT INTO post_likes (post_id, user_id, created_at) VALUES ('public', 'ravi', 1)`,
  `DELETE FROM post_likes`,
  `INSERT INTO site_options (name, value) VALUES ('signUp', '"open"')`,
  `UPDATE site_options SET value = '[{}]'`,
  `DELETE FROM site_options`,
  `INSERT INTO user_access (user_id, role) VALUES ('meera', 'administrator')`,
]

const invisible = [
  ...editsOf('private'),
  ...editsOf('hidden'),
  `UPDATE images SET folder = 'another' WHERE id = 'unshared'`,
  `UPDATE images SET folder = folder, prompt = 'Another' WHERE id = 'public'`,
  newImage,
  `UPDATE images SET worker = 'process', leased_until = 1 WHERE id = 'public'`,
  `INSERT INTO user_access (user_id, role) VALUES ('ravi', 'moderator')`,
  `UPDATE api_keys SET last_used_at = 1`,
  `UPDATE mails SET attempts = attempts + 1, due_at = 2`,
  `DELETE FROM mails`,
  `INSERT INTO known_users (user_id, search_name, first_seen_at, last_seen_at) VALUES ('ravi', '', 1, 1)`,
  `INSERT INTO post_likes (post_id, user_id, created_at) VALUES ('public', 'meera', 2) ON CONFLICT DO NOTHING`,
]

test('outdates cached responses by changes of what visitors see, and by no others', async () => {
  const db = await openTestDatabase()
  await fillGallery(db)
  const outdating: string[] = []
  for (const write of [...visible, ...invisible]) {
    const transaction = await db.startTransaction().execute()
    const readVersion = createGalleryVersion(transaction)
    const before = await readVersion()
    await sql.raw(write).execute(transaction)
    if ((await readVersion()) !== before) outdating.push(write)
    await transaction.rollback().execute()
  }
  expect(outdating).toEqual(visible)
})

test('outdates cached responses with a new post, though the newest one was deleted', async () => {
  const db = await openTestDatabase()
  await fillGallery(db)
  const readVersion = createGalleryVersion(db)
  const versions = [await readVersion()]
  for (const id of ['one', 'two']) {
    const texts = { name: 'Asha', prompt: 'A boat', search_text: 'asha\u001fa boat' }
    await insertPosts(db, [{ id, author_id: 'asha', image_id: 'public', ...texts, created_at: 2 }])
    versions.push(await readVersion())
    await db.deleteFrom('posts').where('id', '=', id).execute()
    versions.push(await readVersion())
  }
  expect(new Set(versions).size).toBe(5)
})

test('likes leave the counts of searches valid', async () => {
  const db = await openTestDatabase()
  await fillGallery(db)
  const before = await readGalleryState(db)
  await db.deleteFrom('post_likes').execute()
  expect(await readGalleryState(db)).toEqual(before)
})
