import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Logger } from 'pino'
import { nameMaxLength, passwordMinLength } from '../../shared/limits.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { cleanText, isLongerThan } from '../text/clean-text.ts'
import type { Authenticator } from './authenticator.ts'

/**
 * Header that carries the client's real address to better-auth's rate limiter. Only our server sets it:
 * what a client sends under this name is overwritten.
 */
export const clientAddressHeader = 'x-rangoli-client-address'

/** Paths below /api/auth that answer; better-auth has more, which nothing here needs. */
const openPaths = new Set(['/sign-up/email', '/sign-in/email', '/sign-out', '/get-session'])

interface LocalAccountServices {
  readonly db: Database
  readonly log: Logger
  readonly secret: string
  readonly signUp: 'open' | 'closed'
  readonly publicOrigin: string | null
  /** Whether an origin is this site's own, going by a request's headers. */
  readonly trusts: (headers: Headers, origin: string) => boolean
}

/** Accounts with e-mail and password in our own database, by better-auth. */
export function createLocalAccounts(services: LocalAccountServices): Authenticator {
  const auth = betterAuth(localAccountOptions(services))
  return {
    async authenticate({ bearer, headers }) {
      if (bearer !== null) throw new AppError('not_signed_in', 'The bearer token is not valid.')
      if (!headers.has('cookie')) return null
      const session = await auth.api.getSession({ headers })
      if (!session) return null
      const { id, name, image } = session.user
      return { id, firstName: name.split(/\s+/)[0] || name, imageUrl: image ?? null }
    },

    async handle(request) {
      const path = new URL(request.url).pathname.slice('/api/auth'.length)
      if (!openPaths.has(path)) throw new AppError('not_found', 'There is nothing at this address.')
      try {
        return await auth.handler(request)
      } catch (cause) {
        // What its own answers do not cover; a body that is no JSON is the one that callers can cause.
        if (cause instanceof SyntaxError) {
          throw new AppError('bad_input', 'The request is not readable JSON.', { cause })
        }
        throw cause
      }
    },
  }
}

/** What better-auth is told; apart from the rest so that a test can compare its tables with our migrations. */
export function localAccountOptions(services: LocalAccountServices) {
  return {
    appName: 'Rangoli',
    secret: services.secret,
    // Needed to build redirects, of which e-mail and password have none; requests are matched by path.
    baseURL: services.publicOrigin ?? 'http://localhost',
    basePath: '/api/auth',
    trustedOrigins: (request) => {
      const origin = request?.headers.get('origin')
      return request && origin && services.trusts(request.headers, origin) ? [origin] : []
    },
    database: { db: services.db, type: 'sqlite' },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordMinLength,
      disableSignUp: services.signUp === 'closed',
    },
    session: { expiresIn: 30 * 24 * 60 * 60 },
    rateLimit: { enabled: true, storage: 'memory' },
    advanced: {
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      useSecureCookies: services.publicOrigin?.startsWith('https:') ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
    },
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: { ...user, name: accountName(user.name) } }) } },
    },
    telemetry: { enabled: false },
    // Unexpected errors come to us, and so to the log; otherwise they go to the console.
    onAPIError: { throw: true },
    logger: {
      level: 'warn',
      log: (level, message, ...details) => services.log[level]({ details }, message),
    },
  } satisfies BetterAuthOptions
}

function accountName(name: string): string {
  const cleaned = cleanText(name)
  if (cleaned === '') throw new APIError('BAD_REQUEST', { message: 'Please enter your name' })
  if (isLongerThan(cleaned, nameMaxLength)) {
    throw new APIError('BAD_REQUEST', { message: `A name may have at most ${nameMaxLength} characters` })
  }
  return cleaned
}
