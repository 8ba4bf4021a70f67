import type { Context } from 'hono'
import type { Config } from '../config/config.ts'
import { siteOrigin } from '../config/site-origin.ts'

/**
 * What an answer that is the same for everybody depends on, as a key; null where it is not, or may not be: where a
 * person says who they are, where it is a stream, and where its absolute addresses are made from a Host header.
 */
export function publicAddress(config: Config, c: Context): string | null {
  const { path } = c.req
  const has = (header: string) => c.req.header(header) !== undefined
  if (has('authorization')) return null
  // Pages are the same with a cookie as without.
  if (/^\/(?:trpc|api)\//.test(path) && (has('cookie') || has('trpc-accept'))) return null
  if (path.startsWith('/api/') && config.publicOrigin === null) return null
  const cameByHttps = siteOrigin(config, c.req.raw.headers)?.startsWith('https:') ?? false
  return `${cameByHttps} ${c.req.url.slice(c.req.url.indexOf('/', 'https://'.length))}`
}
