import { useSyncExternalStore } from 'react'
import { isEmailTooLong } from '../../../shared/account.ts'
import { tokenIn } from '../../../shared/mailed-links.ts'

/** The emails that a link to confirm an email is about. */
export interface LinkedEmails {
  /** Email of the account. */
  readonly email: string
  /** Email that replaces it; null if the email of the account itself is confirmed. */
  readonly newEmail: string | null
}

/** The token in the fragment of the page's address; null without one, and undefined before the page is hydrated. */
export function useLinkToken(): string | null | undefined {
  return useSyncExternalStore<string | null | undefined>(
    subscribe,
    () => tokenIn(location.hash),
    () => undefined,
  )
}

function subscribe(onChange: () => void): () => void {
  // Another link to the same page, opened in the same tab, does not load it again.
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** Removes the token from the address and from the history, once it is used. */
export function removeLinkToken(): void {
  history.replaceState(history.state, '', location.pathname)
}

/**
 * Reads the emails from a token, without a check of its signature; null if it has none, and if they could be another text.
 */
export function emailsIn(token: string): LinkedEmails | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const claims = JSON.parse(atob(payload)) as Readonly<Record<string, unknown>> | null
    const email = claims?.['email']
    const newEmail = claims?.['updateTo'] ?? null
    return isEmail(email) && (newEmail === null || isEmail(newEmail)) ? { email, newEmail } : null
  } catch {
    return null
  }
}

function isEmail(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]+@[!-~]+$/.test(value) && !isEmailTooLong(value)
}
