import type { Config } from './config.ts'

type OriginConfig = Pick<Config, 'publicOrigin' | 'proxyHops'>

/** The origin under which a request reached the site; null where it names no usable host. */
export function siteOrigin(config: OriginConfig, headers: Headers): string | null {
  if (config.publicOrigin) return config.publicOrigin
  const scheme = forwarded(config, headers, 'x-forwarded-proto') === 'https' ? 'https' : 'http'
  const url = `${scheme}://${requestHost(config, headers) ?? ''}`
  return URL.canParse(url) ? new URL(url).origin : null
}

/**
 * Whether an Origin header names this site. Where PUBLIC_URL is not set only hosts are compared, as a proxy
 * that we know nothing of may speak https to the browser.
 */
export function isOwnOrigin(config: OriginConfig, headers: Headers, origin: string): boolean {
  if (config.publicOrigin) return origin === config.publicOrigin
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  // Read as an address of the origin's own scheme, so that a default port counts the same written out or not.
  const own = `${protocol}//${requestHost(config, headers) ?? ''}`
  return /^https?:$/.test(protocol) && URL.canParse(own) && host === new URL(own).host
}

function requestHost(config: OriginConfig, headers: Headers): string | null {
  return forwarded(config, headers, 'x-forwarded-host') ?? headers.get('host')?.toLowerCase() ?? null
}

/** What the nearest trusted proxy says; nothing where none is trusted. */
function forwarded(config: OriginConfig, headers: Headers, name: string): string | null {
  if (config.proxyHops === 0) return null
  return headers.get(name)?.split(',').at(-1)?.trim().toLowerCase() || null
}
