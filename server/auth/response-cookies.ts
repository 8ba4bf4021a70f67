/** Marks the cookies of a response as `Secure`, so that browsers send them over HTTPS only. */
export function secureCookies(response: Response): Response {
  const cookies = response.headers.getSetCookie()
  if (cookies.length === 0) return response
  return withCookies(
    response,
    cookies.map((cookie) => (/;\s*secure\b/i.test(cookie) ? cookie : `${cookie}; Secure`)),
  )
}

/**
 * Drops cookie deletions from the response to a query of an expired session. The user may have signed in again
 * meanwhile, and the deletion would hit the new cookie. An expired cookie does no harm.
 */
export function withoutCookieDeletions(response: Response): Response {
  const cookies = response.headers.getSetCookie()
  const kept = cookies.filter((cookie) => !/;\s*max-age=0\b/i.test(cookie))
  return kept.length === cookies.length ? response : withCookies(response, kept)
}

function withCookies(response: Response, cookies: readonly string[]): Response {
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
