import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { createOlderDatabase } from '../../../test/support/older-database.ts'
import { openDatabaseFile } from '../open-database.ts'

test('keeps API keys, closed accounts, usage, reports and the moderation log', async () => {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const older = await createOlderDatabase(file, '0012-hidden-images')
  await sql`
    INSERT INTO personal_tokens (id, person_id, name, hash, person_name, person_image, created_at, expires_at)
    VALUES ('k', 'asha', 'A robot', 'hash', 'Asha', 'https://example.org/a.png', 1, 2)`.execute(older)
  await sql`INSERT INTO token_bars (person_id, created_at) VALUES ('ravi', 3)`.execute(older)
  await sql`INSERT INTO daily_usage VALUES ('asha', '2026-01-01', 'image', 4)`.execute(older)
  await sql`
    INSERT INTO images (id, owner_id, source, prompt, state, folder, sha256, width, height, created_at)
    VALUES ('i', 'asha', 'uploaded', '', 'ready', 'i', 'lotus', 1, 1, 0)`.execute(older)
  await sql`
    INSERT INTO posts (id, author_id, image_id, name, prompt, search_text, created_at)
    VALUES ('p', 'asha', 'i', 'Asha', 'A lotus', 'a lotus', 0)`.execute(older)
  await sql`
    INSERT INTO reports (post_id, reason, words, created_at) VALUES ('p', 'spam', 'Look', 5)`.execute(older)
  await sql`
    INSERT INTO moderation_log (
      seq, action, administrator_id, administrator_name, post_id, author_id, reasons, image_sha256, created_at
    ) VALUES
      (7, 'hide', 'meera', 'Meera', 'p', 'asha', '["spam"]', NULL, 6),
      (8, 'show', 'meera', 'Meera', 'p', 'asha', '[]', NULL, 7),
      (9, 'delete', 'meera', 'Meera', 'q', NULL, '[]', 'kite', 8)`.execute(older)
  await older.destroy()

  const db = await openDatabaseFile(file)
  onTestFinished(() => db.destroy())
  expect(await db.selectFrom('api_keys').selectAll().execute()).toEqual([
    {
      seq: 1,
      id: 'k',
      user_id: 'asha',
      name: 'A robot',
      hash: 'hash',
      scopes: null,
      user_name: 'Asha',
      user_image: 'https://example.org/a.png',
      created_at: 1,
      expires_at: 2,
      last_used_at: null,
    },
  ])
  expect(await db.selectFrom('closed_accounts').selectAll().execute()).toEqual([
    { user_id: 'ravi', created_at: 3 },
  ])
  expect(await db.selectFrom('daily_usage').selectAll().execute()).toEqual([
    { user_id: 'asha', day: '2026-01-01', kind: 'image', used: 4 },
  ])
  expect(await db.selectFrom('reports').select(['reason', 'comment']).execute()).toEqual([
    { reason: 'spam', comment: 'Look' },
  ])
  const log = await db.selectFrom('moderation_log').selectAll().orderBy('seq').execute()
  expect(log.map(({ seq, action }) => [seq, action])).toEqual([
    [7, 'hide'],
    [8, 'unhide'],
    [9, 'delete'],
  ])
  expect(log[2]).toMatchObject({ author_id: null, image_sha256: 'kite', reasons: '[]', created_at: 8 })
})
