import { createHmac, randomUUID } from 'node:crypto'
import { APIError, type createAuthMiddleware, getIP, getSessionFromCtx } from 'better-auth/api'
import { z } from 'zod'
import { emailTooLongMessage, isEmailTooLong } from '../../shared/account.ts'
import { errors } from '../../shared/errors.ts'
import { nameLimit, passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
import type { PasswordAttempts, PasswordLimits } from './password-attempts.ts'
import { isWeakPassword, type PasswordOwner } from './passwords.ts'
import type { BetterAuthOptions } from 'better-auth'
import type { Logger } from 'pino'
import { exceededLimit } from '../../shared/text-length.ts'
import type { DeleteAccountData } from '../access/authenticator.ts'
import type { LocalAuthConfig } from '../config/auth-section.ts'
import type { Config } from '../config/config.ts'
import type { UserServices } from '../access/user-access.ts'
import type { Counters, RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { ReadSiteOptions } from '../site/site-options.ts'
import { cleanText } from '../text/clean-text.ts'
import type { ProviderSignIn } from './oidc/provider-sign-in.ts'

export type PasswordHashing = Required<NonNullable<BetterAuthOptions['emailAndPassword']>>['password']

export interface LocalAccountServices extends UserServices {
  readonly log: Logger
  readonly counters: Counters
  readonly config: Pick<Config, 'siteName' | 'publicOrigin' | 'proxyHops' | 'mail'> & {
    readonly auth: LocalAuthConfig
  }
  /** Key that signs sessions. */
  readonly secret: string
  readonly readOptions: ReadSiteOptions
  readonly forget: DeleteAccountData
  /** The default limits if undefined. */
  readonly passwordLimits?: PasswordLimits | undefined
  /** The scrypt of better-auth if undefined. */
  readonly passwordHashing?: PasswordHashing | undefined
  /** Duration of calls that must not reveal whether an email has an account; the default if undefined. */
  readonly concealedMs?: number | undefined
}

export interface AccountCallServices extends LocalAccountServices {
  readonly attempts: PasswordAttempts
  readonly signUps: RateLimiter
  readonly providerSignIn: ProviderSignIn | null
}

/** A call of better-auth in a hook. */
export type CallContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** What the site adds to a call of better-auth. */
export interface AccountCall {
  /** Handles the request, of which `call` makes the call. */
  readonly wrap?: (request: Request, call: (request: Request) => Promise<Response>) => Promise<Response>
  /** Validates the call before better-auth does. @returns changes of the call, or a response in place of it */
  readonly before?: (ctx: CallContext) => unknown
  /** Follows a successful call. @returns another response */
  readonly after?: (ctx: CallContext) => unknown
}

/** Calls by their paths below /api/auth. Paths of better-auth that are not among them do not exist. */
export type AccountCalls = Readonly<Record<string, AccountCall>>

const withEmail = z.object({ email: z.string() })

export const notSignedIn = { code: 'UNAUTHORIZED', message: errors.not_signed_in.message }

/** Verifies the session before any input is validated. */
export async function requireCaller(ctx: CallContext) {
  const caller = await getSessionFromCtx(ctx, { disableRefresh: true })
  if (caller) return caller
  throw new APIError('UNAUTHORIZED', notSignedIn)
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
  const request = requestOf(ctx)
  const hash = (await ctx.context.internalAdapter.findCredentialAccount(user.id))?.password
  await attempts.beginConfirmation(request, session.id)
  const isRight = Boolean(
    hash && password.length <= passwordMaxLength && (await ctx.context.password.verify({ hash, password })),
  )
  await attempts.end(request, isRight ? 'right' : 'wrong')
  if (!isRight) throw badRequest('INVALID_PASSWORD', 'Invalid password')
}

export function rejectLongEmail(body: unknown): void {
  const call = withEmail.safeParse(body).data
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

/**
 * Sets the cookie that identifies a browser that has signed in to this account. It grants nothing but a separate count of
 * password attempts. Each sign-in sets a new one.
 */
export async function setDeviceCookie(ctx: CallContext, email: string): Promise<void> {
  const { name, attributes, account } = deviceCookie(ctx, email)
  await ctx.setSignedCookie(name, `${account}.${randomUUID()}`, ctx.context.secret, attributes)
}

export function deleteDeviceCookie(ctx: CallContext, email: string): void {
  const { name, attributes } = deviceCookie(ctx, email)
  ctx.setCookie(name, '', { ...attributes, maxAge: 0 })
}

/** Reads the id of a browser that has signed in to this account; null for any other. */
export async function readDeviceCookie(ctx: CallContext, email: string): Promise<string | null> {
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

/** Cleans the name of an account or a passkey. @throws APIError, which better-auth sends as response */
export function parseName(name: string, missing = 'Please enter your name'): string {
  // Shortened before, as cleaning is slow for long texts.
  const cleaned = cleanText(name.slice(0, nameLimit.codeUnits + 1))
  if (cleaned === '') throw badRequest('NAME_MISSING', missing)
  const exceeded = exceededLimit(cleaned, nameLimit)
  if (exceeded) {
    const message =
      exceeded === 'characters'
        ? `A name may have at most ${nameLimit.characters} characters`
        : `A name may have at most ${nameLimit.codeUnits} UTF-16 code units; emoji take several each`
    throw badRequest('NAME_TOO_LONG', message)
  }
  return cleaned
}
