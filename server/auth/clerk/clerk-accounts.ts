import type { Logger } from 'pino'
import type { ClerkAuthConfig } from '../../config/auth-section.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Authenticator, DeleteAccountData } from '../authenticator.ts'
import { createClerkDirectory } from './clerk-directory.ts'
import { createCookieReader, createTokenVerifier, userIdPattern, viewerOf } from './session-tokens.ts'
import { createSigningKeys } from './signing-keys.ts'
import { createWebhook } from './webhook.ts'

interface ClerkAccountServices extends ClerkAuthConfig {
  readonly log: Logger
  /** Checks whether an origin is this site's own, based on the headers of a request. */
  readonly trusts: (headers: Headers, origin: string) => boolean
  readonly forget: DeleteAccountData
  /** Revokes the API keys of a banned user and rejects further writes of their sessions. */
  readonly closeAccount: (userId: string) => Promise<void>
  readonly reopenAccount: (userId: string) => Promise<void>
}

/** Clerk accounts, identified by session tokens in the Authorization header or in the cookies of Clerk's script. */
export function createClerkAccounts(services: ClerkAccountServices): Authenticator {
  const { publishableKey, jwtKey, webhookSecret, administrators, trusts } = services
  const findKey = jwtKey === null ? createSigningKeys(services) : () => Promise.resolve(jwtKey)
  const verify = createTokenVerifier(services, findKey)
  const tokensInCookies = createCookieReader(publishableKey)

  /** Returns null if the token is not of a session on this site. */
  async function viewerOfToken(token: string, headers: Headers) {
    const claims = await verify(token)
    return claims && trusts(headers, claims.azp) ? viewerOf(claims, administrators) : null
  }

  return {
    async authenticate({ bearer, headers }) {
      if (bearer !== null) {
        const viewer = await viewerOfToken(bearer, headers)
        if (!viewer) throw new AppError('not_signed_in', 'The bearer token is not valid.')
        return { viewer, by: 'session' }
      }
      for (const token of tokensInCookies(headers)) {
        const viewer = await viewerOfToken(token, headers)
        if (viewer) return { viewer, by: 'session' }
      }
      return null
    },
    // Local accounts from before the site used Clerk no longer exist.
    recall: (user) => Promise.resolve(userIdPattern.test(user.id) ? user : null),
    handle: webhookSecret === null ? null : createWebhook({ ...services, webhookSecret }),
    profileOf: () => Promise.resolve(null),
    administration: null,
    directory: createClerkDirectory(administrators),
  }
}
