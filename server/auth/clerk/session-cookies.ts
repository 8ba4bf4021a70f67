import { createHash } from 'node:crypto'
import { parse } from 'hono/utils/cookie'

const cookieName = '__session'

/**
 * Reads the session tokens in a request's cookies. Clerk's script keeps two: one that is named after the
 * publishable key, and so is this instance's alone, and one that all applications of a host share.
 */
export function createCookieReader(publishableKey: string): (headers: Headers) => string[] {
  const suffix = createHash('sha1').update(publishableKey).digest('base64url').slice(0, 8)
  const names = [`${cookieName}_${suffix}`, cookieName]
  return (headers) => {
    const header = headers.get('cookie')
    if (header === null) return []
    const cookies = parse(header)
    return names.flatMap((name) => cookies[name] ?? [])
  }
}
