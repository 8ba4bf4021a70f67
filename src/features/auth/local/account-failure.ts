import { emailTooLongMessage } from '../../../../shared/account.ts'
import { nameLimit, passwordMaxLength, passwordMinLength } from '../../../../shared/limits.ts'
import type { FormError } from '../../../ui/form.tsx'

/** An error of an account call: a message for the user, and the field that it concerns. */
export interface AccountFailure extends FormError {
  readonly field: 'name' | 'email' | 'currentPassword' | 'password' | null
  /** The session has ended. */
  readonly needsSignIn: boolean
}

/** An unsuccessful response of the account API. */
export interface AccountError {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly status: number
}

/** The server sent no response. */
export const unreachable: AccountFailure = about(
  null,
  'The server could not be reached. Check your connection and try again.',
)

/** Describes an unsuccessful response. */
export function describeAccountError({ code, message, status }: AccountError): AccountFailure {
  if (status === 429) return about(null, message ?? 'Too many attempts. Try again in a minute.')
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return about(null, 'This email and password do not belong together. Check both.')
    case 'USER_ALREADY_EXISTS':
    case 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL':
      return about('email', 'There is already an account with this email.')
    case 'EMAIL_TOO_LONG':
      return about('email', emailTooLongMessage)
    case 'INVALID_EMAIL':
      return about('email', 'This does not look like an email address.')
    case 'VALIDATION_ERROR':
      // Email is the only field that the server validates more strictly than the form.
      return message?.includes('email')
        ? about('email', 'This does not look like an email address.')
        : about(null, 'The server did not understand this. Reload the page and try again.')
    case 'NAME_MISSING':
      return about('name', 'Enter your name.')
    case 'NAME_TOO_LONG':
      return about('name', `Use at most ${nameLimit.characters} characters.`)
    case 'INVALID_PASSWORD':
      return about('currentPassword', 'This is not your password.')
    case 'PASSWORD_TOO_SHORT':
      return about('password', `Use at least ${passwordMinLength} characters.`)
    case 'PASSWORD_TOO_LONG':
      return about('password', `This password is too long. Use at most ${passwordMaxLength} characters.`)
    case 'PASSWORD_TOO_WEAK':
      return about('password', message ?? 'This password is too easy to guess. Choose another one.')
    case 'EMAIL_PASSWORD_SIGN_UP_DISABLED':
      return about(null, 'Sign-up is closed on this site.')
    case 'SESSION_EXPIRED':
    case 'SESSION_NOT_FRESH':
      return signedOut
  }
  if (status === 401) return signedOut
  if (status >= 500 || !message) return about(null, 'Something went wrong on the server. Try again.')
  return about(null, message)
}

const signedOut: AccountFailure = {
  field: null,
  message: 'You are signed out. Sign in again to continue; what you typed stays here.',
  needsSignIn: true,
}

function about(field: AccountFailure['field'], message: string): AccountFailure {
  return { field, message, needsSignIn: false }
}
