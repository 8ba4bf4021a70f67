import { isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'

/**
 * Finds the address of the client. Each trusted proxy appends the address it was called from to
 * X-Forwarded-For, so the client's is that many places from the right; what stands left of it anyone can forge.
 */
export function createClientAddress(config: Pick<Config, 'proxyHops'>, log: Logger) {
  let warned = false
  return (c: Context): string => {
    const peer = getConnInfo(c).remote.address ?? ''
    const forwarded = c.req.header('x-forwarded-for')
    if (config.proxyHops === 0) {
      if (forwarded !== undefined && !warned) {
        warned = true
        log.warn(
          'X-Forwarded-For arrives but is not believed; set TRUST_PROXY to the number of proxies in front of the server',
        )
      }
      return peer
    }
    const claimed = forwarded?.split(',').at(-config.proxyHops)?.trim() ?? ''
    return isIP(claimed) ? claimed : peer
  }
}
