/** Marks the cookies of an answer as ones that browsers may send over https only. */
export function secureCookies(answer: Response): Response {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length === 0) return answer
  const headers = new Headers(answer.headers)
  headers.delete('set-cookie')
  for (const cookie of cookies) {
    headers.append('set-cookie', /;\s*secure\b/i.test(cookie) ? cookie : `${cookie}; Secure`)
  }
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers })
}
