import type { I18n } from '@lingui/core'
import { createAuthClient } from 'better-auth/client'
import type { PostsOfDeleted } from '../../../../shared/account.ts'
import { describeAccountError, unreachable } from './account-failure.ts'
import type { AccountError, AccountFailure } from './account-failure.ts'

export const accounts = createAuthClient()

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Name and email of an account. */
export interface Profile {
  readonly name: string
  readonly email: string
}

/** Signs a user in. Resolves to null on success and to a message in the language of `i18n` otherwise, like the other calls. */
export async function signIn(credentials: Credentials, i18n: I18n): Promise<AccountFailure | null> {
  return settle(accounts.signIn.email({ ...credentials }), i18n)
}

/** Creates an account and signs its user in. @param invitation token of the link that led here, '' without one */
export async function signUp(
  account: Credentials & { readonly name: string },
  invitation: string,
  i18n: I18n,
): Promise<AccountFailure | null> {
  const body = { ...account, ...(invitation && { invitation }) }
  return settle(accounts.signUp.email(body), i18n)
}

/** Ends the session. @throws Error if the server did not confirm it */
export async function signOut(): Promise<void> {
  const { error } = await accounts.signOut()
  if (error) throw new Error('could not end the session', { cause: error })
}

/** Reads the account of the signed-in user; null if signed out. @throws Error if the server does not answer */
export async function readProfile(): Promise<Profile | null> {
  const { data, error } = await accounts.getSession()
  if (error) throw new Error('could not read the session', { cause: error })
  return data && { name: data.user.name, email: data.user.email }
}

/** Changes the name used for new posts. */
export async function changeName(name: string, i18n: I18n): Promise<AccountFailure | null> {
  return settle(accounts.updateUser({ name }), i18n)
}

/** Changes the password and ends every other session. */
export async function changePassword(
  passwords: { readonly currentPassword: string; readonly newPassword: string },
  i18n: I18n,
): Promise<AccountFailure | null> {
  return settle(accounts.changePassword({ ...passwords, revokeOtherSessions: true }), i18n)
}

/** Ends every session, including the current one. */
export async function signOutEverywhere(i18n: I18n): Promise<AccountFailure | null> {
  return settle(accounts.revokeSessions(), i18n)
}

/** Deletes the account. */
export async function deleteAccount(
  { password, posts }: { readonly password: string; readonly posts: PostsOfDeleted },
  i18n: I18n,
): Promise<AccountFailure | null> {
  const failure = await settle(accounts.deleteUser({ password, fetchOptions: { query: { posts } } }), i18n)
  // The deletion form has a single password field.
  return failure?.field === 'password' ? { ...failure, field: 'currentPassword' } : failure
}

/** Resolves to null if a call succeeded, and to a message otherwise. */
export async function settle(
  call: Promise<{ error: AccountError | null }>,
  i18n: I18n,
): Promise<AccountFailure | null> {
  try {
    const { error } = await call
    return error && describeAccountError(error, i18n)
  } catch {
    return unreachable(i18n)
  }
}
