import { pino } from 'pino'
import type { Database } from '../db/open-database.ts'
import { localAccountOptions } from './local-account-options.ts'

/** better-auth's options for accounts in a database of a test's own, without anything around them. */
export function testAccountOptions(db: Database) {
  return localAccountOptions({
    db,
    log: pino({ level: 'silent' }),
    secret: 'x'.repeat(43),
    signUp: 'open',
    publicOrigin: null,
    trusts: () => true,
    cameByHttps: () => false,
    forget: () => Promise.resolve(),
  })
}
