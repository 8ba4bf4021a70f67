import { APIError, createAuthMiddleware, getIP, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { emailTooLongMessage, isEmailTooLong } from '../../shared/account.ts'
import { passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
import { rateLimitKey } from '../rate-limits/attempt-limiter.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { deleteDeviceCookie, readDeviceCookie, setDeviceCookie } from './device-cookie.ts'
import type { AttemptOutcome, PasswordAttempts } from './password-attempts.ts'
import { isWeakPassword, type PasswordOwner } from './weak-password.ts'

/** Paths below /api/auth that answer; better-auth has more, which nothing here needs. */
export const openPaths: ReadonlySet<string> = new Set([
  '/sign-up/email',
  '/sign-in/email',
  '/sign-out',
  '/get-session',
  '/update-user',
  '/change-password',
  '/revoke-sessions',
  '/delete-user',
])

type CallContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

interface CallServices {
  readonly secret: string
  readonly signUp: 'open' | 'closed'
  readonly signUps: RateLimiter
  readonly attempts: PasswordAttempts
}

const addressed = z.object({ email: z.string() })
/** What better-auth compares with a hash; anything else it refuses before. */
const credentials = z.object({ email: z.email().toLowerCase(), password: z.string().max(passwordMaxLength) })
const newAccount = z.object({ name: z.string(), email: z.string(), password: z.string() })
const newName = z.strictObject({ name: z.string() })
const newPassword = z.object({ newPassword: z.string() })
const deletion = z.strictObject({ password: z.string().min(1) })

/** What becomes of the posts of a deleted account, as the address of the call says it. */
export const postsOfDeleted = z.enum(['keep', 'remove']).default('keep')

/** What a call has to fulfil before better-auth sees it; the rest of a bad call better-auth refuses itself. */
export function beforeAccountCall(services: CallServices) {
  const { attempts } = services
  return createAuthMiddleware(async (ctx) => {
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
        return beforeDeletion(ctx, attempts)
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

/** Whether an account has a session that began on a network; costs the same for an address without an account. */
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

async function beforeSignUp(ctx: CallContext, { secret, signUp, signUps }: CallServices): Promise<void> {
  rejectLongEmail(ctx.body)
  if (signUp === 'closed') {
    throw refusal('EMAIL_PASSWORD_SIGN_UP_DISABLED', 'This site takes no new accounts.')
  }
  const account = newAccount.safeParse(ctx.body).data
  if (!account) return
  rejectWeakPassword(account.password, account)
  // Each sign-up tells whether an address has an account, and creates one if it has none.
  await signUps.consume(rateLimitKey(secret, networkOfCall(ctx)))
}

async function beforePasswordChange(ctx: CallContext, attempts: PasswordAttempts) {
  const { user, session } = await requireCaller(ctx)
  const change = newPassword.safeParse(ctx.body).data
  if (change) rejectWeakPassword(change.newPassword, user)
  await attempts.beginConfirmation(requestOf(ctx), session.id)
  // Whoever knows the old password must not stay signed in by it.
  return { context: { body: { revokeOtherSessions: true } } }
}

async function beforeDeletion(ctx: CallContext, attempts: PasswordAttempts): Promise<void> {
  const { session } = await requireCaller(ctx)
  // Without a password better-auth would believe a session that is fresh.
  requireShape(deletion, ctx.body, 'Please enter your password, and nothing else.')
  requireShape(postsOfDeleted, ctx.query?.['posts'], 'The posts can be kept or removed.')
  await attempts.beginConfirmation(requestOf(ctx), session.id)
}

/** What better-auth leaves undone after a call. */
export function afterAccountCall({ attempts }: CallServices) {
  return createAuthMiddleware(async (ctx) => {
    const { returned, internalAdapter } = ctx.context
    const refused = isAPIError(returned) ? returned.body?.['code'] : null
    // The server's own calls have no request, and try no password.
    if (ctx.request) await attempts.end(ctx.request, outcomeOf(refused))
    if (refused === null) await afterSuccess(ctx)
    if (ctx.path === '/sign-up/email' && refused === 'FAILED_TO_CREATE_USER') {
      // The button was pressed twice: neither call found the account that both were about to make.
      const { email } = newAccount.parse(ctx.body)
      if (await internalAdapter.findUserByEmail(email.toLowerCase())) throw alreadyExists()
    }
  })
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

function outcomeOf(refused: unknown): AttemptOutcome {
  if (refused === null) return 'right'
  return refused === 'INVALID_EMAIL_OR_PASSWORD' || refused === 'INVALID_PASSWORD' ? 'wrong' : 'void'
}

function alreadyExists(): APIError {
  return APIError.from('UNPROCESSABLE_ENTITY', {
    code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
    message: 'User already exists. Use another email.',
  })
}

/** Who calls; asked before anything else is looked at. */
async function requireCaller(ctx: CallContext) {
  const caller = await getSessionFromCtx(ctx, { disableRefresh: true })
  if (caller) return caller
  throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'Please sign in first.' })
}

/** The caller's address, or its /64, as better-auth keeps it with sessions. */
function networkOfCall(ctx: CallContext): string {
  return getIP(requestOf(ctx), ctx.context.options) ?? 'unknown'
}

function requestOf({ request }: CallContext): Request {
  if (!request) throw new Error('Account calls are made by HTTP requests only.')
  return request
}

function requireShape(shape: z.ZodType, value: unknown, sentence: string): void {
  if (!shape.safeParse(value).success) throw refusal('BAD_INPUT', sentence)
}

function rejectLongEmail(body: unknown): void {
  const call = addressed.safeParse(body).data
  if (call && isEmailTooLong(call.email)) throw refusal('EMAIL_TOO_LONG', emailTooLongMessage)
}

function rejectWeakPassword(password: string, owner: PasswordOwner): void {
  // Lengths are better-auth's to judge, and what is far too long is not looked at.
  if (password.length < passwordMinLength || password.length > passwordMaxLength) return
  if (!isWeakPassword(password, owner)) return
  throw refusal(
    'PASSWORD_TOO_WEAK',
    'This password is one of the first that anybody would try. Please choose another.',
  )
}

function refusal(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message })
}
