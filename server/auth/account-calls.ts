import { BASE_ERROR_CODES, type BetterAuthPlugin } from 'better-auth'
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  getOAuthState,
  isAPIError,
  sessionMiddleware,
} from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { passwordMaxLength } from '../../shared/limits.ts'
import type { SignInMethods } from '../../shared/provider-sign-in.ts'
import { languageHeader } from '../access/authenticator.ts'
import { revokePrograms } from '../access/programs.ts'
import { recordUserLanguage } from '../access/user-settings.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { findOpenInvitation } from '../invitations/invitations.ts'
import { inTransaction } from '../db/transaction.ts'
import { rateLimitKey } from '../rate-limits/rate-limiter.ts'
import {
  type AccountCalls,
  type AccountCallServices,
  badRequest,
  type CallContext,
  confirmPassword,
  deleteDeviceCookie,
  networkOfCall,
  parseInput,
  parseName,
  readDeviceCookie,
  rejectLongEmail,
  rejectWeakPassword,
  requestOf,
  requireCaller,
  setDeviceCookie,
} from './call-context.ts'
import { applyProviderRole, isConfirmedByProvider, providerId } from './oidc/provider-sign-in.ts'
import type { AttemptOutcome, PasswordAttempts } from './password-attempts.ts'

/** Input for which better-auth verifies a password. It rejects any other input before. */
const credentials = z.object({ email: z.email().toLowerCase(), password: z.string().max(passwordMaxLength) })
const newAccount = z.object({ name: z.string(), email: z.string(), password: z.string() })
/** Token of the link by which a user signs up. */
const invited = z.object({ invitation: z.unknown() })
const newName = z.strictObject({ name: z.string() })
const readSession = z.object({ user: z.object({ id: z.string() }) })
const newPassword = z.object({ newPassword: z.string() })
/** Added to a change of the password by users who end their programs with it. */
const endingPrograms = z.object({ endsPrograms: z.literal(true) })
const deletion = z.strictObject({ password: z.string().min(1).optional() })

/** Hashes of passwords before the calls that verify them. */
const hashBefore = new WeakMap<Request, string | undefined>()

/** Query parameter `posts` of an account deletion. */
export const postsOfDeleted = z.enum(['keep', 'remove']).default('keep')

/** Calls of every site with local accounts. */
export function accountCalls(services: AccountCallServices): AccountCalls {
  const forgetBrowser = (ctx: CallContext) => {
    const caller = ctx.context.session?.user
    if (caller) deleteDeviceCookie(ctx, caller.email)
  }
  return {
    '/sign-up/email': { before: (ctx) => beforeSignUp(ctx, services) },
    '/sign-in/email': {
      before: (ctx) => beforeSignIn(ctx, services.attempts),
      after: afterSignIn,
    },
    '/sign-out': {},
    '/get-session': {},
    '/sign-in-methods': {},
    '/disconnect-provider': {},
    '/update-user': {
      async before(ctx) {
        await requireCaller(ctx)
        parseInput(newName, ctx.body, 'Only the name can be changed.')
      },
    },
    '/change-password': {
      before: (ctx) => beforePasswordChange(ctx, services.attempts),
      async after({ body, context: { session } }) {
        if (session && endingPrograms.safeParse(body).success)
          await revokePrograms(services.db, session.user.id)
      },
    },
    '/revoke-sessions': {
      after(ctx) {
        deleteSessionCookie(ctx)
        forgetBrowser(ctx)
      },
    },
    '/delete-user': {
      before: (ctx) => beforeDeletion(ctx, services),
      after: forgetBrowser,
    },
  }
}

/** Hooks of better-auth, which make the calls of a site what they are. */
export function accountHooks(calls: AccountCalls, services: AccountCallServices) {
  const { attempts, config } = services
  const callOf = ({ path }: CallContext) => calls[path === '/callback/:id' ? '/callback/oidc' : path]
  return {
    before: createAuthMiddleware(async (ctx) => {
      // There are no calls of passkeys then.
      if (!config.auth.localSignIn && ['/sign-up/email', '/sign-in/email'].includes(ctx.path)) {
        const message = 'Passwords are not used on this site.'
        throw new APIError('FORBIDDEN', { code: 'LOCAL_SIGN_IN_OFF', message })
      }
      return callOf(ctx)?.before?.(ctx)
    }),
    after: createAuthMiddleware(async (ctx) => {
      const { returned } = ctx.context
      const errorCode = isAPIError(returned) ? returned.body?.['code'] : null
      // Calls of the server itself have no request, and no password attempt.
      if (ctx.request) await attempts.end(ctx.request, outcomeOf(errorCode))
      if (errorCode !== null) return afterError(ctx, errorCode, services)
      const response: unknown = await callOf(ctx)?.after?.(ctx)
      await recordLanguage(ctx, services)
      return response
    }),
  }
}

