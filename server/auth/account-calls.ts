import {
  APIError,
  createAuthMiddleware,
  getIP,
  getOAuthState,
  getSessionFromCtx,
  isAPIError,
} from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import type { Logger } from 'pino'
import { z } from 'zod'
import { emailTooLongMessage, isEmailTooLong } from '../../shared/account.ts'
import { passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
import { type RateLimiter, rateLimitKey } from '../rate-limits/rate-limiter.ts'
import type { Database } from '../db/open-database.ts'
import { requireSignUp, type AccountCreationServices } from './account-creation.ts'
import { deleteDeviceCookie, readDeviceCookie, setDeviceCookie } from './device-cookie.ts'
import type { AttemptOutcome, PasswordAttempts } from './password-attempts.ts'
import { isWeakPassword, type PasswordOwner } from './passwords.ts'
import { languageHeader } from './request-headers.ts'
import { isConfirmedByProvider } from './sign-in-methods.ts'

/** Enabled paths below /api/auth. The other paths of better-auth are not used. */
export const openPaths: ReadonlySet<string> = new Set([
  '/sign-up/email',
  '/sign-in/email',
  '/sign-out',
  '/get-session',
  '/update-user',
  '/change-password',
  '/revoke-sessions',
  '/delete-user',
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/generate-authenticate-options',
  '/passkey/verify-authentication',
  '/sign-in-methods',
  '/disconnect-provider',
  '/sign-in/social',
  '/link-social',
  '/callback/oidc',
])

/** Paths that are refused if users sign in at the provider only. */
const localPaths: ReadonlySet<string> = new Set([
  '/sign-up/email',
  '/sign-in/email',
  '/passkey/generate-authenticate-options',
  '/passkey/verify-authentication',
])

/** A call of better-auth in a hook. */
export type CallContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

interface CallServices extends AccountCreationServices {
  readonly secret: string
  readonly signUps: RateLimiter
  readonly attempts: PasswordAttempts
  readonly recordLanguage: ((userId: string, language: string) => Promise<void>) | null
  readonly log: Logger
  readonly localSignIn: boolean
  readonly db: Database
  readonly now: () => number
}

const addressed = z.object({ email: z.string() })
/** Input for which better-auth verifies a password. It rejects any other input before. */
const credentials = z.object({ email: z.email().toLowerCase(), password: z.string().max(passwordMaxLength) })
const newAccount = z.object({ name: z.string(), email: z.string(), password: z.string() })
/** Token of the link by which a user signs up. */
const invited = z.object({ invitation: z.unknown() })
const newName = z.strictObject({ name: z.string() })
const readSession = z.object({ user: z.object({ id: z.string() }) })
const newPassword = z.object({ newPassword: z.string() })
const deletion = z.strictObject({ password: z.string().min(1).optional() })

/** Query parameter `posts` of an account deletion. */
export const postsOfDeleted = z.enum(['keep', 'remove']).default('keep')

/** Returns the token of an invitation that came with a sign-up, or with the sign-in at a provider that leads to it. */
export async function invitationOf({
  path,
  body,
}: {
  readonly path: string
  readonly body: unknown
}): Promise<unknown> {
  if (path === '/sign-up/email') return invited.safeParse(body).data?.invitation
  return (await getOAuthState())?.['invitation']
}

/** Validation that precedes better-auth's own. */
export function beforeAccountCall(services: CallServices) {
  const { attempts } = services
  return createAuthMiddleware(async (ctx) => {
    if (!services.localSignIn && localPaths.has(ctx.path)) {
      const message = 'Passwords are not used on this site.'
      throw new APIError('FORBIDDEN', { code: 'LOCAL_SIGN_IN_OFF', message })
    }
    switch (ctx.path) {
      case '/sign-in/email':
        return beforeSignIn(ctx, attempts)
      case '/sign-up/email':
        return beforeSignUp(ctx, services)
      case '/update-user':
        await requireCaller(ctx)
        return requireShape(newName, ctx.body, 'Only the name can be changed.')
      case '/change-password':
        return beforePasswordChange(ctx, attempts)
      case '/delete-user':
        return beforeDeletion(ctx, services)
      default:
        return undefined
    }
  })
}

async function beforeSignIn(ctx: CallContext, attempts: PasswordAttempts): Promise<void> {
  rejectLongEmail(ctx.body)
  const given = credentials.safeParse(ctx.body).data
  if (!given) return
  const { email } = given
  const network = networkOfCall(ctx)
  await attempts.beginSignIn(requestOf(ctx), {
    email,
    network,
    device: await readDeviceCookie(ctx, email),
    isKnownNetwork: await hasSessionFrom(ctx, email, network),
  })
}

/** Checks whether an account has a session from a network, in the same time for an email without an account. */
async function hasSessionFrom(ctx: CallContext, email: string, network: string): Promise<boolean> {
  const { adapter, internalAdapter } = ctx.context
  const found = await internalAdapter.findUserByEmail(email)
  const session = await adapter.findOne({
    model: 'session',
    where: [
      { field: 'userId', value: found?.user.id ?? '' },
      { field: 'ipAddress', value: network },
    ],
  })
  return session !== null
}

async function beforeSignUp(ctx: CallContext, services: CallServices): Promise<void> {
  const { secret, signUps } = services
  rejectLongEmail(ctx.body)
  // Before the check for an existing account, which reveals it.
  await requireSignUp(services, invited.safeParse(ctx.body).data?.invitation)
  const account = newAccount.safeParse(ctx.body).data
  if (!account) return
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

async function beforeDeletion(ctx: CallContext, services: CallServices): Promise<void> {
  const { session } = await requireCaller(ctx)
  requireShape(deletion, ctx.body, 'Please enter your password, and nothing else.')
  requireShape(postsOfDeleted, ctx.query?.['posts'], '`posts` must be "keep" or "remove".')
  const { password } = deletion.parse(ctx.body)
  if (password !== undefined) return services.attempts.beginConfirmation(requestOf(ctx), session.id)
  // Without a password, better-auth would accept a session of the last day.
  if (await isConfirmedByProvider(services, session.id)) return
  const message = 'Please enter your password, or sign in again with the provider.'
  throw badRequest('CONFIRMATION_NEEDED', message)
}

/** Counts password attempts and sets device cookies after a call. */
export function afterAccountCall(services: CallServices) {
  const { attempts } = services
  return createAuthMiddleware(async (ctx) => {
    const { returned, internalAdapter } = ctx.context
    const errorCode = isAPIError(returned) ? returned.body?.['code'] : null
    // Calls of the server itself have no request, and no password attempt.
    if (ctx.request) await attempts.end(ctx.request, outcomeOf(errorCode))
    if (errorCode === null) await afterSuccess(ctx)
    await recordLanguage(ctx, services)
    if (ctx.path === '/sign-up/email' && errorCode === 'FAILED_TO_CREATE_USER') {
      // Two concurrent sign-ups: neither found the account before both created it.
      const { email } = newAccount.parse(ctx.body)
      if (await internalAdapter.findUserByEmail(email.toLowerCase())) throw alreadyExists()
      // Or both had the last use of an invitation.
      await requireSignUp(services, invited.parse(ctx.body).invitation)
    }
  })
}

/** Records the language of a user who signs in, or whose session is read, as every page does. */
async function recordLanguage(
  ctx: CallContext,
  { recordLanguage: record, log }: CallServices,
): Promise<void> {
  const language = ctx.request?.headers.get(languageHeader)
  const { newSession, returned } = ctx.context
  const read = ctx.path === '/get-session' ? readSession.safeParse(returned).data : undefined
  const userId = newSession?.user.id ?? read?.user.id
  if (!record || !language || userId === undefined) return
  try {
    await record(userId, language)
  } catch (err) {
    // Mails are then in another language, which is no reason to reject the call.
    log.warn({ err }, 'the language of a user could not be recorded')
  }
}

async function afterSuccess(ctx: CallContext): Promise<void> {
  const caller = ctx.context.session?.user
  switch (ctx.path) {
    case '/sign-in/email':
      return setDeviceCookie(ctx, credentials.parse(ctx.body).email)
    case '/revoke-sessions':
      deleteSessionCookie(ctx)
      return caller && deleteDeviceCookie(ctx, caller.email)
    case '/delete-user':
      return caller && deleteDeviceCookie(ctx, caller.email)
    default:
      return undefined
  }
}

function outcomeOf(errorCode: unknown): AttemptOutcome {
  if (errorCode === null) return 'right'
  return errorCode === 'INVALID_EMAIL_OR_PASSWORD' || errorCode === 'INVALID_PASSWORD' ? 'wrong' : 'void'
}

function alreadyExists(): APIError {
  return APIError.from('UNPROCESSABLE_ENTITY', {
    code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
    message: 'User already exists. Use another email.',
  })
}

/** Verifies the session before any input is validated. */
export async function requireCaller(ctx: CallContext) {
  const caller = await getSessionFromCtx(ctx, { disableRefresh: true })
  if (caller) return caller
  throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'Please sign in first.' })
}

/** Network address of the caller, or its IPv6 /64, in the form that better-auth stores with sessions. */
export function networkOfCall(ctx: CallContext): string {
  return getIP(requestOf(ctx), ctx.context.options) ?? 'unknown'
}

export function requestOf({ request }: CallContext): Request {
  if (!request) throw new Error('Account calls are made by HTTP requests only.')
  return request
}

export function requireShape(shape: z.ZodType, value: unknown, message: string): void {
  if (!shape.safeParse(value).success) throw badRequest('BAD_INPUT', message)
}

export function rejectLongEmail(body: unknown): void {
  const call = addressed.safeParse(body).data
  if (call && isEmailTooLong(call.email)) throw badRequest('EMAIL_TOO_LONG', emailTooLongMessage)
}

export function rejectWeakPassword(password: string, owner: PasswordOwner): void {
  // better-auth checks the length.
  if (password.length < passwordMinLength || password.length > passwordMaxLength) return
  if (!isWeakPassword(password, owner)) return
  throw badRequest('PASSWORD_TOO_WEAK', 'This password is too easy to guess. Choose another one.')
}

export function badRequest(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message })
}
