import { setTimeout as delay } from 'node:timers/promises'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import { z } from 'zod'
import { passwordMaxLength } from '../../shared/limits.ts'
import { pagePaths } from '../../shared/routes.ts'
import { confirmationLinkHours, resetLinkMinutes, withToken } from '../../shared/mailed-links.ts'
import { queueMail, type MailMessage } from '../mail/mail-queue.ts'
import { AppError } from '../errors/app-error.ts'
import { rateLimitKey, type RateLimiter } from '../rate-limits/rate-limiter.ts'
import {
  badRequest,
  networkOfCall,
  rejectLongEmail,
  rejectWeakPassword,
  requestOf,
  requireCaller,
  parseInput,
  verifyPassword,
  deleteDeviceCookie,
  setDeviceCookie,
  type CallContext,
} from './account-calls.ts'
import { accountName, type AccountOptionsServices } from './account-services.ts'
import { languageHeader } from '../access/authenticator.ts'
import { revokeAccess } from './local-administration.ts'
import { systemClock } from '../time/clock.ts'

/** Paths below /api/auth that are enabled on a site that sends mails. */
const mailPaths: ReadonlySet<string> = new Set([
  '/request-password-reset',
  '/reset-password',
  '/send-verification-email',
  '/verify-email',
  '/change-email',
])

/** Calls whose duration must not reveal whether an email has an account. `/send-verification-email` ensures that itself. */
const concealedPaths: ReadonlySet<string> = new Set([
  '/request-password-reset',
  '/change-email',
  '/sign-up/email',
])

/** Longer than these calls take. */
const concealedMs = 500

interface MailCallServices extends Pick<
  AccountOptionsServices,
  'db' | 'log' | 'now' | 'secret' | 'attempts' | 'requireVerifiedEmail'
> {
  /** Returns the origin of links in mails that a request causes; null if it is not certain. */
  readonly linkOrigin: (headers: Headers) => string | null
  /** Requests of one kind from a network, whether a link is sent or not. */
  readonly requestsOfNetwork: RateLimiter
  /** Requests of one kind from a network for one email, whether it has an account or not. */
  readonly requestsForEmail: RateLimiter
  /** Mails of one kind to one recipient, whatever network requests them. */
  readonly mails: RateLimiter
}

export interface User {
  readonly id: string
  readonly email: string
}

const addressed = z.strictObject({ email: z.string() })
const newAccount = z.object({ name: z.string(), email: z.string() })
const reset = z.strictObject({ token: z.string().min(1), newPassword: z.string() })
const emailChange = z.strictObject({
  newEmail: z.string(),
  password: z.string().max(passwordMaxLength).optional(),
})

const verification = z.strictObject({ token: z.string().min(1) })

/** `updateTo` replaces the email. */
const verificationClaims = z.object({ email: z.string(), updateTo: z.string().optional() })

const emailOnly = 'Please enter your email, and nothing else.'

/** Calls that send mails, or that the links of mails lead to: their mails, and what precedes and follows them. */
export class MailCalls {
  readonly #services: MailCallServices
  /** Users of calls that reset a password, and whether they had one. */
  readonly #resets = new WeakMap<Request, { readonly user: User; readonly hadPassword: boolean }>()
  /** Changes that calls confirm, with the user as before. */
  readonly #changes = new WeakMap<Request, { readonly user: User; readonly newEmail: string }>()

  constructor(services: MailCallServices) {
    this.#services = services
  }

