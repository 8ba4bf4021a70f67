import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isEmailTooLong } from '../../../../shared/account.ts'
import type { ErrorDetail } from '../../../../shared/error-details.ts'
import {
  emailLocalPartMaxLength,
  emailMaxLength,
  nameLimit,
  passwordMaxLength,
  passwordMinLength,
} from '../../../../shared/limits.ts'
import { exceededLimit } from '../../../../shared/text-length.ts'
import { detailMessage } from '../../../api/failure-messages.ts'
import type { FieldErrors } from '../../../ui/form.tsx'
import type { AccountFailure } from '../call-failure.tsx'
import type { AccountMode } from './sign-in-dialog.tsx'

/** An unsuccessful response of the account API. */
export interface AccountError {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly detail?: ErrorDetail | undefined
  readonly status: number
}

/** Describes an unsuccessful response. */
export function describeAccountError(error: AccountError, i18n: I18n): AccountFailure {
  const { field, message, needsSignIn = false } = explain(error, i18n)
  return {
    field,
    message: typeof message === 'string' ? message : i18n._(message),
    needsSignIn,
    code: error.code,
  }
}

/** Checks whether a mailed link was rejected, so that another one helps. */
export function isLinkInvalid(failure: AccountFailure | null): boolean {
  return failure !== null && ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_NOT_FOUND'].includes(failure.code ?? '')
}

interface Explanation {
  readonly field: AccountFailure['field']
  /** A string if it is translated, or one of the server without a translation. */
  readonly message: MessageDescriptor | string
  readonly needsSignIn?: boolean
}

function explain({ code, message, detail, status }: AccountError, i18n: I18n): Explanation {
  if (status === 429) {
    const wait = detail && detailMessage(detail, i18n)
    return about(null, wait ?? msg`Too many attempts. Try again in a minute.`)
  }
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return about(null, msg`This email and password do not belong together. Check both.`)
    case 'USER_ALREADY_EXISTS':
    case 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL':
      return about('email', msg`There is already an account with this email.`)
    case 'EMAIL_NOT_VERIFIED':
      return about(null, msg`Confirm your email first: open the link that we sent to it.`)
    case 'EMAIL_ALREADY_VERIFIED':
      return about(null, msg`Your email is confirmed already. Reload the page.`)
    case 'NO_PUBLIC_URL':
      return about(
        null,
        msg`This site can’t send links yet: its address is not configured. Ask its operator for help.`,
      )
    case 'EMAIL_UNCHANGED':
      return about('email', msg`This is already the email of your account.`)
    case 'EMAIL_TAKEN':
      return about(null, msg`Another account has this email by now.`)
    case 'INVALID_TOKEN':
    case 'TOKEN_EXPIRED':
    case 'USER_NOT_FOUND':
      return about(null, msg`This link is no longer valid. Request a new one.`)
    case 'INVALID_USER':
      return about(null, msg`This link is for another account. Sign in to that one, and open the link again.`)
    case 'EMAIL_TOO_LONG':
      return about('email', emailTooLong)
    case 'INVALID_EMAIL':
      return about('email', notAnEmail)
    case 'VALIDATION_ERROR':
      // Email is the only field that the server validates more strictly than the form.
      return message?.includes('email')
        ? about('email', notAnEmail)
        : about(null, msg`The server did not understand this. Reload the page and try again.`)
    case 'NAME_MISSING':
      return about('name', msg`Enter your name.`)
    case 'NAME_TOO_LONG':
      return about('name', msg`Use at most ${nameLimit.characters} characters.`)
    case 'INVALID_PASSWORD':
      return about('currentPassword', msg`This is not your password.`)
    case 'PASSWORD_TOO_SHORT':
      return about('password', msg`Use at least ${passwordMinLength} characters.`)
    case 'PASSWORD_TOO_LONG':
      return about('password', msg`This password is too long. Use at most ${passwordMaxLength} characters.`)
    case 'PASSWORD_TOO_WEAK':
      return about('password', msg`This password is too easy to guess. Choose another one.`)
    case 'EMAIL_PASSWORD_SIGN_UP_DISABLED':
      return about(null, msg`Sign-up is closed on this site.`)
    case 'INVITATION_MISSING':
      return about(null, msg`To create an account you need an invitation.`)
    case 'INVITATION_INVALID':
      return about(null, msg`This invitation is not valid any more. Ask for another one.`)
    case 'ACCOUNT_BLOCKED':
      return about(null, msg`An administrator has blocked this account.`)
    case 'PREVIOUSLY_REGISTERED':
      return about(null, msg`This passkey is in use already. Add another one.`)
    case 'USER_VERIFICATION_MISSING':
      return about(null, msg`Confirm with your fingerprint, face or PIN, and try again.`)
    case 'PASSKEY_NOT_FOUND':
      return about(null, msg`This site does not know this passkey. Sign in another way.`)
    case 'CHALLENGE_NOT_FOUND':
      return about(null, msg`This took too long, or another tab was faster. Try again.`)
    case 'AUTHENTICATION_FAILED':
      return about(null, msg`The passkey could not be verified. Try again.`)
    case 'SESSION_NOT_FRESH':
      return {
        field: null,
        message: msg`To confirm that it is you, sign in again. What you typed stays here.`,
        needsSignIn: true,
      }
    case 'CONFIRMATION_NEEDED':
      return about(null, msg`That took too long. Confirm once more that it is you.`)
    case 'PROVIDER_UNAVAILABLE':
      return about(null, msg`This sign-in is not available right now. Try again later.`)
    case 'SESSION_EXPIRED':
      return signedOut
  }
  if (status === 401) return signedOut
  if (detail) return about(null, detailMessage(detail, i18n) ?? message ?? '')
  if (status >= 500 || !message) return about(null, msg`Something went wrong on the server. Try again.`)
  return about(null, message)
}

