import type { BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Logger } from 'pino'
import type { SignUpMode } from '../../shared/site-options.ts'
import { nameLimit, passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import type { RateLimiter, Counters } from '../rate-limits/rate-limiter.ts'
import { fold } from '../posts/search/normalize.ts'
import { readAccess } from '../users/user-access.ts'
import { cleanText } from '../text/clean-text.ts'
import {
  afterAccountCall,
  beforeAccountCall,
  invitationOf,
  postsOfDeleted,
  requireSignUp,
} from './account-calls.ts'
import { endSessions } from './local-directory.ts'
import { clientAddressHeader, type DeleteAccountData } from './authenticator.ts'
import type { MailCalls } from './mail-calls.ts'
import { providerPlugin } from './oidc/provider-plugin.ts'
import { providerId, type ProviderSignIn } from './oidc/provider-sign-in.ts'
import { passkeyPlugins, rejectedCeremonies, type RelyingParty } from './passkey-plugins.ts'
import type { PasswordAttempts, PasswordLimits } from './password-attempts.ts'
import { signInMethodsPlugin } from './sign-in-methods.ts'

/** Age of a session up to which it may add another way to sign in. */
export const freshSessionSeconds = 15 * 60

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
  /** Null if the site sends no mails about accounts. */
  readonly mailCalls: MailCalls | null
}

/** Options of better-auth. Separate from their use, so that a test can compare its schema with the migrations. */
export function localAccountOptions(services: AccountOptionsServices) {
  const { db, log, secret, publicOrigin, trusts, forget, passwordHashing, providerSignIn, mailCalls } =
    services
  const mail = mailCalls?.options
  const forgetUser = async (user: { id: string }, request?: Request) => {
    const chosen = request && new URL(request.url).searchParams.get('posts')
    await forget(user.id, { posts: postsOfDeleted.parse(chosen ?? undefined) })
  }
  return {
    appName: 'Rangoli',
    secret,
    // Required for redirects to the provider, which requires PUBLIC_URL. Requests are matched by path.
    baseURL: publicOrigin ?? 'http://localhost',
    basePath: '/api/auth',
    trustedOrigins: (request) => {
      const origin = request?.headers.get('origin')
      return request && origin && trusts(request.headers, origin) ? [origin] : []
    },
    database: { db, type: dialectOf(db) },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordMinLength,
      maxPasswordLength: passwordMaxLength,
      ...(passwordHashing && { password: passwordHashing }),
      ...mail?.emailAndPassword,
    },
    ...(mail && { emailVerification: mail.emailVerification, verification: mail.verification }),
    user: {
      additionalFields: {
        // The folded name, by which administrators search.
        searchName: { type: 'string', required: true, defaultValue: '', input: false, returned: false },
        // Id of the invitation with which the account was created.
        invitationId: { type: 'string', required: false, input: false, returned: false },
      },
      // Before, so that a failure leaves an account to try again with. After, for data that was stored in between.
      deleteUser: { enabled: true, beforeDelete: forgetUser, afterDelete: forgetUser },
      changeEmail: { enabled: mail !== undefined },
    },
    account: {
      // Visitors who leave for the provider write nothing to the database.
      storeStateStrategy: 'cookie',
      // The tokens of the provider are not stored.
      updateAccountOnSignIn: false,
      // Connecting an account requires its password, whatever the address at the provider.
      accountLinking: { allowDifferentEmails: true },
    },
    session: { expiresIn: 30 * 24 * 60 * 60, freshAge: freshSessionSeconds },
    rateLimit: {
      enabled: true,
      storage: dialectOf(db) === 'postgres' ? 'database' : 'memory',
      customRules: {
        // Accepts a password, like the paths that better-auth limits itself.
        '/delete-user': { window: 10, max: 3 },
        // Requested by every page, and by many users of an office behind one address.
        '/get-session': false,
        // They accept no password, and the users of an office may all begin at the same time.
        '/sign-in/social': { window: 10, max: 50 },
        '/sign-in-methods': { window: 10, max: 100 },
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
        create: {
          before: async (user, call) => ({
            data: {
              ...nameColumns(user.name),
              // An avatar URL of the user's choice would be loaded by every page that shows the user.
              image: null,
              // Commands of the operator are no calls.
              invitationId: call && (await requireSignUp(services, await invitationOf(call))),
            },
          }),
        },
        update: {
          before: async ({ name }) => ({ data: name === undefined ? {} : nameColumns(name) }),
        },
      },
      session: {
        create: {
          // Every way to sign in ends here, after the password or the provider was checked.
          before: ({ userId }) => rejectBlocked(db, userId),
          // An administrator may have blocked the user meanwhile, before there was a session to end.
          after: ({ userId }) => rejectBlocked(db, userId),
        },
      },
    },
    plugins: [
      signInMethodsPlugin({ ...services, providerName: providerSignIn?.provider.name ?? providerId }),
      ...passkeyPlugins(services),
      ...(providerSignIn ? [providerPlugin(providerSignIn, services.attempts)] : []),
      ...(mailCalls ? [mailCalls.plugin] : []),
    ],
    telemetry: { enabled: false },
    // Throws unexpected errors, so that they reach the log instead of the console.
    onAPIError: { throw: true, errorURL: `${publicOrigin ?? 'http://localhost'}/` },
    logger: {
      level: 'warn',
      log: (level, message: unknown, ...details) => {
        const err = [message, ...details].find((value) => value instanceof Error)
        const others = details.filter((value) => value !== err)
        const fields = { ...(err && { err }), ...(others.length > 0 && { details: others }) }
        // Some messages are empty, or the error itself.
        const text = typeof message === 'string' && message !== '' ? message : undefined
        log[text !== undefined && rejectedCeremonies.has(text) ? 'info' : level](fields, text)
      },
    },
  } satisfies BetterAuthOptions
}

/** The columns of the name of an account. @throws APIError see `accountName` */
function nameColumns(given: string) {
  const name = accountName(given)
  return { name, searchName: fold(name) }
}

/**
 * Rejects the sign-in of a blocked user, and ends a session that was created meanwhile.
 *
 * @throws APIError, which better-auth sends as response
 */
async function rejectBlocked(db: Database, userId: string): Promise<void> {
  if (!(await readAccess(db, userId)).isBlocked) return
  await endSessions(db, userId)
  throw new APIError('FORBIDDEN', {
    code: 'ACCOUNT_BLOCKED',
    message: 'An administrator has blocked this account.',
  })
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
