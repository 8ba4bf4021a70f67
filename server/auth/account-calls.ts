import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
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

const newAccount = z.object({ name: z.string(), email: z.string(), password: z.string() })
const newName = z.strictObject({ name: z.string() })
const newPassword = z.object({ newPassword: z.string() })
const deletion = z.strictObject({ password: z.string().min(1) })

/** What becomes of the posts of a deleted account, as the address of the call says it. */
export const postsOfDeleted = z.enum(['keep', 'remove']).default('keep')

/** What a call has to fulfil before better-auth sees it; the rest of a bad call better-auth refuses itself. */
export function beforeAccountCall({ signUp }: { readonly signUp: 'open' | 'closed' }) {
  return createAuthMiddleware(async (ctx) => {
    switch (ctx.path) {
      case '/sign-up/email':
        return beforeSignUp(ctx.body, signUp)
      case '/update-user':
        await requireCaller(ctx)
        return requireShape(newName, ctx.body, 'Only the name can be changed.')
      case '/change-password':
        return beforePasswordChange(ctx.body, await requireCaller(ctx))
      case '/delete-user':
        await requireCaller(ctx)
        return beforeDeletion(ctx.body, ctx.query)
      default:
        return undefined
    }
  })
}

function beforeSignUp(body: unknown, signUp: 'open' | 'closed'): void {
  if (signUp === 'closed') {
    throw refusal('EMAIL_PASSWORD_SIGN_UP_DISABLED', 'This site takes no new accounts.')
  }
  const account = newAccount.safeParse(body).data
  if (account) refuseWeakPassword(account.password, account)
}

function beforePasswordChange(body: unknown, caller: PasswordOwner) {
  const change = newPassword.safeParse(body).data
  if (change) refuseWeakPassword(change.newPassword, caller)
  // Whoever knows the old password must not stay signed in by it.
  return { context: { body: { revokeOtherSessions: true } } }
}

function beforeDeletion(body: unknown, query: Record<string, unknown> | undefined): void {
  // Without a password better-auth would believe a session that is fresh.
  requireShape(deletion, body, 'Please enter your password, and nothing else.')
  requireShape(postsOfDeleted, query?.['posts'], 'The posts can be kept or removed.')
}

/** What better-auth leaves undone after a call. */
export const afterAccountCall = createAuthMiddleware(async (ctx) => {
  const { returned, internalAdapter } = ctx.context
  const refused = isAPIError(returned) ? returned.body?.['code'] : null
  if (ctx.path === '/revoke-sessions' && refused === null) deleteSessionCookie(ctx)
  if (ctx.path === '/sign-up/email' && refused === 'FAILED_TO_CREATE_USER') {
    // The button was pressed twice: neither call found the account that both were about to make.
    const { email } = newAccount.parse(ctx.body)
    if (await internalAdapter.findUserByEmail(email.toLowerCase())) throw alreadyExists()
  }
})

function alreadyExists(): APIError {
  return APIError.from('UNPROCESSABLE_ENTITY', {
    code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
    message: 'User already exists. Use another email.',
  })
}

/** Who calls; asked before anything else is looked at. */
async function requireCaller(ctx: Parameters<typeof getSessionFromCtx>[0]): Promise<PasswordOwner> {
  const session = await getSessionFromCtx(ctx, { disableRefresh: true })
  if (session) return session.user
  throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'Please sign in first.' })
}

function requireShape(shape: z.ZodType, value: unknown, sentence: string): void {
  if (!shape.safeParse(value).success) throw refusal('BAD_INPUT', sentence)
}

function refuseWeakPassword(password: string, owner: PasswordOwner): void {
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
