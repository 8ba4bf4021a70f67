import { setTimeout as delay } from 'node:timers/promises'
import { APIError } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import { z } from 'zod'
import { passwordMaxLength } from '../../shared/limits.ts'
import { confirmationLinkHours, resetLinkMinutes, withToken } from '../../shared/mailed-links.ts'
import { pagePaths } from '../../shared/routes.ts'
import { languageHeader } from '../access/authenticator.ts'
import { trustedOrigin } from '../config/site-origin.ts'
import { AppError } from '../errors/app-error.ts'
import { queueMail, type AccountMessage } from '../mail/mail-queue.ts'
import { createRateLimiter, rateLimitKey } from '../rate-limits/rate-limiter.ts'
import { systemClock } from '../time/clock.ts'
import {
  type AccountCall,
  type AccountCalls,
  type AccountCallServices,
  badRequest,
  type CallContext,
  confirmPassword,
  deleteDeviceCookie,
  networkOfCall,
  parseInput,
  rejectLongEmail,
  rejectWeakPassword,
  requestOf,
  requireCaller,
  setDeviceCookie,
} from './call-context.ts'
import { revokeAccess } from './local-administration.ts'

export interface User {
  readonly id: string
  readonly email: string
}

const reset = z.strictObject({ token: z.string().min(1), newPassword: z.string() })
const emailChange = z.strictObject({
  newEmail: z.string(),
  password: z.string().max(passwordMaxLength).optional(),
})
const verification = z.strictObject({ token: z.string().min(1) })

const verificationClaims = z.object({ email: z.string(), updateTo: z.string().optional() })

/** Response to a request for a link, which does not reveal whether one is sent. */
const sameAnswer = { status: true }

/** Longer than calls take that must not reveal whether an email has an account. */
const usualConcealedMs = 500

/** Users who reset their password, and whether they had one before the call. */
const beforeCall = new WeakMap<Request, { readonly user: User; readonly hadPassword: boolean }>()