const signedOut: Explanation = {
  field: null,
  message: msg`You are signed out. Sign in again to continue; what you typed stays here.`,
  needsSignIn: true,
}

function about(field: Explanation['field'], message: Explanation['message']): Explanation {
  return { field, message }
}

/** Validates the fields on the client. */
export function checkAccount(
  account: { readonly name: string; readonly email: string; readonly password: string },
  mode: AccountMode,
  i18n: I18n,
): FieldErrors<'name' | 'email' | 'password'> {
  const isNew = mode === 'sign-up'
  return fieldErrors(
    {
      name: isNew ? nameError(account.name) : null,
      email: emailError(account.email),
      // Existing accounts may predate the rules for new passwords.
      password: isNew ? newPasswordError(account.password) : passwordError(account.password),
    },
    i18n,
  )
}

/** Drops fields without an error, and translates the errors of the others. */
export function fieldErrors<Field extends string>(
  found: Record<Field, MessageDescriptor | null>,
  i18n: I18n,
): FieldErrors<Field> {
  return Object.fromEntries(
    Object.entries<MessageDescriptor | null>(found).flatMap(([field, error]) =>
      error ? [[field, i18n._(error)]] : [],
    ),
  ) as FieldErrors<Field>
}

export const emailTooLong = msg`An email address has at most ${emailMaxLength} characters, ${emailLocalPartMaxLength} of them before the @.`

export const notAnEmail = msg`This does not look like an email address.`

/** Validates a name; null if it is valid. */
export function nameError(name: string): MessageDescriptor | null {
  return name ? nameTooLong(name) : msg`Enter your name.`
}

/** Validates the length of a name; null if it is valid. */
export function nameTooLong(name: string): MessageDescriptor | null {
  switch (exceededLimit(name, nameLimit)) {
    case null:
      return null
    case 'characters':
      return msg`Use at most ${nameLimit.characters} characters.`
    case 'codeUnits':
      return msg`This name is too long: emoji count several times. Use fewer of them.`
  }
}

/** Validates an existing password; null if it is valid. */
export function passwordError(password: string): MessageDescriptor | null {
  return password ? null : msg`Enter your password.`
}

/** Validates a new password; null if it is valid. */
export function newPasswordError(password: string): MessageDescriptor | null {
  if (!password) return msg`Choose a password.`
  if (password.length < passwordMinLength) return msg`Use at least ${passwordMinLength} characters.`
  if (password.length > passwordMaxLength) return msg`Use at most ${passwordMaxLength} characters.`
  return null
}

/** Validates an email; null if it is valid. */
export function emailError(email: string): MessageDescriptor | null {
  if (!email) return msg`Enter your email.`
  if (isEmailTooLong(email)) return emailTooLong
  return /^\S+@\S+$/.test(email) ? null : notAnEmail
}
