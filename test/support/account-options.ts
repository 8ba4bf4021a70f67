import { pino } from 'pino'
import { localAccountOptions } from '../../server/auth/local-account-options.ts'
import { parseConfig } from '../../server/config/config.ts'
import type { Database } from '../../server/db/open-database.ts'
import { countInMemory } from '../../server/rate-limits/rate-limiter.ts'
import { createReadSiteOptions } from '../../server/site/site-options.ts'

/** Options of better-auth for a test database. */
export function testAccountOptions(db: Database) {
  const { auth, ...config } = parseConfig({}, '/tmp')
  if (auth.kind !== 'local') throw new Error('unreachable')
  const log = pino({ level: 'silent' })
  return localAccountOptions({
    db,
    log,
    now: Date.now,
    counters: countInMemory,
    config: { ...config, auth },
    secret: 'x'.repeat(43),
    readOptions: createReadSiteOptions({}, log),
    forget: () => Promise.resolve(),
  }).options
}