/** Calls and options of better-auth of a site that sends mails about accounts: the mails, and calls to which their links lead. */
export function mailedAccounts(services: AccountCallServices, calls: AccountCalls) {
  const limiter = (limit: number, name: string) =>
    createRateLimiter(limit, 60 * 60, 'links', services.counters(name))
  // Requests of one kind from a network, and for one email from it, whether a link is sent or not.
  const requestsOfNetwork = limiter(20, 'links-of-network')
  const requestsForEmail = limiter(5, 'links-for-email')
  // Mails of one kind to one recipient, whatever network requests them.
  const mails = limiter(5, 'linked-mails')
  const { config, db, log, secret, concealedMs = usualConcealedMs } = services
  const { requireVerifiedEmail } = config.auth
  /** Takes a fixed time at least, longer than the call, so that its duration does not reveal what it did. */
  const conceal: Required<AccountCall>['wrap'] = async (request, call) => {
    const end = delay(concealedMs)
    try {
      return await call(request)
    } finally {
      await end
    }
  }
  const mailCalls: AccountCalls = {
    ...calls,
    '/request-password-reset': {
      wrap: conceal,
      before: beforeResetRequest,
      after: (ctx) => ctx.json(sameAnswer),
    },
    '/reset-password': { before: beforeReset, after: afterReset },
    // better-auth conceals its duration itself.
    '/send-verification-email': {
      before: (ctx) => limitLinks(ctx, addressOf(ctx)),
    },
    '/verify-email': {
      async wrap(request, call) {
        const verifying = await verificationOf(request)
        return call(verifying).catch((error: unknown) => {
          // Another account got the same email meanwhile: a second call says so.
          if (/unique constraint/i.test(String(error))) return call(verifying)
          throw error
        })
      },
      before: beforeVerification,
      after: afterVerification,
    },
    '/change-email': { wrap: conceal, before: beforeChange },
    '/change-password': {
      ...calls['/change-password'],
      async after(ctx) {
        await calls['/change-password']?.after?.(ctx)
        if (ctx.context.session) await afterNewPassword(ctx, ctx.context.session.user)
      },
    },
    ...(requireVerifiedEmail && {
      '/sign-up/email': {
        wrap: (request, call) =>
          conceal(request, async (first) => {
            const second = first.clone()
            const response = await call(first)
            // Another sign-up with the same email was faster. Now the account exists.
            return response.status === 422 ? call(second) : response
          }),
        async before(ctx) {
          await calls['/sign-up/email']?.before?.(ctx)
          requireLinks(ctx)
        },
        // A made-up account would differ from a new one.
        after: (ctx) => ctx.json({ token: null }),
      },
    }),
  }

  const options = {
    emailAndPassword: {
      requireEmailVerification: requireVerifiedEmail,
      resetPasswordTokenExpiresIn: resetLinkMinutes * 60,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }: { user: User; token: string }, request?: Request) =>
        sendLink(user, request, {
          kind: 'password-reset',
          url: withToken(pagePaths.resetPassword, token),
          expiresInMinutes: resetLinkMinutes,
        }),
      // Only if verification is required: otherwise the page says that the account exists.
      onExistingUserSignUp: ({ user }: { user: User }, request?: Request) =>
        sendLink(user, request, { kind: 'existing-account', url: pagePaths.resetPassword }),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: confirmationLinkHours * 60 * 60,
      sendVerificationEmail: async ({ user, token }: { user: User; token: string }, request?: Request) => {
        const isChange = (await claimsOf(token))?.updateTo !== undefined
        await sendLink(user, request, {
          kind: isChange ? 'email-change' : 'email-verification',
          url: withToken(pagePaths.verifyEmail, token),
          expiresInMinutes: confirmationLinkHours * 60,
        })
      },
    },
    // A reader of the database, or of a backup of it, can't use a link.
    verification: { storeIdentifier: { default: 'plain', overrides: { 'reset-password': 'hashed' } } },
  } as const

  /**
   * Counts a request for a link. Requests from other networks do not count, so that strangers cannot lock out the owner of
   * an email.
   *
   * @throws APIError if links cannot be sent, AppError `rate_limited`
   */
  async function limitLinks(ctx: CallContext, email: string): Promise<void> {
    rejectLongEmail({ email })
    requireLinks(ctx)
    const network = networkOfCall(ctx)
    await requestsOfNetwork.consume(rateLimitKey(secret, ctx.path, network))
    await requestsForEmail.consume(rateLimitKey(secret, ctx.path, network, email.toLowerCase()))
  }

  /** @throws APIError if links cannot be sent */
  function requireLinks(ctx: CallContext): void {
    if (trustedOrigin(config, requestOf(ctx).headers) !== null) return
    throw new APIError('SERVICE_UNAVAILABLE', {
      code: 'NO_PUBLIC_URL',
      message: 'No link can be sent: the operator of this site has to set PUBLIC_URL.',
    })
  }

  async function beforeResetRequest(ctx: CallContext) {
    const email = addressOf(ctx)
    await limitLinks(ctx, email)
    const found = await ctx.context.internalAdapter.findUserByEmail(email, { includeAccounts: true })
    const hasPassword = found?.accounts.some(({ providerId }) => providerId === 'credential')
    // The email of an account without a password may be another user's, who must not get in by it.
    return found && !hasPassword && !found.user.emailVerified ? ctx.json(sameAnswer) : undefined
  }

  async function afterReset(ctx: CallContext): Promise<void> {
    const before = beforeCall.get(requestOf(ctx))
    if (!before) return
    const { user, hadPassword } = before
    await revokeAccess(services, user.id, { isConnectionKept: !hadPassword })
    // The link was sent to this email.
    await ctx.context.internalAdapter.updateUser(user.id, { emailVerified: true })
    await afterNewPassword(ctx, user)
  }

  async function afterNewPassword(ctx: CallContext, user: User): Promise<void> {
    await deleteResetLinks(ctx, user.id)
    await send(user, ctx.request, { kind: 'password-changed' })
  }

  async function beforeVerification(ctx: CallContext): Promise<void> {
    const claims = await claimsOf(ctx.query?.['token'])
    if (claims?.updateTo === undefined) return
    // better-auth would sign in anyone who opens the link, also the owner of an address with a typing error.
    const { user } = await requireCaller(ctx)
    if (user.email !== claims.email) throw badRequest('INVALID_USER', 'This link is for another account.')
    if (await ctx.context.internalAdapter.findUserByEmail(claims.updateTo)) {
      throw badRequest('EMAIL_TAKEN', 'Another account has this email by now.')
    }
  }

  async function afterVerification(ctx: CallContext): Promise<void> {
    // Only a change has a session in its response. The one that was read before has the former email.
    const { session, newSession } = ctx.context
    if (!session || !newSession) return
    const { user } = session
    await deleteResetLinks(ctx, user.id)
    deleteDeviceCookie(ctx, user.email)
    await setDeviceCookie(ctx, newSession.user.email)
    await send(user, ctx.request, { kind: 'email-changed' })
  }

  async function beforeChange(ctx: CallContext): Promise<void> {
    const { user, session } = await requireCaller(ctx)
    const onlyThese = 'Please enter a new email and your password, and nothing else.'
    const { newEmail, password = '' } = parseInput(emailChange, ctx.body, onlyThese)
    rejectLongEmail({ email: newEmail })
    if ((await ctx.context.internalAdapter.findCredentialAccount(user.id))?.password) {
      await confirmPassword(ctx, services.attempts, { session, user }, password)
    } else if (systemClock() - session.createdAt.getTime() > ctx.context.sessionConfig.freshAge * 1_000) {
      // A fresh session stands for the password of an account that has none.
      throw badRequest('SESSION_NOT_FRESH', 'Please sign in again first.')
    }
    if (newEmail.toLowerCase() === user.email) {
      throw badRequest('EMAIL_UNCHANGED', 'This is already the email of your account.')
    }
    await limitLinks(ctx, newEmail)
  }

  /** Reads the claims of a token that verifies an email; null if it is not valid. */
  async function claimsOf(token: unknown) {
    const claims = typeof token === 'string' ? await verifyJWT(token, secret) : null
    return verificationClaims.safeParse(claims).data ?? null
  }

  /**
   * Sends a link unless the recipient got several within the hour, which are still valid. The response does not reveal it, as an
   * email without an account gets no mail to count.
   *
   * @param message its `url` is a path
   */
  async function sendLink(
    user: User,
    request: Request | undefined,
    message: Extract<AccountMessage, { readonly url: string }>,
  ): Promise<void> {
    const origin = request ? trustedOrigin(config, request.headers) : null
    if (origin === null) return
    const { kind } = message
    // A link that verifies an email is valid for any account with it; other links belong to one account.
    const account = kind === 'email-verification' ? '' : user.id
    if (await mails.tryConsume(rateLimitKey(secret, kind, user.email, account))) {
      return send(user, request, { ...message, url: origin + message.url })
    }
    log.warn({ userId: user.id, kind }, 'a mail was not sent: its recipient got several within the hour')
  }

  async function send(user: User, request: Request | undefined, message: AccountMessage): Promise<void> {
    const language = request?.headers.get(languageHeader) ?? null
    await queueMail(db, { to: user.email, userId: user.id, language, message })
  }

  return { calls: mailCalls, options }
}

