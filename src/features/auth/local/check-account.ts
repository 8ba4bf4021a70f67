import { emailTooLongMessage, isEmailTooLong } from '../../../../shared/account.ts'
import { nameLimit, passwordMaxLength, passwordMinLength } from '../../../../shared/limits.ts'
import { exceededLimit } from '../../../../shared/text-length.ts'
import type { FieldErrors } from '../../../ui/form.tsx'
import type { AccountMode } from './sign-in-dialog.tsx'

/** Validates the fields on the client. */
export function checkAccount(
  account: { readonly name: string; readonly email: string; readonly password: string },
  mode: AccountMode,
): FieldErrors<'name' | 'email' | 'password'> {
  const isNew = mode === 'sign-up'
  return withoutNull({
    name: isNew ? nameError(account.name) : null,
    email: emailError(account.email),
    // Existing accounts may predate the rules for new passwords.
    password: isNew ? newPasswordError(account.password) : passwordError(account.password),
  })
}

/** Drops fields without an error. */
export function withoutNull<Field extends string>(found: Record<Field, string | null>): FieldErrors<Field> {
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== null)) as FieldErrors<Field>
}

/** Validates a name; null if it is valid. */
export function nameError(name: string): string | null {
  if (!name) return 'Enter your name.'
  switch (exceededLimit(name, nameLimit)) {
    case null:
      return null
    case 'characters':
      return `Use at most ${nameLimit.characters} characters.`
    case 'codeUnits':
      return 'This name is too long: emoji count several times. Use fewer of them.'
  }
}

/** Validates an existing password; null if it is valid. */
export function passwordError(password: string): string | null {
  return password ? null : 'Enter your password.'
}

/** Validates a new password; null if it is valid. */
export function newPasswordError(password: string): string | null {
  if (!password) return 'Choose a password.'
  if (password.length < passwordMinLength) return `Use at least ${passwordMinLength} characters.`
  if (password.length > passwordMaxLength) return `Use at most ${passwordMaxLength} characters.`
  return null
}

function emailError(email: string): string | null {
  if (!email) return 'Enter your email.'
  if (isEmailTooLong(email)) return emailTooLongMessage
  return /^\S+@\S+$/.test(email) ? null : 'This does not look like an email address.'
}
