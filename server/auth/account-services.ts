import type { BetterAuthOptions } from 'better-auth'
import type { Logger } from 'pino'
import { nameLimit } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import type { DeleteAccountData } from '../access/authenticator.ts'
import type { LocalAuthConfig } from '../config/auth-section.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/open-database.ts'
import type { Counters, RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { ReadSiteOptions } from '../site/site-options.ts'
import { cleanText } from '../text/clean-text.ts'
import type { Clock } from '../time/clock.ts'
import { badRequest } from './call-context.ts'
import type { ProviderSignIn } from './oidc/provider-sign-in.ts'
import type { PasswordAttempts, PasswordLimits } from './password-attempts.ts'

/** Functions that hash passwords and compare them with hashes. */
export type PasswordHashing = Required<NonNullable<BetterAuthOptions['emailAndPassword']>>['password']

export interface LocalAccountServices {
  readonly db: Database
  readonly log: Logger
  readonly now: Clock
  readonly counters: Counters
  readonly config: Pick<Config, 'siteName' | 'publicOrigin' | 'proxyHops' | 'mail'> & {
    readonly auth: LocalAuthConfig
  }
  /** Key that signs sessions. */
  readonly secret: string
  readonly readOptions: ReadSiteOptions
  readonly forget: DeleteAccountData
  /** The default limits if undefined. */
  readonly passwordLimits?: PasswordLimits | undefined
  /** The scrypt of better-auth if undefined. */
  readonly passwordHashing?: PasswordHashing | undefined
  /** Duration of calls that must not reveal whether an email has an account; the default if undefined. */
  readonly concealedMs?: number | undefined
}

/** Services of the calls of better-auth. */
export interface AccountCallServices extends LocalAccountServices {
  readonly attempts: PasswordAttempts
  readonly signUps: RateLimiter
  /** Null without a provider. */
  readonly providerSignIn: ProviderSignIn | null
}

/**
 * Cleans the name of an account.
 *
 * @throws APIError, which better-auth sends as response
 */
export function accountName(name: string): string {
  const cleaned = cleanText(name)
  if (cleaned === '') throw badRequest('NAME_MISSING', 'Please enter your name')
  const exceeded = exceededLimit(cleaned, nameLimit)
  if (exceeded) {
    const message =
      exceeded === 'characters'
        ? `A name may have at most ${nameLimit.characters} characters`
        : `A name may have at most ${nameLimit.codeUnits} UTF-16 code units; emoji take several each`
    throw badRequest('NAME_TOO_LONG', message)
  }
  return cleaned
}
