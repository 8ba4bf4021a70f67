import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { createOlderDatabase } from '../../../test/support/older-database.ts'
import { openDatabaseFile } from '../open-database.ts'

test('folds the names of accounts, and adds users by their latest session or, from Clerk, their images', async () => {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const older = await createOlderDatabase(file, '0027-trash')
  await sql`
    INSERT INTO user (id, name, email, emailVerified, createdAt, updatedAt)
    VALUES ('asha', 'STRAẞE Ásha', 'asha@example.org', 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
  `.execute(older)
  for (const [id, day] of [
    ['one', '03'],
    ['two', '02'],
  ]) {
    const at = `2026-01-${day}T00:00:00.000Z`
    await sql`
      INSERT INTO session (id, expiresAt, token, createdAt, updatedAt, userId)
      VALUES (${id}, ${at}, ${id}, ${at}, ${at}, 'asha')`.execute(older)
  }
  for (const [id, owner, at] of [
    ['i1', 'user_meera', 1_000],
    ['i2', 'user_meera', 3_000],
    ['i3', 'user_ravi', 2_000],
    ['i4', 'asha', 4_000],
    ['i5', 'api-token', 5_000],
  ] as const)
    await sql`
      INSERT INTO images (id, owner_id, source, prompt, state, created_at)
      VALUES (${id}, ${owner}, 'uploaded', '', 'failed', ${at})`.execute(older)
  for (const [id, name] of [
    ['p1', 'Before'],
    ['p2', 'Meera'],
  ])
    await sql`
      INSERT INTO posts (id, author_id, image_id, name, prompt, search_text, created_at)
      VALUES (${id}, 'user_meera', 'i1', ${name}, '', '', 0)`.execute(older)
  await older.destroy()

  const db = await openDatabaseFile(file)
  onTestFinished(() => db.destroy())
  const { rows } = await sql<{ searchName: string }>`SELECT searchName FROM user`.execute(db)
  expect(rows).toEqual([{ searchName: 'strasse ásha' }])
  expect(await db.selectFrom('known_users').selectAll().orderBy('user_id').execute()).toEqual([
    {
      user_id: 'asha',
      name: null,
      search_name: '',
      image_url: null,
      first_seen_at: Date.parse('2026-01-02'),
      last_seen_at: Date.parse('2026-01-03'),
    },
    {
      user_id: 'user_meera',
      name: 'Meera',
      search_name: 'meera',
      image_url: null,
      first_seen_at: 1_000,
      last_seen_at: 3_000,
    },
    {
      user_id: 'user_ravi',
      name: 'User',
      search_name: 'user',
      image_url: null,
      first_seen_at: 2_000,
      last_seen_at: 2_000,
    },
  ])
})
