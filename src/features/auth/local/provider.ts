import type { I18n } from '@lingui/core'
import type { SignInMethods } from '../../../../shared/provider-sign-in.ts'
import { describeAccountError, unreachable } from './account-failure.ts'
import type { AccountError, AccountFailure } from './account-failure.ts'

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
