import { isLoopbackHost } from '../network/addresses.ts'
import type { Config } from './config.ts'

type OriginConfig = Pick<Config, 'publicOrigin' | 'proxyHops'>

/** Returns the origin of the site as the client sees it; null if the request has no valid host. */
export function siteOrigin(config: OriginConfig, headers: Headers): string | null {
  if (config.publicOrigin) return config.publicOrigin
  const scheme = forwarded(config, headers, 'x-forwarded-proto') === 'https' ? 'https' : 'http'
  const url = `${scheme}://${requestHost(config, headers) ?? ''}`
  return URL.canParse(url) ? new URL(url).origin : null
}

/**
 * Returns the origin of the site for links in mails; null if it is not certain. Any client can send a request with the host of
 * another site, except for hosts that are the reader's own machine.
 */
export function trustedOrigin(config: OriginConfig, headers: Headers): string | null {
  if (config.publicOrigin) return config.publicOrigin
  const origin = siteOrigin(config, headers)
  return origin !== null && isLoopbackHost(new URL(origin).hostname) ? origin : null
}

/**
 * Reports whether an `Origin` header is this site's. Without `PUBLIC_URL` only hosts are compared, as an unknown proxy
 * may terminate https.
 */
export function isOwnOrigin(config: OriginConfig, headers: Headers, origin: string): boolean {
  if (config.publicOrigin) return origin === config.publicOrigin
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  // Parsed with the scheme of the origin, so that an explicit default port is equal to none.
  const ownUrl = `${protocol}//${requestHost(config, headers) ?? ''}`
  return /^https?:$/.test(protocol) && URL.canParse(ownUrl) && host === new URL(ownUrl).host
}

function requestHost(config: OriginConfig, headers: Headers): string | null {
  return forwarded(config, headers, 'x-forwarded-host') ?? headers.get('host')?.toLowerCase() ?? null
}

/** Value set by the nearest trusted proxy; null without one. */
function forwarded(config: OriginConfig, headers: Headers, name: string): string | null {
  if (config.proxyHops === 0) return null
  return headers.get(name)?.split(',').at(-1)?.trim().toLowerCase() || null
}
