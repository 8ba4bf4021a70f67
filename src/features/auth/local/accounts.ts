import { createAuthClient } from 'better-auth/client'
import type { PostsOfDeleted } from '../../../../shared/account.ts'
import { describeAccountError, unreachable } from './account-failure.ts'
import type { AccountError, AccountFailure } from './account-failure.ts'

const accounts = createAuthClient()

interface Credentials {
  readonly email: string
  readonly password: string
}

/** What a user's own account says of them. */
export interface Profile {
  readonly name: string
  readonly email: string
}

/** Signs a user in; resolves to null on success, as all of these do. */
export async function signIn(credentials: Credentials): Promise<AccountFailure | null> {
  return settle(accounts.signIn.email({ ...credentials }))
}

/** Makes an account and signs its user in. */
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

/** The account of the user signed in; null where nobody is. Throws where the server does not say. */
export async function readProfile(): Promise<Profile | null> {
  const { data, error } = await accounts.getSession()
  if (error) throw new Error('The server did not say whose session it is', { cause: error })
  return data && { name: data.user.name, email: data.user.email }
}

/** Changes the name that new posts are signed with. */
export async function changeName(name: string): Promise<AccountFailure | null> {
  return settle(accounts.updateUser({ name }))
}

/** Changes the password, and ends every session but this one. */
export async function changePassword(passwords: {
  readonly currentPassword: string
  readonly newPassword: string
}): Promise<AccountFailure | null> {
  return settle(accounts.changePassword({ ...passwords, revokeOtherSessions: true }))
}

/** Ends every session, this one too. */
export async function signOutEverywhere(): Promise<AccountFailure | null> {
  return settle(accounts.revokeSessions())
}

/** Deletes the account, and with it what `posts` says. */
export async function deleteAccount(wish: {
  readonly password: string
  readonly posts: PostsOfDeleted
}): Promise<AccountFailure | null> {
  const { password, posts } = wish
  const failure = await settle(accounts.deleteUser({ password, fetchOptions: { query: { posts } } }))
  // There is but one password here: the one that the user has.
  return failure?.field === 'password' ? { ...failure, field: 'currentPassword' } : failure
}

async function settle(call: Promise<{ error: AccountError | null }>): Promise<AccountFailure | null> {
  try {
    const { error } = await call
    return error && describeAccountError(error)
  } catch {
    return unreachable
  }
}
