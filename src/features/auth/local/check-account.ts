import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isEmailTooLong } from '../../../../shared/account.ts'
import {
  emailLocalPartMaxLength,
  emailMaxLength,
  nameLimit,
  passwordMaxLength,
  passwordMinLength,
} from '../../../../shared/limits.ts'
import { exceededLimit } from '../../../../shared/text-length.ts'
import type { FieldErrors } from '../../../ui/form.tsx'
import type { AccountMode } from './sign-in-dialog.tsx'

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
