import { APIError, type createAuthMiddleware } from 'better-auth/api'
import { passwordMaxLength } from '../../shared/limits.ts'
import type { PasswordAttempts } from './password-attempts.ts'

type CallContext = Pick<Parameters<Parameters<typeof createAuthMiddleware>[0]>[0], 'context' | 'request'>

/**
 * Verifies the password of the signed-in user before a change of how they sign in. Counts the attempt.
 *
 * @throws AppError `rate_limited`
 * @throws APIError `INVALID_PASSWORD`, also for an account without a password
 */
export async function confirmPassword(
  { context, request }: CallContext,
  attempts: PasswordAttempts,
  { session, user }: { readonly session: { readonly id: string }; readonly user: { readonly id: string } },
  password: string,
): Promise<void> {
  if (!request) throw new Error('Passwords are confirmed by HTTP requests only.')
  await attempts.beginConfirmation(request, session.id)
  const credential = await context.internalAdapter.findCredentialAccount(user.id)
  const hash = credential?.password
  const isRight =
    hash && password.length <= passwordMaxLength && (await context.password.verify({ hash, password }))
  await attempts.end(request, isRight ? 'right' : 'wrong')
  if (isRight) return
  throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: 'Invalid password' })
}
