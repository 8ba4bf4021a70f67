import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'

/** The site as authenticators know it. */
export interface RelyingParty {
  /** Domain that passkeys belong to. Browsers offer them on no other. */
  readonly id: string
  /** Origin of the pages that use them; null for any port of `id`. */
  readonly origin: string | null
}

/**
 * Determines the relying party. Passkeys belong to a domain for good, so it comes from `PUBLIC_URL` and never from a
 * request. Without `PUBLIC_URL`, passkeys work on `localhost` only, for which a forged header gains nothing: browsers
 * compare the domain with their own address bar.
 *
 * @returns null if users do not sign in here, or if browsers offer no passkeys at that address, as it is an IP address or not
 *   encrypted
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function relyingPartyOf({
  auth,
  publicOrigin,
}: Pick<Config, 'auth' | 'publicOrigin'>): RelyingParty | null {
  if (auth.kind !== 'local' || !auth.localSignIn) return null
  if (publicOrigin === null) return { id: 'localhost', origin: null }
  const { protocol, hostname } = new URL(publicOrigin)
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return null
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure ? { id: hostname, origin: publicOrigin } : null
}