  /** Options of better-auth that send mails. */
  get options() {
    return {
      emailAndPassword: {
        requireEmailVerification: this.#services.requireVerifiedEmail,
        resetPasswordTokenExpiresIn: resetLinkMinutes * 60,
        revokeSessionsOnPasswordReset: true,
        sendResetPassword: ({ user, token }: { user: User; token: string }, request?: Request) =>
          this.#sendLink(user, request, pagePaths.resetPassword, (link) => ({
            kind: 'password-reset',
            url: withToken(link, token),
            expiresInMinutes: resetLinkMinutes,
          })),
        // Only if verification is required: otherwise the page says that the account exists.
        onExistingUserSignUp: ({ user }: { user: User }, request?: Request) =>
          this.#sendLink(user, request, pagePaths.resetPassword, (url) => ({
            kind: 'existing-account',
            url,
          })),
      },
      emailVerification: {
        sendOnSignUp: true,
        expiresIn: confirmationLinkHours * 60 * 60,
        sendVerificationEmail: async ({ user, token }: { user: User; token: string }, request?: Request) => {
          const claims = await this.#claimsOf(token)
          await this.#sendLink(user, request, pagePaths.verifyEmail, (link) => ({
            kind: claims?.updateTo === undefined ? 'email-verification' : 'email-change',
            url: withToken(link, token),
            expiresInMinutes: confirmationLinkHours * 60,
          }))
        },
      },
      // A reader of the database, or of a backup of it, can't use a link.
      verification: { storeIdentifier: { default: 'plain', overrides: { 'reset-password': 'hashed' } } },
    } as const
  }

  /** Checks whether a path below /api/auth is enabled because the site sends mails. */
  isOpen(path: string, method: string): boolean {
    return mailPaths.has(path) && method === 'POST'
  }

  /** Makes a call of better-auth, such that its response does not reveal whether an email has an account. */
  async handle(
    path: string,
    request: Request,
    call: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    if (path === '/verify-email') return call(await verificationOf(request))
    const isSignUp = path === '/sign-up/email'
    if (!concealedPaths.has(path) || (isSignUp && !this.#services.requireVerifiedEmail)) return call(request)
    return withMinimumDuration(concealedMs, async () => {
      const second = isSignUp ? request.clone() : null
      const response = await call(request)
      // Another sign-up with the same email was faster. Now the account exists.
      return second && response.status === 422 ? call(second) : response
    })
  }

  /** Hooks of better-auth, which run after the site's own. */
  get plugin() {
    return {
      id: 'account-mails',
      hooks: {
        before: [{ matcher: () => true, handler: createAuthMiddleware((ctx) => this.#before(ctx)) }],
        after: [
          {
            matcher: ({ context }) => !isAPIError(context.returned),
            handler: createAuthMiddleware((ctx) => this.#afterSuccess(ctx)),
          },
        ],
      },
    } satisfies BetterAuthPlugin
  }

  /** Validates a call before better-auth does. */
  async #before(ctx: CallContext) {
    switch (ctx.path) {
      case '/request-password-reset':
        return this.#beforeResetRequest(ctx)
      case '/reset-password':
        return this.#beforeReset(ctx)
      case '/send-verification-email':
        return this.#limit(ctx, parseInput(addressed, ctx.body, emailOnly).email)
      case '/verify-email':
        return this.#beforeVerification(ctx)
      case '/change-email':
        return this.#beforeChange(ctx)
      case '/sign-up/email':
        return this.#beforeSignUp(ctx)
      default:
        return undefined
    }
  }

  /** Validates a sign-up, which sends a link. What is invalid must be so for an email with an account too. */
  async #beforeSignUp(ctx: CallContext): Promise<void> {
    const account = newAccount.safeParse(ctx.body).data
    if (!account) return
    accountName(account.name)
    if (this.#services.requireVerifiedEmail) this.#requireLinks(ctx)
  }

  /** Does what follows a successful call. */
  async #afterSuccess(ctx: CallContext) {
    switch (ctx.path) {
      case '/request-password-reset':
        return ctx.json(sameAnswer)
      case '/sign-up/email':
        // A made-up account would differ from a new one.
        return this.#services.requireVerifiedEmail ? ctx.json({ token: null }) : undefined
      case '/reset-password':
        return this.#afterReset(ctx)
      case '/change-password':
        return ctx.context.session && this.#afterNewPassword(ctx, ctx.context.session.user)
      case '/verify-email':
        return this.#afterVerification(ctx)
      default:
        return undefined
    }
  }

  /**
   * Counts a request for a link. Requests from other networks do not count, so that strangers cannot lock out the owner of
   * an email.
   *
   * @throws APIError if links cannot be sent, AppError `rate_limited`
   */
  async #limit(ctx: CallContext, email: string): Promise<void> {
    rejectLongEmail({ email })
    this.#requireLinks(ctx)
    const { secret, requestsOfNetwork, requestsForEmail } = this.#services
    const network = networkOfCall(ctx)
    await requestsOfNetwork.consume(rateLimitKey(secret, ctx.path, network))
    await requestsForEmail.consume(rateLimitKey(secret, ctx.path, network, email.toLowerCase()))
  }

  /** @throws APIError if links cannot be sent */
  #requireLinks(ctx: CallContext): void {
    if (this.#services.linkOrigin(requestOf(ctx).headers) !== null) return
    throw new APIError('SERVICE_UNAVAILABLE', {
      code: 'NO_PUBLIC_URL',
      message: 'No link can be sent: the operator of this site has to set PUBLIC_URL.',
    })
  }

  async #beforeResetRequest(ctx: CallContext) {
    const { email } = parseInput(addressed, ctx.body, emailOnly)
    await this.#limit(ctx, email)
    const found = await ctx.context.internalAdapter.findUserByEmail(email, { includeAccounts: true })
    const hasPassword = found?.accounts.some(({ providerId }) => providerId === 'credential')
    // The email of an account without a password may be another user's, who must not get in by it.
    if (found && !hasPassword && !found.user.emailVerified) return ctx.json(sameAnswer)
    return undefined
  }

  async #beforeReset(ctx: CallContext): Promise<void> {
    const { token, newPassword } = parseInput(reset, ctx.body, 'Please enter a new password.')
    const { internalAdapter } = ctx.context
    const found = await internalAdapter.findVerificationValue(`reset-password:${token}`)
    const user = found && (await internalAdapter.findUserById(found.value))
    if (!user) return
    rejectWeakPassword(newPassword, user)
    const former = await internalAdapter.findCredentialAccount(user.id)
    this.#resets.set(requestOf(ctx), { user, hadPassword: Boolean(former?.password) })
  }

  async #afterReset(ctx: CallContext): Promise<void> {
    const known = this.#resets.get(requestOf(ctx))
    if (!known) return
    const { user, hadPassword } = known
    await revokeAccess(this.#services, user.id, { isConnectionKept: !hadPassword })
    // The link was sent to this email.
    await ctx.context.internalAdapter.updateUser(user.id, { emailVerified: true })
    await this.#afterNewPassword(ctx, user)
  }

  async #afterNewPassword(ctx: CallContext, user: User): Promise<void> {
    await deleteResetLinks(ctx, user.id)
    await this.#send(user, ctx.request, { kind: 'password-changed' })
  }

  async #beforeVerification(ctx: CallContext): Promise<void> {
    const claims = await this.#claimsOf(ctx.query?.['token'])
    if (claims?.updateTo === undefined) return
    // better-auth would sign in anyone who opens the link, also the owner of an address with a typing error.
    const { user } = await requireCaller(ctx)
    if (user.email !== claims.email) throw badRequest('INVALID_USER', 'This link is for another account.')
    if (await ctx.context.internalAdapter.findUserByEmail(claims.updateTo)) {
      throw badRequest('EMAIL_TAKEN', 'Another account has this email by now.')
    }
    this.#changes.set(requestOf(ctx), { user, newEmail: claims.updateTo })
  }

  async #afterVerification(ctx: CallContext): Promise<void> {
    const change = this.#changes.get(requestOf(ctx))
    if (!change) return
    const { user, newEmail } = change
    // They were sent to the former email.
    await deleteResetLinks(ctx, user.id)
    deleteDeviceCookie(ctx, user.email)
    await setDeviceCookie(ctx, newEmail)
    await this.#send(user, ctx.request, { kind: 'email-changed' })
  }

  async #beforeChange(ctx: CallContext): Promise<void> {
    const { user, session } = await requireCaller(ctx)
    const onlyThese = 'Please enter a new email and your password, and nothing else.'
    const { newEmail, password = '' } = parseInput(emailChange, ctx.body, onlyThese)
    rejectLongEmail({ email: newEmail })
    const account = await ctx.context.internalAdapter.findCredentialAccount(user.id)
    const hash = account?.password
    if (hash) {
      const isRight = await verifyPassword(ctx, this.#services.attempts, session.id, { hash, password })
      if (!isRight) throw badRequest('INVALID_PASSWORD', 'Invalid password.')
    } else if (systemClock() - session.createdAt.getTime() > ctx.context.sessionConfig.freshAge * 1_000) {
      // A fresh session stands for the password of an account that has none.
      throw badRequest('SESSION_NOT_FRESH', 'Please sign in again first.')
    }
    if (newEmail.toLowerCase() === user.email) {
      throw badRequest('EMAIL_UNCHANGED', 'This is already the email of your account.')
    }
    await this.#limit(ctx, newEmail)
  }

  /** Reads the claims of a token that verifies an email; null if it is not valid. */
  async #claimsOf(token: unknown) {
    const claims = typeof token === 'string' ? await verifyJWT(token, this.#services.secret) : null
    return verificationClaims.safeParse(claims).data ?? null
  }

  /**
   * Sends a link unless the recipient got several within the hour, which are still valid. The response does not reveal it, as an
   * email without an account gets no mail to count.
   */
  async #sendLink(
    user: User,
    request: Request | undefined,
    path: string,
    messageWith: (url: string) => MailMessage,
  ): Promise<void> {
    const origin = request ? this.#services.linkOrigin(request.headers) : null
    if (origin === null) return
    const message = messageWith(origin + path)
    // A link that verifies an email is valid for any account with it; other links belong to one account.
    const account = message.kind === 'email-verification' ? '' : user.id
    const { secret, mails, log } = this.#services
    if (await mails.tryConsume(rateLimitKey(secret, message.kind, user.email, account))) {
      await this.#send(user, request, message)
    } else {
      log.warn(
        { userId: user.id, kind: message.kind },
        'a mail was not sent: its recipient got several within the hour',
      )
    }
  }

  async #send(user: User, request: Request | undefined, message: MailMessage): Promise<void> {
    const language = request?.headers.get(languageHeader) ?? null
    await queueMail(this.#services.db, { to: user.email, userId: user.id, language, message })
  }
}

/**
 * Translates the call that verifies an email. better-auth has it as GET with the token in the query, where it would be
 * logged, and where opening a link would be enough.
 *
 * @throws AppError `bad_input`
 */
async function verificationOf(request: Request): Promise<Request> {
  const { data } = verification.safeParse(await request.json())
  if (!data) throw new AppError('bad_input', '`token` must be a string.')
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length']) headers.delete(name)
  return new Request(`${request.url.split('?')[0]}?${new URLSearchParams(data).toString()}`, { headers })
}

/** Response to a request for a link, which does not reveal whether one is sent. */
const sameAnswer = { status: true }

/** Invalidates the links to reset a user's password. */
async function deleteResetLinks(ctx: CallContext, userId: string): Promise<void> {
  await ctx.context.adapter.deleteMany({
    model: 'verification',
    where: [{ field: 'value', value: userId }],
  })
}

/**
 * Runs work in at least a fixed time, so that its duration does not reveal what it did. The time must be longer than the
 * work takes.
 */
async function withMinimumDuration<Result>(
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = delay(milliseconds)
  try {
    return await work()
  } finally {
    await end
  }
}
