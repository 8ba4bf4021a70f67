import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { openDatabaseFile } from '../open-database.ts'
import { createOlderDatabase } from '../../../test/support/older-database.ts'

test('sums the images of all users of version 0.1 per day', async () => {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const older = await createOlderDatabase(file, '0007-personal-tokens')
  await sql`
    INSERT INTO daily_usage (person_id, day, kind, used) VALUES
      ('asha', '2026-05-09', 'image', 3), ('ravi', '2026-05-09', 'image', 2), ('ravi', '2026-05-09', 'upload', 7),
      ('asha', '2026-05-10', 'image', 1), ('asha', '2026-05-10', 'blocked', 4)`.execute(older)
  await older.destroy()

  const db = await openDatabaseFile(file)
  onTestFinished(() => db.destroy())
  expect(await db.selectFrom('site_usage').selectAll().orderBy('day').execute()).toEqual([
    { day: '2026-05-09', images: 5 },
    { day: '2026-05-10', images: 1 },
  ])
})
