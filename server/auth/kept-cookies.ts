import { withCookies } from './with-cookies.ts'

/**
 * The same answer without what would take a cookie away. For a question about a session that is over: until its answer
 * comes the user may have signed in again, and the cookie that it takes away would be the new one. An old one that
 * stays does no harm.
 */
export function withoutLostCookies(answer: Response): Response {
  const cookies = answer.headers.getSetCookie()
  const kept = cookies.filter((cookie) => !/;\s*max-age=0\b/i.test(cookie))
  if (kept.length === cookies.length) return answer
  return withCookies(answer, kept)
}
