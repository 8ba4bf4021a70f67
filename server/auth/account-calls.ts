import { createHmac, randomUUID } from 'node:crypto'
import {
  APIError,
  createAuthMiddleware,
  getIP,
  getOAuthState,
  getSessionFromCtx,
  isAPIError,
} from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { emailTooLongMessage, isEmailTooLong } from '../../shared/account.ts'
import { passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
import { rateLimitKey } from '../rate-limits/rate-limiter.ts'
import type { AttemptOutcome, PasswordAttempts } from './password-attempts.ts'
import { isWeakPassword, type PasswordOwner } from './passwords.ts'
import { languageHeader } from '../access/authenticator.ts'
import type { AccountOptionsServices } from './account-services.ts'
import { isConfirmedByProvider } from './oidc/provider-sign-in.ts'

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
export function beforeAccountCall(services: AccountOptionsServices) {
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
        parseInput(newName, ctx.body, 'Only the name can be changed.')
        return undefined
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

async function beforeSignUp(ctx: CallContext, services: AccountOptionsServices): Promise<void> {
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

async function beforeDeletion(ctx: CallContext, services: AccountOptionsServices): Promise<void> {
  const { session } = await requireCaller(ctx)
  const { password } = parseInput(deletion, ctx.body, 'Please enter your password, and nothing else.')
  parseInput(postsOfDeleted, ctx.query?.['posts'], '`posts` must be "keep" or "remove".')
  if (password !== undefined) return services.attempts.beginConfirmation(requestOf(ctx), session.id)
  // Without a password, better-auth would accept a session of the last day.
  if (await isConfirmedByProvider(services, session.id)) return
  const message = 'Please enter your password, or sign in again with the provider.'
  throw badRequest('CONFIRMATION_NEEDED', message)
}

/** Counts password attempts and sets device cookies after a call. */
export function afterAccountCall(services: AccountOptionsServices) {
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
  { recordLanguage: record, log }: AccountOptionsServices,
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

export function requestOf({ request }: Pick<CallContext, 'request'>): Request {
  if (!request) throw new Error('Account calls are made by HTTP requests only.')
  return request
}

/** Parses an input. @throws APIError `BAD_INPUT` with the message */
export function parseInput<Output>(schema: z.ZodType<Output>, value: unknown, message: string): Output {
  const result = schema.safeParse(value)
  if (!result.success) throw badRequest('BAD_INPUT', message)
  return result.data
}

/**
 * Verifies the password of the caller before a change of how they sign in. Counts the attempt.
 *
 * @throws AppError `rate_limited`
 * @throws APIError `INVALID_PASSWORD`, also for an account without a password
 */
export async function confirmPassword(
  ctx: Pick<CallContext, 'context' | 'request'>,
  attempts: PasswordAttempts,
  { session, user }: { readonly session: { readonly id: string }; readonly user: { readonly id: string } },
  password: string,
): Promise<void> {
  const credential = await ctx.context.internalAdapter.findCredentialAccount(user.id)
  const isRight = await verifyPassword(ctx, attempts, session.id, { hash: credential?.password, password })
  if (!isRight) throw badRequest('INVALID_PASSWORD', 'Invalid password')
}

/** Counts an attempt to confirm a password within a session, and verifies it. @throws AppError `rate_limited` */
export async function verifyPassword(
  ctx: Pick<CallContext, 'context' | 'request'>,
  attempts: PasswordAttempts,
  sessionId: string,
  { hash, password }: { readonly hash: string | null | undefined; readonly password: string },
): Promise<boolean> {
  const request = requestOf(ctx)
  await attempts.beginConfirmation(request, sessionId)
  const isRight = Boolean(
    hash && password.length <= passwordMaxLength && (await ctx.context.password.verify({ hash, password })),
  )
  await attempts.end(request, isRight ? 'right' : 'wrong')
  return isRight
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

/** Creates a 400, as better-auth replaces the responses of some 403s. */
export function badRequest(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message })
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
  { readSignUp, findInvitation }: Pick<AccountOptionsServices, 'readSignUp' | 'findInvitation'>,
  invitation: unknown,
): Promise<string | null> {
  const mode = await readSignUp()
  if (mode === 'closed') {
    throw badRequest('EMAIL_PASSWORD_SIGN_UP_DISABLED', 'Sign-up is closed on this site.')
  }
  const token = invitationToken.safeParse(invitation).data
  const found = token === undefined ? null : await findInvitation(token)
  if (found) return found.id
  if (mode === 'open') return null
  throw token === undefined
    ? badRequest('INVITATION_MISSING', 'New accounts need an invitation.')
    : badRequest('INVITATION_INVALID', 'This invitation is not valid any more. Ask for another one.')
}

/**
 * Sets the cookie that identifies a browser that has signed in to this account. It grants nothing but a separate count of
 * password attempts. Each sign-in sets a new one.
 */
export async function setDeviceCookie(ctx: CallContext, email: string): Promise<void> {
  const { name, attributes, account } = deviceCookie(ctx, email)
  await ctx.setSignedCookie(name, `${account}.${randomUUID()}`, ctx.context.secret, attributes)
}

/** Deletes the device cookie of an account. */
export function deleteDeviceCookie(ctx: CallContext, email: string): void {
  const { name, attributes } = deviceCookie(ctx, email)
  ctx.setCookie(name, '', { ...attributes, maxAge: 0 })
}

/** Reads the id of a browser that has signed in to this account; null for any other. */
async function readDeviceCookie(ctx: CallContext, email: string): Promise<string | null> {
  const { name, account } = deviceCookie(ctx, email)
  const value = await ctx.getSignedCookie(name, ctx.context.secret)
  return value && value.startsWith(`${account}.`) ? value : null
}

/** One cookie per account, as a browser may have several users. The name does not reveal the email. */
function deviceCookie(ctx: CallContext, email: string) {
  const hash = createHmac('sha256', ctx.context.secret).update(`device of ${email}`).digest('hex')
  const account = hash.slice(0, 16)
  const yearInSeconds = 365 * 24 * 60 * 60
  const attributes = { maxAge: yearInSeconds, path: '/api/auth/sign-in' }
  return { account, ...ctx.context.createAuthCookie(`device_${account}`, attributes) }
}