/** Replaces errors whose cause is the input, or another call at the same time. */
async function afterError(ctx: CallContext, code: unknown, services: AccountCallServices): Promise<void> {
  // Of another class than better-auth's errors, which would be sent with the status of the endpoint.
  if (code === 'FAILED_TO_VERIFY_REGISTRATION') {
    throw new AppError('bad_input', describedDetail('passkey_not_verified'))
  }
  if (ctx.path !== '/sign-up/email' || code !== 'FAILED_TO_CREATE_USER') return
  // Two concurrent sign-ups: neither found the account before both created it.
  const { email } = newAccount.parse(ctx.body)
  if (await ctx.context.internalAdapter.findUserByEmail(email.toLowerCase())) {
    throw APIError.from('UNPROCESSABLE_ENTITY', BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL)
  }
  // Or both had the last use of an invitation.
  await requireSignUp(services, invited.parse(ctx.body).invitation)
}

/** Returns the token of an invitation that came with a sign-up, or with the sign-in at a provider that leads to it. */
export async function invitationOf({ path, body }: Pick<CallContext, 'path' | 'body'>): Promise<unknown> {
  if (path === '/sign-up/email') return invited.safeParse(body).data?.invitation
  return (await getOAuthState())?.['invitation']
}

async function beforeSignIn(ctx: CallContext, attempts: PasswordAttempts): Promise<void> {
  rejectLongEmail(ctx.body)
  const email = credentials.safeParse(ctx.body).data?.email
  if (email === undefined) return
  const userId = (await ctx.context.internalAdapter.findUserByEmail(email))?.user.id ?? ''
  hashBefore.set(requestOf(ctx), await findPasswordHash(ctx, userId))
  const network = networkOfCall(ctx)
  await attempts.beginSignIn(requestOf(ctx), {
    email,
    network,
    device: await readDeviceCookie(ctx, email),
    isKnownNetwork: await hasSessionFrom(ctx, userId, network),
  })
}

/** Ends the new session if the password was replaced while the former one was verified. */
async function afterSignIn(ctx: CallContext): Promise<void> {
  const { newSession, internalAdapter } = ctx.context
  if (newSession && hashBefore.get(requestOf(ctx)) !== (await findPasswordHash(ctx, newSession.user.id))) {
    await internalAdapter.deleteSession(newSession.session.token)
    throw APIError.from('UNAUTHORIZED', BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD)
  }
  await setDeviceCookie(ctx, credentials.parse(ctx.body).email)
}

async function findPasswordHash(ctx: CallContext, userId: string): Promise<string | undefined> {
  return (await ctx.context.internalAdapter.findCredentialAccount(userId))?.password ?? undefined
}

/** Checks whether an account has a session from a network, in the same time without an account. */
async function hasSessionFrom(ctx: CallContext, userId: string, network: string): Promise<boolean> {
  const session = await ctx.context.adapter.findOne({
    model: 'session',
    where: [
      { field: 'userId', value: userId },
      { field: 'ipAddress', value: network },
    ],
  })
  return session !== null
}

async function beforeSignUp(ctx: CallContext, services: AccountCallServices): Promise<void> {
  const { secret, signUps } = services
  rejectLongEmail(ctx.body)
  // Before the check for an existing account, which reveals it.
  await requireSignUp(services, invited.safeParse(ctx.body).data?.invitation)
  const account = newAccount.safeParse(ctx.body).data
  if (!account) return
  parseName(account.name)
  rejectWeakPassword(account.password, account)
  // Limited, as each sign-up reveals whether an email has an account, or creates one.
  await signUps.consume(rateLimitKey(secret, networkOfCall(ctx)))
}

async function beforePasswordChange(ctx: CallContext, attempts: PasswordAttempts) {
  const { user, session } = await requireCaller(ctx)
  const change = newPassword.safeParse(ctx.body).data
  if (change) rejectWeakPassword(change.newPassword, user)
  await attempts.beginConfirmation(requestOf(ctx), session.id)
  // Sessions of others who know the old password must end.
  return { context: { body: { revokeOtherSessions: true } } }
}

