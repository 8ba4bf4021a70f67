import type { Logger } from 'pino'
import type { ClerkAuthConfig } from '../../config/auth-section.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Authenticator, DeleteAccountData } from '../authenticator.ts'
import { createCookieReader } from './session-cookies.ts'
import { createTokenCheck, userId } from './session-tokens.ts'
import { createSigningKeys } from './signing-keys.ts'
import { viewerOf } from './viewer-of.ts'
import { createWebhook } from './webhook.ts'

interface ClerkAccountServices extends ClerkAuthConfig {
  readonly log: Logger
  /** Whether an origin is this site's own, going by a request's headers. */
  readonly trusts: (headers: Headers, origin: string) => boolean
  readonly forget: DeleteAccountData
  /** Revokes the API keys of a user who is banned, and lets their last session store nothing more. */
  readonly closeAccount: (userId: string) => Promise<void>
  readonly reopenAccount: (userId: string) => Promise<void>
}

/** Accounts at Clerk: its session tokens come as bearer tokens, or in the cookie that its script keeps. */
export function createClerkAccounts(services: ClerkAccountServices): Authenticator {
  const { publishableKey, jwtKey, webhookSecret, administrators, trusts } = services
  const findKey = jwtKey === null ? createSigningKeys(services) : () => Promise.resolve(jwtKey)
  const check = createTokenCheck(services, findKey)
  const tokensInCookies = createCookieReader(publishableKey)

  /** Whose token it is; null where it is not a session's of this site. */
  async function read(token: string, headers: Headers) {
    const claims = await check(token)
    return claims && trusts(headers, claims.azp) ? viewerOf(claims, administrators) : null
  }

  return {
    async authenticate({ bearer, headers }) {
      if (bearer !== null) {
        const viewer = await read(bearer, headers)
        if (!viewer) throw new AppError('not_signed_in', 'The bearer token is not valid.')
        return { viewer, by: 'session' }
      }
      for (const token of tokensInCookies(headers)) {
        const viewer = await read(token, headers)
        if (viewer) return { viewer, by: 'session' }
      }
      return null
    },
    // Who had an account of our own here, before users signed in at Clerk, has none any more.
    recall: (user) => Promise.resolve(userId.test(user.id) ? user : null),
    handle: webhookSecret === null ? null : createWebhook({ ...services, webhookSecret }),
    profileOf: () => Promise.resolve(null),
    administration: null,
  }
}
