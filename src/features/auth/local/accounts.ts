import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isEmailTooLong } from '../../../../shared/account.ts'
import type { ErrorDetail } from '../../../../shared/errors.ts'
import {
  emailLocalPartMaxLength,
  emailMaxLength,
  nameLimit,
  passwordMaxLength,
  passwordMinLength,
} from '../../../../shared/limits.ts'
import type { SignInMethods } from '../../../../shared/provider-sign-in.ts'
import { exceededLimit } from '../../../../shared/text-length.ts'
import { detailMessage } from '../../../api/failure.ts'
import { CallError, unreachable, type CallFailure } from '../call-failure.tsx'

interface AccountFailure {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly detail?: ErrorDetail | undefined
  readonly status: number
}

/** The error of an unsuccessful response of the account API. */
export class AccountError extends CallError {
  readonly status: number
  readonly code: string | undefined

  constructor(failure: AccountFailure) {
    super((i18n) => describeAccountError(failure, i18n))
    this.status = failure.status
    this.code = failure.code
  }
}

/**
 * Makes a call of the account API, with GET without a body and else with POST.
 *
 * @throws AccountError if it is rejected, and `CallError` if the server could not be reached
 */
export async function callAccount<Data>(path: string, body?: object): Promise<Data> {
  const headers = { 'content-type': 'application/json' }
  const post = body && { method: 'POST', headers, body: JSON.stringify(body) }
  try {
    const response = await fetch(`/api/auth${path}`, post)
    const { ok, status } = response
    // A proxy may respond with a page of its own.
    const parsed: unknown = await response.json().catch((cause) => {
      if (!(cause instanceof SyntaxError)) throw cause
    })
    if (ok) return parsed as Data
    throw new AccountError({ ...(parsed as Partial<AccountFailure> | null), status })
  } catch (cause) {
    throw cause instanceof AccountError ? cause : new CallError(unreachable, cause)
  }
}

/** Ends the session, and opens the page of the provider that ends its own. */
export async function signOut(): Promise<void> {
  const { url } = await callAccount<{ readonly url?: string }>('/sign-out', {})
  if (url !== undefined) location.assign(url)
}

/** Name and email of an account, and how its user signs in. */
export interface Profile {
  readonly name: string
  readonly email: string
  /** True once the user has opened a link that was sent to the email. */
  readonly emailVerified: boolean
  readonly methods: SignInMethods
}

