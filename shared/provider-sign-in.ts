/** Reasons for which signing in with the provider, or connecting it, did not work. */
export const providerErrors = [
  'canceled',
  'expired',
  'unavailable',
  'rejected',
  'no_email',
  'email_not_verified',
  'not_connected',
  'sign_up_closed',
  'invitation_needed',
  'invitation_invalid',
  'blocked',
  'connected_elsewhere',
  'failed',
] as const

export type ProviderError = (typeof providerErrors)[number]

/** Name of the error in the fragment of the page that the user returns to: it reaches no server, and no log. */
export const providerErrorKey = 'sign-in-error'

/** Ways in which the viewer can sign in. */
export interface SignInMethods {
  readonly hasPassword: boolean
  /** The account is connected with the provider. */
  readonly hasProvider: boolean
  /** The user signed in at the provider minutes ago, which confirms the deletion of an account without password. */
  readonly isConfirmed: boolean
}
