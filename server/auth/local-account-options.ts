import { BASE_ERROR_CODES, type BetterAuthOptions, type BetterAuthPlugin } from 'better-auth'
import { APIError } from 'better-auth/api'
import { passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { hasRows } from '../db/rows.ts'
import { fold } from '../text/search-text.ts'
import { readAccess } from '../access/user-access.ts'
import { createRateLimiter } from '../rate-limits/rate-limiter.ts'
import { clientAddressHeader } from '../access/authenticator.ts'
import { isOwnOrigin } from '../config/site-origin.ts'
import {
  accountCalls,
  accountHooks,
  invitationOf,
  postsOfDeleted,
  requireSignUp,
  signInMethodsPlugin,
} from './account-calls.ts'
import {
  type AccountCalls,
  type AccountCallServices,
  type LocalAccountServices,
  notSignedIn,
  parseName,
} from './call-context.ts'
import { endSessions } from './local-administration.ts'
import { mailedAccounts } from './mail-calls.ts'
import { ProviderSignIn } from './oidc/provider-sign-in.ts'
import { passkeyCalls, passkeyPlugin, rejectedCeremonies, relyingPartyOf } from './passkeys.ts'
import { PasswordAttempts } from './password-attempts.ts'

/** Age of a session up to which it may add another way to sign in. */
const freshSessionSeconds = 15 * 60

/** Options of better-auth, and what they share with the handler of its calls. Separate, so that a test can read its schema. */
export function localAccountOptions(accountServices: LocalAccountServices) {
  const { db, log, secret, config, counters, forget, passwordLimits, passwordHashing } = accountServices
  const { publicOrigin, auth } = config
  const services: AccountCallServices = {
    ...accountServices,
    attempts: new PasswordAttempts(secret, passwordLimits, counters),
    signUps: createRateLimiter(auth.hourlySignUpLimit, 60 * 60, 'sign-ups', counters('sign-ups')),
    providerSignIn: createProviderSignIn(accountServices),
  }
  const { attempts, providerSignIn } = services
  const relyingParty = relyingPartyOf(config)
  const usualCalls = {
    ...accountCalls(services),
    ...(relyingParty && passkeyCalls(services)),
    ...providerSignIn?.calls(attempts),
  }
  // Users who sign in at a provider only have no passwords, and no emails to verify.
  const mail = config.mail && auth.localSignIn ? mailedAccounts(services, usualCalls) : null
  const calls: AccountCalls = mail?.calls ?? usualCalls
  const forgetUser = async (user: { id: string }, request?: Request) => {
    const chosen = request && new URL(request.url).searchParams.get('posts')
    await forget(user.id, { posts: postsOfDeleted.parse(chosen ?? undefined) })
  }
  const options = {
    appName: 'Rangoli',
    secret,
    // Required for redirects to the provider, which requires PUBLIC_URL. Requests are matched by path.
    baseURL: publicOrigin ?? 'http://localhost',
    basePath: '/api/auth',
    trustedOrigins: (request) => {
      const origin = request?.headers.get('origin')
      return request && origin && isOwnOrigin(config, request.headers, origin) ? [origin] : []
    },
    database: { db, type: dialectOf(db) },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordMinLength,
      maxPasswordLength: passwordMaxLength,
      ...(passwordHashing && { password: passwordHashing }),
      ...mail?.options.emailAndPassword,
    },
    ...(mail && {
      emailVerification: mail.options.emailVerification,
      verification: mail.options.verification,
    }),
    user: {
      additionalFields: {
        // The folded name, by which administrators search.
        searchName: { type: 'string', required: true, defaultValue: '', input: false, returned: false },
        invitationId: { type: 'string', required: false, input: false, returned: false },
      },
      // Before, so that a failure leaves an account to try again with. After, for data that was stored in between.
      deleteUser: { enabled: true, beforeDelete: forgetUser, afterDelete: forgetUser },
      changeEmail: { enabled: mail !== null },
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
        // Requested by every page, and by many users of an office behind one address.
        '/get-session': false,
        '/passkey/*': { window: 60, max: 30 },
        // Requested by the users of an office who begin at the same time.
        '/sign-in-methods': { window: 10, max: 100 },
        // Hashes two passwords.
        '/change-password': { window: 10, max: 10 },
        // Replaces the limits of better-auth, as passwords, sign-ups and links have limits of this site.
        '/**': { window: 10, max: 50 },
      },
    },
    advanced: {
      // `local-accounts.schema.test.ts` compares the schema. This check would go on, and fail, after a command has closed the database.
      database: { validateSchema: false },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      useSecureCookies: publicOrigin?.startsWith('https:') ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
    },
    hooks: accountHooks(calls, services),
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
          async before(session, call) {
            await rejectBlocked(db, session.userId)
            // Deleted meanwhile: the session could not be stored.
            if (!(await hasRows(db.selectFrom('user').select('id').where('id', '=', session.userId))))
              throw APIError.from(
                'UNAUTHORIZED',
                call?.path === '/sign-in/email' ? BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD : notSignedIn,
              )
            await providerSignIn?.beforeSession(session)
          },
          async after(session) {
            // An administrator may have blocked the user meanwhile, before there was a session to end.
            await rejectBlocked(db, session.userId)
            await providerSignIn?.afterSession(session)
          },
        },
      },
    },
    plugins: [
      signInMethodsPlugin(services),
      ...(relyingParty ? [passkeyPlugin(relyingParty, config)] : []),
      ...(providerSignIn ? [providerPlugin(providerSignIn)] : []),
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
  return { options, calls, attempts, providerSignIn }
}

function createProviderSignIn({ config, ...services }: LocalAccountServices): ProviderSignIn | null {
  const { auth, publicOrigin } = config
  if (!auth.provider) return null
  if (publicOrigin === null) throw new Error('The configuration of a provider includes PUBLIC_URL.')
  const { provider: oidc, requireVerifiedEmail } = auth
  return new ProviderSignIn({ ...services, oidc, requireVerifiedEmail, origin: publicOrigin })
}

function providerPlugin({ provider }: ProviderSignIn): BetterAuthPlugin {
  return {
    id: 'oidc',
    init: ({ socialProviders }) => ({ context: { socialProviders: [provider, ...socialProviders] } }),
  }
}

/** The columns of the name of an account. @throws APIError see `parseName` */
function nameColumns(given: string) {
  const name = parseName(given)
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
