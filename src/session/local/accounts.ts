import { createAuthClient } from 'better-auth/client'
import { passwordMinLength } from '../../../shared/limits.ts'

const accounts = createAuthClient()

/** Why the server would not sign somebody in or up: a sentence for them, and the field it is about. */
export interface AccountFailure {
  readonly field: 'email' | 'password' | null
  readonly message: string
}

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Signs a person in; resolves to null on success. */
export async function signIn(credentials: Credentials): Promise<AccountFailure | null> {
  return settle(accounts.signIn.email({ ...credentials }))
}

/** Makes an account and signs its person in; resolves to null on success. */
export async function signUp(
  account: Credentials & { readonly name: string },
): Promise<AccountFailure | null> {
  return settle(accounts.signUp.email({ ...account }))
}

/** Ends the session. Throws where the server could not be told. */
export async function signOut(): Promise<void> {
  const { error } = await accounts.signOut()
  if (error) throw new Error('The server did not end the session', { cause: error })
}

interface AuthError {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly status: number
}

async function settle(call: Promise<{ error: AuthError | null }>): Promise<AccountFailure | null> {
  try {
    const { error } = await call
    return error && describe(error)
  } catch {
    return { field: null, message: 'The server could not be reached. Check your connection and try again.' }
  }
}

function describe({ code, message, status }: AuthError): AccountFailure {
  if (status === 429) return { field: null, message: 'Too many attempts. Try again in a few seconds.' }
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return { field: null, message: 'This email and password do not belong together. Check both.' }
    case 'USER_ALREADY_EXISTS':
    case 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL':
      return { field: 'email', message: 'There is already an account with this email.' }
    case 'INVALID_EMAIL':
      return { field: 'email', message: 'This does not look like an email address.' }
    case 'PASSWORD_TOO_SHORT':
      return { field: 'password', message: `Use at least ${passwordMinLength} characters.` }
    case 'PASSWORD_TOO_LONG':
      return { field: 'password', message: 'This password is too long. Use at most 128 characters.' }
    default:
      return { field: null, message: message ?? 'Something went wrong on the server. Try again.' }
  }
}
