import type { BetterAuthOptions } from 'better-auth'
import type { Logger } from 'pino'
import { passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
import type { Database } from '../db/open-database.ts'
import { afterAccountCall, beforeAccountCall, postsOfDeleted } from './account-calls.ts'
import { accountName } from './account-name.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { DeleteAccountData } from './authenticator.ts'
import type { PasswordAttempts, PasswordLimits } from './password-attempts.ts'

/**
 * Header that carries the client's real address to better-auth's rate limiter. Only our server sets it:
 * what a client sends under this name is overwritten.
 */
export const clientAddressHeader = 'x-rangoli-client-address'

export interface LocalAccountServices {
  readonly db: Database
  readonly log: Logger
  readonly secret: string
  readonly signUp: 'open' | 'closed'
  readonly hourlySignUpLimit: number
  readonly publicOrigin: string | null
  /** Whether an origin is this site's own, going by a request's headers. */
  readonly trusts: (headers: Headers, origin: string) => boolean
  /** Whether a request reached the site by https, going by its headers. */
  readonly cameByHttps: (headers: Headers) => boolean
  readonly forget: DeleteAccountData
  /** The default limits if undefined. */
  readonly passwordLimits?: PasswordLimits | undefined
}

interface AccountOptionsServices extends LocalAccountServices {
  readonly attempts: PasswordAttempts
  readonly signUps: RateLimiter
}

/** What better-auth is told; apart from its use so that a test can compare its tables with our migrations. */
export function localAccountOptions(services: AccountOptionsServices) {
  const { db, log, secret, publicOrigin, trusts, forget } = services
  const forgetUser = async (user: { id: string }, request?: Request) => {
    const chosen = request && new URL(request.url).searchParams.get('posts')
    await forget(user.id, { posts: postsOfDeleted.parse(chosen ?? undefined) })
  }
  return {
    appName: 'Rangoli',
    secret,
    // Needed to build redirects, of which e-mail and password have none; requests are matched by path.
    baseURL: publicOrigin ?? 'http://localhost',
    basePath: '/api/auth',
    trustedOrigins: (request) => {
      const origin = request?.headers.get('origin')
      return request && origin && trusts(request.headers, origin) ? [origin] : []
    },
    database: { db, type: 'sqlite' },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordMinLength,
      maxPasswordLength: passwordMaxLength,
    },
    user: {
      additionalFields: { role: { type: 'string', required: true, defaultValue: 'user', input: false } },
      // Before, so that an account whose user could not be forgotten is still there to try again with; and
      // after, as until then the user could still have something made.
      deleteUser: { enabled: true, beforeDelete: forgetUser, afterDelete: forgetUser },
    },
    session: { expiresIn: 30 * 24 * 60 * 60 },
    rateLimit: {
      enabled: true,
      storage: 'memory',
      customRules: {
        // A place to try passwords, like the ones that better-auth knows of.
        '/delete-user': { window: 10, max: 3 },
        // Asked by every page, and of an office behind one address by many users.
        '/get-session': false,
      },
    },
    advanced: {
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      useSecureCookies: publicOrigin?.startsWith('https:') ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
    },
    hooks: { before: beforeAccountCall(services), after: afterAccountCall(services) },
    databaseHooks: {
      user: {
        // An image would be an address of anybody's choice in every page that shows the user.
        create: { before: async (user) => ({ data: { name: accountName(user.name), image: null } }) },
        update: {
          before: async ({ name }) => ({ data: name === undefined ? {} : { name: accountName(name) } }),
        },
      },
    },
    telemetry: { enabled: false },
    // Unexpected errors come to us, and so to the log; otherwise they go to the console.
    onAPIError: { throw: true },
    logger: {
      level: 'warn',
      log: (level, message, ...details) => log[level]({ details }, message),
    },
  } satisfies BetterAuthOptions
}
