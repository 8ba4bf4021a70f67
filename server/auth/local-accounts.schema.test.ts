import { getMigrations } from 'better-auth/db/migration'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/support/databases.ts'
import { testAccountOptions } from '../../test/support/account-options.ts'

test('the migrations create the schema that better-auth expects', async () => {
  const db = await openTestDatabase()
  const options = testAccountOptions(db)
  const { toBeCreated, toBeAdded } = await getMigrations(options)
  expect(toBeCreated).toEqual([])
  expect(toBeAdded).toEqual([])
})
