import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { createOlderDatabase } from '../../../test/support/older-database.ts'
import { openDatabaseFile } from '../open-database.ts'

test('keeps the former secrets of webhooks', async () => {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const older = await createOlderDatabase(file, '0033-webhooks')
  await sql`
    INSERT INTO webhooks (id, url, events, secret, former_secret, former_secret_until, created_at)
    VALUES ('rotated', 'https://one.example.org', '[]', 'whsec_b', 'whsec_a', 5000, 1),
      ('new', 'https://two.example.org', '[]', 'whsec_c', NULL, NULL, 1)`.execute(older)
  await older.destroy()

  const db = await openDatabaseFile(file)
  onTestFinished(() => db.destroy())
  const rows = await db.selectFrom('webhooks').select(['id', 'former_secrets']).orderBy('seq').execute()
  expect(rows).toEqual([
    { id: 'rotated', former_secrets: '[{"secret":"whsec_a","until":5000}]' },
    { id: 'new', former_secrets: '[]' },
  ])
})
