import type { BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Logger } from 'pino'
import type { SignUpMode } from '../../shared/site-options.ts'
import { nameLimit } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import type { DeleteAccountData } from '../access/authenticator.ts'
import type { Database } from '../db/open-database.ts'
import type { Counters, RateLimiter } from '../rate-limits/rate-limiter.ts'
import { cleanText } from '../text/clean-text.ts'
import type { ProviderSignIn } from './oidc/provider-sign-in.ts'
import type { PasswordAttempts, PasswordLimits } from './password-attempts.ts'

/** Functions that hash passwords and compare them with hashes. */
export type PasswordHashing = Required<NonNullable<BetterAuthOptions['emailAndPassword']>>['password']

export interface LocalAccountServices {
  readonly db: Database
  readonly counters: Counters
  readonly log: Logger
  readonly secret: string
  readonly siteName: string
  /** Null if the site has no passkeys. */
  readonly relyingParty: RelyingParty | null
  /** True if users must verify their email before they can sign in. */
  readonly requireVerifiedEmail: boolean
  /** Reads who may create an account. */
  readonly readSignUp: () => Promise<SignUpMode>
  /** Finds an invitation by its token; null if no account can be created with it now. */
  readonly findInvitation: (token: string) => Promise<{ readonly id: string } | null>
  readonly hourlySignUpLimit: number
  /** Variable by which the sign-in provider chooses roles; null if it does not. */
  readonly roleVariable: string | null
  /** True if users sign in with their passwords. */
  readonly localSignIn: boolean
  readonly now: () => number
  readonly publicOrigin: string | null
  /** Checks whether an origin is this site's own, based on the headers of a request. */
  readonly trusts: (headers: Headers, origin: string) => boolean
  /** Checks whether a request reached the site over HTTPS, based on its headers. */
  readonly cameByHttps: (headers: Headers) => boolean
  readonly forget: DeleteAccountData
  /**
   * Returns the origin of links in mails that a request causes, null if it is not certain. Null if the site sends no mails about
   * accounts.
   */
  readonly linkOrigin: ((headers: Headers) => string | null) | null
  /** Records the language of a signed-in user's request; null if the site sends no mails. */
  readonly recordLanguage: ((userId: string, language: string) => Promise<void>) | null
  /** The default limits if undefined. */
  readonly passwordLimits?: PasswordLimits | undefined
  /** The scrypt of better-auth if undefined. */
  readonly passwordHashing?: PasswordHashing | undefined
}

/** Services of the hooks and plugins of better-auth. */
export interface AccountOptionsServices extends LocalAccountServices {
  readonly attempts: PasswordAttempts
  readonly signUps: RateLimiter
  /** Null without a provider. */
  readonly providerSignIn: ProviderSignIn | null
}

/** The site as authenticators know it. */
export interface RelyingParty {
  /** Domain that passkeys belong to. Browsers offer them on no other. */
  readonly id: string
  /** Origin of the pages that use them; null for any port of `id`. */
  readonly origin: string | null
}

/**
 * Cleans the name of an account.
 *
 * @throws APIError, which better-auth sends as response
 */
export function accountName(name: string): string {
  const cleaned = cleanText(name)
  if (cleaned === '') {
    throw new APIError('BAD_REQUEST', { code: 'NAME_MISSING', message: 'Please enter your name' })
  }
  const exceeded = exceededLimit(cleaned, nameLimit)
  if (exceeded) {
    const message =
      exceeded === 'characters'
        ? `A name may have at most ${nameLimit.characters} characters`
        : `A name may have at most ${nameLimit.codeUnits} UTF-16 code units; emoji take several each`
    throw new APIError('BAD_REQUEST', { code: 'NAME_TOO_LONG', message })
  }
  return cleaned
}
