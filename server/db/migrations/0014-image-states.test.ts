import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { createOlderDatabase } from '../../../test/support/older-database.ts'
import { openDatabaseFile } from '../open-database.ts'

/** Opens a database that version 0.1 left with an image in every state, two of them deleted, and a post. */
async function migrated() {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const older = await createOlderDatabase(file, '0013-api-keys')
  await sql`
    INSERT INTO images (id, owner_id, source, prompt, engine, model, state, failure, request_key, counted_on, folder,
      sha256, width, height, created_at, started_at) VALUES
      ('waits', 'asha', 'generated', 'p', 'rangoli', '1', 'generating', NULL, 'key', '2026-05-10', NULL, NULL, NULL, NULL, 1, NULL),
      ('runs', 'asha', 'generated', 'p', 'rangoli', '1', 'generating', NULL, NULL, '2026-05-10', NULL, NULL, NULL, NULL, 2, 3),
      ('done', 'asha', 'generated', 'p', 'rangoli', '1', 'ready', NULL, NULL, '2026-05-10', 'f1', 's1', 4, 3, 4, 5),
      ('upload', 'ravi', 'uploaded', 'p', NULL, NULL, 'ready', NULL, NULL, NULL, 'f2', 's2', 4, 3, 6, NULL),
      ('failed', 'asha', 'generated', 'p', 'rangoli', '1', 'failed', 'engine_failed', NULL, NULL, NULL, NULL, NULL, NULL, 7, 8),
      ('stopped', 'asha', 'generated', 'p', 'rangoli', '1', 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9, NULL),
      ('deleted', 'asha', 'generated', 'p', 'rangoli', '1', 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9, NULL)`.execute(
    older,
  )
  await sql`DELETE FROM images WHERE id = 'deleted'`.execute(older)
  await sql`
    INSERT INTO posts (id, author_id, image_id, name, prompt, search_text, created_at)
    VALUES ('post', 'asha', 'done', 'Asha', 'p', 'asha', 10)`.execute(older)
  await older.destroy()
  const db = await openDatabaseFile(file)
  onTestFinished(() => db.destroy())
  return db
}

test('renames the states of every image', async () => {
  const db = await migrated()
  const rows = await db.selectFrom('images').select(['seq', 'id', 'state']).orderBy('seq').execute()
  expect(rows).toEqual([
    { seq: 1, id: 'waits', state: 'queued' },
    { seq: 2, id: 'runs', state: 'running' },
    { seq: 3, id: 'done', state: 'succeeded' },
    { seq: 4, id: 'upload', state: 'succeeded' },
    { seq: 5, id: 'failed', state: 'failed' },
    { seq: 6, id: 'stopped', state: 'canceled' },
  ])
})

test('keeps posts, foreign keys, indexes and the numbers of deleted images', async () => {
  const db = await migrated()
  expect((await sql`PRAGMA foreign_key_check`.execute(db)).rows).toEqual([])
  expect(await db.selectFrom('posts').select(['id', 'image_id']).execute()).toEqual([
    { id: 'post', image_id: 'done' },
  ])
  await expect(db.deleteFrom('images').where('id', '=', 'done').execute()).rejects.toThrow('FOREIGN KEY')
  const { seq } = await db
    .insertInto('images')
    .values({
      id: 'new',
      owner_id: 'asha',
      source: 'generated',
      prompt: '',
      engine: 'rangoli',
      model: '1',
      state: 'queued',
      created_at: 11,
    })
    .returning('seq')
    .executeTakeFirstOrThrow()
  expect(seq).toBe(8)
})