/** Reads the account of the signed-in user; null if signed out. */
export async function readProfile(): Promise<Profile | null> {
  const [session, methods] = await Promise.all([
    callAccount<{ user: Omit<Profile, 'methods'> } | null>('/get-session'),
    callAccount<SignInMethods>('/sign-in-methods').catch((error: unknown) => {
      if (error instanceof AccountError && error.status === 401) return null
      throw error
    }),
  ])
  return session && methods && { ...session.user, methods }
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
 * connected account. Resolves if the user comes back with the browser's button.
 */
export async function continueWithProvider(
  path: '/sign-in/social' | '/link-social',
  request: ProviderRequest | { readonly password: string; readonly callbackURL: string },
): Promise<void> {
  const here = location.pathname + location.search
  const { url } = await callAccount<{ url: string }>(path, {
    provider: 'oidc',
    callbackURL: here,
    ...request,
  })
  location.assign(url)
  // The browser may show this page again as it was left.
  await new Promise((resolve) => addEventListener('pageshow', resolve, { once: true }))
}

const emailTooLong = msg`An email address has at most ${emailMaxLength} characters, ${emailLocalPartMaxLength} of them before the @.`
const notAnEmail = msg`This does not look like an email address.`
const emailInUse = msg`There is already an account with this email.`
const linkInvalid = msg`This link is no longer valid. Request a new one.`
const nameTooLong = msg`Use at most ${nameLimit.characters} characters.`
const passwordTooShort = msg`Use at least ${passwordMinLength} characters.`

/** Messages of error codes, without those for which the user has to sign in, and the field that one concerns, if it is not the whole form. */
const messages: Readonly<Record<string, readonly [MessageDescriptor, field?: string]>> = {
  INVALID_EMAIL_OR_PASSWORD: [msg`This email and password do not belong together. Check both.`],
  USER_ALREADY_EXISTS: [emailInUse, 'email'],
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: [emailInUse, 'email'],
  EMAIL_NOT_VERIFIED: [msg`Confirm your email first: open the link that we sent to it.`],
  EMAIL_ALREADY_VERIFIED: [msg`Your email is confirmed already. Reload the page.`],
  NO_PUBLIC_URL: [
    msg`This site can’t send links yet: its address is not configured. Ask its operator for help.`,
  ],
  EMAIL_UNCHANGED: [msg`This is already the email of your account.`, 'email'],
  EMAIL_TAKEN: [msg`Another account has this email by now.`],
  INVALID_TOKEN: [linkInvalid],
  TOKEN_EXPIRED: [linkInvalid],
  USER_NOT_FOUND: [linkInvalid],
  INVALID_USER: [msg`This link is for another account. Sign in to that one, and open the link again.`],
  EMAIL_TOO_LONG: [emailTooLong, 'email'],
  INVALID_EMAIL: [notAnEmail, 'email'],
  VALIDATION_ERROR: [msg`The server did not understand this. Reload the page and try again.`],
  NAME_MISSING: [msg`Enter your name.`, 'name'],
  NAME_TOO_LONG: [nameTooLong, 'name'],
  INVALID_PASSWORD: [msg`This is not your password.`, 'currentPassword'],
  PASSWORD_TOO_SHORT: [passwordTooShort, 'password'],
  PASSWORD_TOO_LONG: [
    msg`This password is too long. Use at most ${passwordMaxLength} characters.`,
    'password',
  ],
  PASSWORD_TOO_WEAK: [msg`This password is too easy to guess. Choose another one.`, 'password'],
  EMAIL_PASSWORD_SIGN_UP_DISABLED: [msg`Sign-up is closed on this site.`],
  INVITATION_MISSING: [msg`To create an account you need an invitation.`],
  INVITATION_INVALID: [msg`This invitation is not valid any more. Ask for another one.`],
  ACCOUNT_BLOCKED: [msg`An administrator has blocked this account.`],
  PREVIOUSLY_REGISTERED: [msg`This passkey is in use already. Add another one.`],
  USER_VERIFICATION_MISSING: [msg`Confirm with your fingerprint, face or PIN, and try again.`],
  PASSKEY_NOT_FOUND: [msg`This site does not know this passkey. Sign in another way.`],
  CHALLENGE_NOT_FOUND: [msg`This took too long, or another tab was faster. Try again.`],
  AUTHENTICATION_FAILED: [msg`The passkey could not be verified. Try again.`],
  CONFIRMATION_NEEDED: [msg`That took too long. Confirm once more that it is you.`],
  PROVIDER_UNAVAILABLE: [msg`This sign-in is not available right now. Try again later.`],
}

export function describeAccountError(
  { code = '', message = '', detail, status }: AccountFailure,
  i18n: I18n,
): CallFailure {
  const translated = detail && detailMessage(detail, i18n)
  const [known, field] = messages[code] ?? []
  if (status === 429)
    return { message: translated ?? i18n._(msg`Too many attempts. Try again in a minute.`), code }
  // Email is the only field that the server validates more strictly than the form.
  if (code === 'VALIDATION_ERROR' && message.includes('email'))
    return { message: i18n._(notAnEmail), field: 'email', code }
  if (known) return { message: i18n._(known), field, code }
  if (code === 'SESSION_NOT_FRESH') {
    const sentence = msg`To confirm that it is you, sign in again. What you typed stays here.`
    return { message: i18n._(sentence), needsSignIn: true, code }
  }
  if (code === 'SESSION_EXPIRED' || status === 401) {
    const sentence = msg`You are signed out. Sign in again to continue; what you typed stays here.`
    return { message: i18n._(sentence), needsSignIn: true, code }
  }
  if (!detail && (status >= 500 || message === ''))
    return { message: i18n._(msg`Something went wrong on the server. Try again.`), code }
  return { message: translated ?? message, code }
}

/** Checks whether a mailed link was rejected, so that another one helps. */
export function isLinkInvalid(failure: CallFailure): boolean {
  return messages[failure.code ?? '']?.[0] === linkInvalid
}

/** Validates a name; null if it is valid. */
export function nameError(name: string, missing = msg`Enter your name.`): MessageDescriptor | null {
  if (!name) return missing
  switch (exceededLimit(name, nameLimit)) {
    case null:
      return null
    case 'characters':
      return nameTooLong
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
  if (password.length < passwordMinLength) return passwordTooShort
  if (password.length > passwordMaxLength) return msg`Use at most ${passwordMaxLength} characters.`
  return null
}

/** Validates an email; null if it is valid. */
export function emailError(email: string): MessageDescriptor | null {
  if (!email) return msg`Enter your email.`
  if (isEmailTooLong(email)) return emailTooLong
  return /^\S+@\S+$/.test(email) ? null : notAnEmail
}
