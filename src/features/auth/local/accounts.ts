import type { I18n } from '@lingui/core'
import type { SignInMethods } from '../../../../shared/provider-sign-in.ts'
import { unreachable, type CallFailure } from '../call-failure.tsx'
import { describeAccountError, type AccountError } from './account-errors.ts'

/** A response of the account API. */
type Answer<Data> =
  | { readonly data: Data; readonly error: null }
  | { readonly data: null; readonly error: AccountError }

/**
 * Makes a call of the account API, with GET without a body and else with POST.
 *
 * @throws if the server could not be reached
 */
export async function askAccount<Data>(path: string, body?: object): Promise<Answer<Data>> {
  const response = await fetch(`/api/auth${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const parsed = parse(await response.text())
  if (response.ok) return { data: parsed as Data, error: null }
  return { data: null, error: { ...(parsed as Partial<AccountError> | null), status: response.status } }
}

/** A proxy may respond with a page of its own. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Makes a call of the account API like `askAccount`. Resolves to null on success, and to a message otherwise. */
export async function callAccount(path: string, body: object, i18n: I18n): Promise<CallFailure | null> {
  return settle(askAccount(path, body), i18n)
}

/** Resolves to null if a call succeeded, and to a message otherwise. */
export async function settle(
  call: Promise<{ readonly error: AccountError | null }>,
  i18n: I18n,
): Promise<CallFailure | null> {
  try {
    const { error } = await call
    return error && describeAccountError(error, i18n)
  } catch {
    return unreachable(i18n)
  }
}

/** Ends the session, and opens the page of the provider that ends its own. @throws Error if the server did not confirm it */
export async function signOut(): Promise<void> {
  const { data, error } = await askAccount<{ readonly url?: string }>('/sign-out', {})
  if (error) throw new Error('could not end the session', { cause: error })
  if (data.url !== undefined) location.assign(data.url)
}

/** Name and email of an account, and how its user signs in. */
export interface Profile {
  readonly name: string
  readonly email: string
  /** True once the user has opened a link that was sent to the email. */
  readonly emailVerified: boolean
  readonly methods: SignInMethods
}

/** Reads the account of the signed-in user; null if signed out. @throws Error if the server does not answer */
export async function readProfile(): Promise<Profile | null> {
  const [session, methods] = await Promise.all([
    askAccount<{ user: Omit<Profile, 'methods'> } | null>('/get-session'),
    askAccount<SignInMethods>('/sign-in-methods'),
  ])
  if (session.error) throw new Error('could not read the session', { cause: session.error })
  if (session.data === null || methods.error?.status === 401) return null
  if (methods.error) throw new Error('could not read how the user signs in', { cause: methods.error })
  return { ...session.data.user, methods: methods.data }
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
 * Opens the provider's page, from which the user returns signed in, or with an error in the address; with `/link-social`, with a
 * connected account. Resolves with a failure if it cannot be opened, and with null if the user comes back with the browser's
 * button.
 */
export async function continueWithProvider(
  path: '/sign-in/social' | '/link-social',
  request: ProviderRequest | { readonly password: string; readonly callbackURL: string },
  i18n: I18n,
): Promise<CallFailure | null> {
  const body = { provider: 'oidc', callbackURL: location.pathname + location.search, ...request }
  return settle(
    askAccount<{ url: string }>(path, body).then(async ({ data, error }) => {
      if (!data) return { error }
      location.assign(data.url)
      // The browser may show this page again as it was left.
      await new Promise((resolve) => addEventListener('pageshow', resolve, { once: true }))
      return { error }
    }),
    i18n,
  )
}
