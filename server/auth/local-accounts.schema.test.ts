import path from 'node:path'
import { getMigrations } from 'better-auth/db/migration'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../db/open-database.ts'
import { tempFolder } from '../http/test-folder.ts'
import { localAccountOptions } from './local-account-options.ts'

test('our migrations leave better-auth nothing to make or add', async () => {
  const db = await openDatabase(path.join(await tempFolder(), 'rangoli.db'))
  onTestFinished(() => db.destroy())
  const options = localAccountOptions({
    db,
    log: pino({ level: 'silent' }),
    secret: 'x'.repeat(43),
    signUp: 'open',
    publicOrigin: null,
    trusts: () => true,
    cameByHttps: () => false,
    forget: async () => {},
  })
  const { toBeCreated, toBeAdded } = await getMigrations(options)
  expect(toBeCreated).toEqual([])
  expect(toBeAdded).toEqual([])
})
