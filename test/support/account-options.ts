import { pino } from 'pino'
import type { Database } from '../../server/db/open-database.ts'
import { createRateLimiter, countInMemory } from '../../server/rate-limits/rate-limiter.ts'
import { localAccountOptions } from '../../server/auth/local-account-options.ts'
import { PasswordAttempts } from '../../server/auth/password-attempts.ts'

/** Options of better-auth for a test database. */
export function testAccountOptions(db: Database) {
  const secret = 'x'.repeat(43)
  return localAccountOptions({
    db,
    counters: countInMemory,
    log: pino({ level: 'silent' }),
    secret,
    siteName: 'Rangoli',
    relyingParty: { id: 'localhost', origin: null },
    requireVerifiedEmail: false,
    attempts: new PasswordAttempts(secret),
    readSignUp: () => Promise.resolve('open'),
    findInvitation: () => Promise.resolve(null),
    hourlySignUpLimit: 100,
    roleVariable: null,
    localSignIn: true,
    now: Date.now,
    providerSignIn: null,
    signUps: createRateLimiter(100, 60),
    publicOrigin: null,
    trusts: () => true,
    cameByHttps: () => false,
    recordLanguage: null,
    forget: () => Promise.resolve(),
    linkOrigin: null,
    mailCalls: null,
  })
}
