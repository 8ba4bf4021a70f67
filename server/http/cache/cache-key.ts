import type { Context } from 'hono'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'

/** A route whose answer is the same for everyone. */
export interface PublicRoute {
  readonly path: string
  /** The query parameters that its answer depends on. All others are neither part of the cache key nor visible to it. */
  readonly parameters: readonly string[]
}

/**
 * Everything that a public answer depends on: the route, its own parameters and whether the request came by https. Null
 * where the answer is not the same for everyone: for requests with credentials, for streams, and where absolute
 * addresses in it are made from a Host header.
 */
export function cacheKey(config: Config, c: Context, route: PublicRoute): string | null {
  const { path } = route
  const has = (header: string) => c.req.header(header) !== undefined
  if (has('authorization')) return null
  // Pages are the same with a cookie as without.
  if (/^\/(?:trpc|api)\//.test(path) && (has('cookie') || has('trpc-accept'))) return null
  if (path.startsWith('/api/') && config.publicOrigin === null) return null
  const cameByHttps = siteOrigin(config, c.req.raw.headers)?.startsWith('https:') ?? false
  return `${cameByHttps} ${path}${canonicalQuery(c, route)}`
}

/**
 * Gives the request the address that the cache key names, and the signal that ends it. What its handlers read is then part of the key, however they
 * read it: a parameter that the route does not declare, a second value or another spelling can't change an answer that
 * others are given.
 */
export function readOnlyDeclared(c: Context, route: PublicRoute, signal: AbortSignal): void {
  const { url, method, headers } = c.req.raw
  const origin = url.slice(0, url.indexOf('/', 'https://'.length))
  const canonical = `${origin}${route.path}${canonicalQuery(c, route)}`
  c.req.raw = new Request(canonical, { method, headers, signal })
}

/** The first value of each declared parameter, in one order and one spelling, with a question mark if there are any. */
function canonicalQuery(c: Context, { parameters }: PublicRoute): string {
  const { url } = c.req.raw
  const start = url.indexOf('?')
  if (start < 0) return ''
  const given = new URLSearchParams(url.slice(start))
  const read = new URLSearchParams()
  for (const name of parameters) {
    const value = given.get(name)
    if (value !== null) read.set(name, value)
  }
  return read.size === 0 ? '' : `?${read}`
}
