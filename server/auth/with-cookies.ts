/** The same answer, setting these cookies instead of its own. */
export function withCookies(answer: Response, cookies: readonly string[]): Response {
  const headers = new Headers(answer.headers)
  headers.delete('set-cookie')
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers })
}
