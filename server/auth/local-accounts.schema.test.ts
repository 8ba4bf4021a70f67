import path from 'node:path'
import { getMigrations } from 'better-auth/db/migration'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseFile } from '../db/open-database.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { testAccountOptions } from '../../test/support/account-options.ts'

test('the migrations create the schema that better-auth expects', async () => {
  const db = await openDatabaseFile(path.join(await tempFolder(), 'rangoli.db'))
  onTestFinished(() => db.destroy())
  const options = testAccountOptions(db)
  const { toBeCreated, toBeAdded } = await getMigrations(options)
  expect(toBeCreated).toEqual([])
  expect(toBeAdded).toEqual([])
})
