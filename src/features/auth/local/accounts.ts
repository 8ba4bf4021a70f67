import type { I18n } from '@lingui/core'
import { createAuthClient } from 'better-auth/client'
import type { PostsOfDeleted } from '../../../../shared/account.ts'
import type { SignInMethods } from '../../../../shared/provider-sign-in.ts'
import { unreachable, type AccountFailure } from '../call-failure.tsx'
import { describeAccountError, type AccountError } from './account-errors.ts'

export const accounts = createAuthClient()

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Name and email of an account. */
export interface Profile {
  readonly name: string
  readonly email: string
  /** True once the user has opened a link that was sent to the email. */
  readonly isEmailVerified: boolean
}

/** Signs a user in. Resolves to null on success and to a message in the language of `i18n` otherwise, like the other calls. */
export async function signIn(credentials: Credentials, i18n: I18n): Promise<AccountFailure | null> {
  return settle(accounts.signIn.email({ ...credentials }), i18n)
}

/**
 * Creates an account, and signs its user in unless the email has to be verified first.
 *
 * @param invitation token of the link that led here, '' without one
 */
export async function signUp(
  account: Credentials & { readonly name: string },
  invitation: string,
  i18n: I18n,
): Promise<{ readonly failure: AccountFailure | null; readonly needsVerification: boolean }> {
  let needsVerification = false
  const call = async () => {
    const body = { ...account, ...(invitation && { invitation }) }
    const { data, error } = await accounts.signUp.email(body)
    needsVerification = data !== null && data.token === null
    return { error }
  }
  return { failure: await settle(call(), i18n), needsVerification }
}

/** Requests a link to choose a new password. Succeeds for any email, with an account or without. */
export async function requestPasswordReset(email: string, i18n: I18n): Promise<AccountFailure | null> {
  return settle(accounts.requestPasswordReset({ email }), i18n)
}

/** Chooses a new password with the token of a link, which ends every session. */
export async function resetPassword(
  reset: { readonly token: string; readonly newPassword: string },
  i18n: I18n,
): Promise<AccountFailure | null> {
  return settle(accounts.resetPassword({ ...reset }), i18n)
}

/** Requests a link to verify the email of an account. Succeeds for any email while signed out. */
export async function sendVerification(email: string, i18n: I18n): Promise<AccountFailure | null> {
  return settle(accounts.sendVerificationEmail({ email }), i18n)
}

/** Verifies an email, or replaces it by a new one, with the token of a link. */
export async function verifyEmail(token: string, i18n: I18n): Promise<AccountFailure | null> {
  return settle(accounts.$fetch('/verify-email', { method: 'POST', body: { token } }), i18n)
}

/**
 * Requests a link, at a new email, with which it replaces that of the account.
 *
 * @param change.password null for an account without a password
 */
export async function changeEmail(
  { newEmail, password }: { readonly newEmail: string; readonly password: string | null },
  i18n: I18n,
): Promise<AccountFailure | null> {
  const body = { newEmail, ...(password !== null && { password }) }
  return settle(accounts.$fetch('/change-email', { method: 'POST', body }), i18n)
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
  if (!data) return null
  const { name, email, emailVerified } = data.user
  return { name, email, isEmailVerified: emailVerified }
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

/** Deletes the account. @param account.password null for an account without one, after signing in at the provider again */
export async function deleteAccount(
  { password, posts }: { readonly password: string | null; readonly posts: PostsOfDeleted },
  i18n: I18n,
): Promise<AccountFailure | null> {
  const confirmation = password === null ? {} : { password }
  const failure = await settle(
    accounts.deleteUser({ ...confirmation, fetchOptions: { query: { posts } } }),
    i18n,
  )
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

/** A visit of the provider's page. */
export interface ProviderRequest {
  /** Path of this site to return to, the current one by default. */
  readonly callbackURL?: string
  /** Asks for credentials even if the provider remembers the user. */
  readonly confirm?: true
  /** Token of an invitation, for a new account. */
  readonly invitation?: string
}

/**
 * Opens the provider's page, from which the user returns signed in, or with an error in the address. Resolves with a
 * failure if it cannot be opened, and with null if the user comes back with the browser's button.
 */
export async function continueWithProvider(
  { callbackURL = currentPath(), ...request }: ProviderRequest,
  i18n: I18n,
): Promise<AccountFailure | null> {
  return leaveFor(post('/sign-in/social', { provider: 'oidc', callbackURL, ...request }), i18n)
}

/** Opens the provider's page, from which the user returns to `callbackURL` with a connected account. Otherwise the same. */
export async function connectProvider(
  request: { readonly password: string; readonly callbackURL: string },
  i18n: I18n,
): Promise<AccountFailure | null> {
  return leaveFor(post('/link-social', { provider: 'oidc', ...request }), i18n)
}

/** Ends the connection with the provider. */
export async function disconnectProvider(password: string, i18n: I18n): Promise<AccountFailure | null> {
  const answer = await post('/disconnect-provider', { password })
  return answer === null ? unreachable(i18n) : failureOf(answer, i18n)
}

/** Reads how the signed-in user can sign in; null if signed out. @throws Error if the server does not answer */
export async function readSignInMethods(): Promise<SignInMethods | null> {
  const response = await fetch('/api/auth/sign-in-methods')
  if (response.status === 401) return null
  if (!response.ok) throw new Error('could not read how the user signs in')
  return (await response.json()) as SignInMethods
}

type Answer = { readonly url?: string } & AccountError

/** Null if the server could not be reached. */
async function post(path: string, body: object): Promise<Answer | null> {
  try {
    const response = await fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Omit<Answer, 'status'>
    return { ...answer, status: response.status }
  } catch {
    return null
  }
}

function failureOf(answer: Answer, i18n: I18n): AccountFailure | null {
  return answer.status < 400 ? null : describeAccountError(answer, i18n)
}

async function leaveFor(sent: Promise<Answer | null>, i18n: I18n): Promise<AccountFailure | null> {
  const answer = await sent
  if (answer === null) return unreachable(i18n)
  if (answer.url === undefined) return failureOf(answer, i18n)
  const { url } = answer
  return new Promise((resolve) => {
    // The browser may show this page again as it was left.
    addEventListener('pageshow', () => resolve(null), { once: true })
    location.assign(url)
  })
}

function currentPath(): string {
  return location.pathname + location.search
}
