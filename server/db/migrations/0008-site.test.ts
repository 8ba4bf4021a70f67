import { cp } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { openDatabaseFile } from '../open-database.ts'
import { readSite } from '../site.ts'
import { createOlderDatabase } from '../../../test/support/older-database.ts'

/** Updates a database and reads its identity. */
async function siteOf(file: string) {
  const db = await openDatabaseFile(file)
  try {
    return await readSite(db)
  } finally {
    await db.destroy()
  }
}

/** Creates a database of version 0.1 with a given creation time, with or without an image. */
async function olderDatabase(createdAt: string, hasImages: boolean): Promise<string> {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const older = await createOlderDatabase(file, '0007-personal-tokens')
  await sql`UPDATE kysely_migration SET timestamp = ${createdAt} WHERE name LIKE '0001-%'`.execute(older)
  if (hasImages)
    await sql`
      INSERT INTO images (id, owner_id, source, prompt, state, created_at)
      VALUES ('i', 'asha', 'uploaded', '', 'failed', 0)`.execute(older)
  await older.destroy()
  return file
}

const moment = '2026-05-09T08:07:06.543Z'

test('gives every new database a unique id and the time of its creation', async () => {
  const before = Date.now()
  const sites = []
  for (let count = 0; count < 3; count += 1) {
    sites.push(await siteOf(path.join(await tempFolder(), 'rangoli.db')))
  }
  for (const site of sites) {
    expect(site?.id).toMatch(/^[0-9a-f]{32}$/)
    expect(site?.createdAt).toBeGreaterThanOrEqual(before)
    expect(site?.createdAt).toBeLessThanOrEqual(Date.now())
  }
  expect(new Set(sites.map((site) => site?.id)).size).toBe(3)
})

test('gives a database of version 0.1 the same id in every update, and the time of its creation', async () => {
  const file = await olderDatabase(moment, true)
  const copy = `${file}.copy`
  await cp(file, copy)
  const site = await siteOf(file)
  expect(site?.createdAt).toBe(Date.parse(moment))
  expect(await siteOf(copy)).toEqual(site)
  expect((await siteOf(await olderDatabase('2026-05-09T08:07:06.544Z', true)))?.id).not.toBe(site?.id)
})

test('gives databases of version 0.1 without images unique ids', async () => {
  const [one, other] = [await olderDatabase(moment, false), await olderDatabase(moment, false)]
  expect((await siteOf(one))?.id).not.toBe((await siteOf(other))?.id)
})
