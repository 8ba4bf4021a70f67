import { providerErrorKey, type ProviderError } from '../../../shared/provider-sign-in.ts'

export const reasonOf = (code: string): ProviderError => reasons[code] ?? 'failed'

/** Reasons by the codes of better-auth, of our own checks, and of providers. */
const reasons: Readonly<Record<string, ProviderError>> = {
  // Of providers. @see https://openid.net/specs/openid-connect-core-1_0.html#AuthError
  access_denied: 'canceled',
  login_required: 'canceled',
  consent_required: 'canceled',
  interaction_required: 'canceled',
  account_selection_required: 'canceled',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
  invalid_grant: 'unavailable',
  invalid_client: 'rejected',
  unauthorized_client: 'rejected',
  invalid_request: 'rejected',
  invalid_scope: 'rejected',
  // Of better-auth.
  state_not_found: 'expired',
  state_mismatch: 'expired',
  state_invalid: 'expired',
  invalid_callback_request: 'expired',
  nonce_binding_missing: 'expired',
  no_code: 'expired',
  invalid_code: 'unavailable',
  issuer_mismatch: 'unavailable',
  unable_to_get_user_info: 'unavailable',
  email_not_found: 'no_email',
  email_not_verified: 'email_not_verified',
  account_not_linked: 'not_connected',
  // The session in which the user began to connect the account has ended.
  unable_to_link_account: 'expired',
  account_already_linked_to_different_user: 'connected_elsewhere',
  // Of our own checks.
  EMAIL_PASSWORD_SIGN_UP_DISABLED: 'sign_up_closed',
  INVITATION_MISSING: 'invitation_needed',
  INVITATION_INVALID: 'invitation_invalid',
  ACCOUNT_BLOCKED: 'blocked',
}

/**
 * Moves the error of a redirect from the query to the fragment, as one of our reasons. The provider's own words are not
 * shown, as anyone could write a link with them.
 *
 * @param origin origin of the site
 * @param tokenError OAuth error code with which the provider rejected the code, which better-auth does not pass on; null if it did not
 */
export function withReason(response: Response, origin: string, tokenError: string | null): Response {
  const location = response.headers.get('location')
  if (location === null || !URL.canParse(location, origin)) return response
  const url = new URL(location, origin)
  const code = url.searchParams.get('error')
  if (url.origin !== origin || code === null) return response
  url.searchParams.delete('error')
  url.searchParams.delete('error_description')
  url.hash = new URLSearchParams({ [providerErrorKey]: reasonOf(tokenError ?? code) }).toString()
  const headers = new Headers(response.headers)
  headers.set('location', url.href)
  return new Response(null, { status: response.status, headers })
}