function addressOf({ body }: CallContext): string {
  const message = 'Please enter your email, and nothing else.'
  return parseInput(z.strictObject({ email: z.string() }), body, message).email
}

async function beforeReset(ctx: CallContext): Promise<void> {
  const { token, newPassword } = parseInput(reset, ctx.body, 'Please enter a new password.')
  const { internalAdapter } = ctx.context
  const found = await internalAdapter.findVerificationValue(`reset-password:${token}`)
  const user = found && (await internalAdapter.findUserById(found.value))
  if (!user) return
  rejectWeakPassword(newPassword, user)
  const former = await internalAdapter.findCredentialAccount(user.id)
  beforeCall.set(requestOf(ctx), { user, hadPassword: Boolean(former?.password) })
}

/**
 * Translates the call that verifies an email. better-auth has it as GET with the token in the query, where it would be
 * logged, and where opening a link would be enough.
 *
 * @throws AppError `bad_input`, `not_found` for a request by GET
 */
async function verificationOf(request: Request): Promise<Request> {
  if (request.method !== 'POST') throw new AppError('not_found')
  const { data } = verification.safeParse(await request.json())
  if (!data) throw new AppError('bad_input', '`token` must be a string.')
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length']) headers.delete(name)
  return new Request(`${request.url.split('?')[0]}?${new URLSearchParams(data).toString()}`, { headers })
}

async function deleteResetLinks(ctx: CallContext, userId: string): Promise<void> {
  await ctx.context.adapter.deleteMany({
    model: 'verification',
    where: [{ field: 'value', value: userId }],
  })
}
