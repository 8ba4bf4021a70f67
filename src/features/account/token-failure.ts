import { describeFailure } from '../../api/failure.ts'
import { unreachable } from '../auth/local/account-failure.ts'
import type { AccountFailure } from '../auth/local/account-failure.ts'

/** Tells in words why a call about tokens failed, beside the name where that is at fault. */
export function tokenFailure(error: unknown): AccountFailure {
  const { kind, reason, message } = describeFailure(error)
  if (kind === 'unreachable') return unreachable
  if (reason === 'not_signed_in') {
    return { field: null, message: 'You are signed out. Sign in again to go on.', needsSignIn: true }
  }
  return {
    field: reason === 'bad_input' ? 'name' : null,
    message: message ?? 'Something went wrong on the server. Try again.',
    needsSignIn: false,
  }
}
