import { isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'

/**
 * Creates a function that returns the client's IP address. Each trusted proxy appends the address of its client to
 * `X-Forwarded-For`, so the client's is the `proxyHops`th from the right; entries left of it can be forged.
 */
export function createClientAddress(config: Pick<Config, 'proxyHops'>, log: Logger) {
  let hasWarned = false
  return (c: Context): string => {
    const peer = getConnInfo(c).remote.address ?? ''
    const forwarded = c.req.header('x-forwarded-for')
    if (config.proxyHops === 0) {
      if (forwarded !== undefined && !hasWarned) {
        hasWarned = true
        log.warn(
          'X-Forwarded-For is ignored; set TRUST_PROXY to the number of proxies in front of the server',
        )
      }
      return peer
    }
    const claimed = forwarded?.split(',').at(-config.proxyHops)?.trim() ?? ''
    return isIP(claimed) ? claimed : peer
  }
}

/**
 * Key of limits per client: an IPv4 address, or the /64 of an IPv6 address, within which one client can use a new
 * address for each request.
 */
export function clientNetwork(address: string): string {
  if (!isIP(address)) return address
  // `process` turns IPv4-mapped IPv6 addresses into IPv4.
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
