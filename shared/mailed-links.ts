import type { SignInSettings } from './page-data.ts'

export const resetLinkMinutes = 60

/** Time for which a link to confirm an email is valid. */
export const confirmationLinkHours = 24

/** Checks whether a site sends mails with which users sign in again. */
export function sendsAccountMails(auth: SignInSettings): boolean {
  return auth.kind === 'local' && auth.hasMail && auth.hasPasswords
}

/**
 * Adds a token of letters, digits, `.`, `-` and `_` to the URL of a page: in the fragment, which browsers do not send, so that it
 * reaches neither logs nor other sites.
 */
export function withToken(url: string, token: string): string {
  return `${url}#token=${token}`
}

/** Returns the token in the fragment of a link; null without one. */
export function tokenIn(fragment: string): string | null {
  return /^#token=([\w.-]+)$/.exec(fragment)?.[1] ?? null
}