async function beforeDeletion(ctx: CallContext, services: AccountCallServices): Promise<void> {
  const { session } = await requireCaller(ctx)
  const { password } = parseInput(deletion, ctx.body, 'Please enter your password, and nothing else.')
  parseInput(postsOfDeleted, ctx.query?.['posts'], '`posts` must be "keep" or "remove".')
  if (password !== undefined) return services.attempts.beginConfirmation(requestOf(ctx), session.id)
  // Without a password, better-auth would accept a session of the last day.
  if (await isConfirmedByProvider(services, session.id)) return
  throw badRequest('CONFIRMATION_NEEDED', 'Please enter your password, or sign in again with the provider.')
}

/** Records the language of a user who signs in, or whose session is read, as every page does. */
async function recordLanguage(ctx: CallContext, services: AccountCallServices): Promise<void> {
  const language = ctx.request?.headers.get(languageHeader)
  const { newSession, returned } = ctx.context
  const read = ctx.path === '/get-session' ? readSession.safeParse(returned).data : undefined
  const userId = newSession?.user.id ?? read?.user.id
  if (!services.config.mail || !language || userId === undefined) return
  try {
    await recordUserLanguage(services, userId, language)
  } catch (err) {
    // Mails are then in another language, which is no reason to reject the call.
    services.log.warn({ err }, 'the language of a user could not be recorded')
  }
}

function outcomeOf(errorCode: unknown): AttemptOutcome {
  if (errorCode === null) return 'right'
  return errorCode === 'INVALID_EMAIL_OR_PASSWORD' || errorCode === 'INVALID_PASSWORD' ? 'wrong' : 'void'
}

const invitationToken = z.string().min(1).max(200)

/**
 * Verifies that a user may create an account, by any way of signing in. Storing the returned id with the account uses the
 * invitation, see the trigger `invitation_used`.
 *
 * @param invitation token of an invitation as a client sent it; ignored if it is not valid and not needed
 * @returns id of the invitation; null without one
 * @throws APIError, which better-auth sends as response
 */
export async function requireSignUp(
  services: Pick<AccountCallServices, 'db' | 'now' | 'readOptions'>,
  invitation: unknown,
): Promise<string | null> {
  const { signUp: mode } = await services.readOptions(services.db)
  if (mode === 'closed') {
    throw badRequest('EMAIL_PASSWORD_SIGN_UP_DISABLED', 'Sign-up is closed on this site.')
  }
  const token = invitationToken.safeParse(invitation).data
  const found = token === undefined ? null : await findOpenInvitation(services, token)
  if (found) return found.id
  if (mode === 'open') return null
  throw token === undefined
    ? badRequest('INVITATION_MISSING', 'New accounts need an invitation.')
    : badRequest('INVITATION_INVALID', 'This invitation is not valid any more. Ask for another one.')
}

/** Adds `/sign-in-methods`, which lists how the user signs in, and `/disconnect-provider`. */
export function signInMethodsPlugin({ db, now, attempts, config }: AccountCallServices): BetterAuthPlugin {
  const { localSignIn, provider } = config.auth
  return {
    id: 'sign-in-methods',
    endpoints: {
      signInMethods: createAuthEndpoint(
        '/sign-in-methods',
        { method: 'GET', use: [sessionMiddleware] },
        async (ctx) => {
          const { session, user } = ctx.context.session
          const accounts = await ctx.context.internalAdapter.findAccounts(user.id)
          return ctx.json({
            hasPassword: accounts.some((account) => Boolean(account.password)),
            hasProvider: accounts.some((account) => account.providerId === providerId),
            isConfirmed: await isConfirmedByProvider({ db, now }, session.id),
          } satisfies SignInMethods)
        },
      ),
      disconnectProvider: createAuthEndpoint(
        '/disconnect-provider',
        {
          method: 'POST',
          use: [sessionMiddleware],
          body: z.strictObject({ password: z.string().min(1) }),
        },
        async (ctx) => {
          const { user } = ctx.context.session
          if (!localSignIn) {
            const message = 'This is the only way to sign in to this site.'
            throw new APIError('FORBIDDEN', { code: 'ONLY_SIGN_IN', message })
          }
          // It also shows that the provider is not the only way.
          await confirmPassword(ctx, attempts, ctx.context.session, ctx.body.password)
          const accounts = await ctx.context.internalAdapter.findAccounts(user.id)
          for (const account of accounts) {
            if (account.providerId === providerId) await ctx.context.internalAdapter.deleteAccount(account.id)
          }
          const providerName = provider?.name ?? providerId
          await inTransaction(db, (transaction) =>
            applyProviderRole({ db: transaction, now, providerName }, user.id, false),
          )
          return ctx.json({ success: true })
        },
      ),
    },
  }
}
