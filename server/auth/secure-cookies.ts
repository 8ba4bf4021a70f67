import { withCookies } from './with-cookies.ts'

/** Marks the cookies of an answer as ones that browsers may send over https only. */
export function secureCookies(answer: Response): Response {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length === 0) return answer
  return withCookies(
    answer,
    cookies.map((cookie) => (/;\s*secure\b/i.test(cookie) ? cookie : `${cookie}; Secure`)),
  )
}
