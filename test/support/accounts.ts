import { cookieOf, freshAddress, userOf, type TestUser, type TestServer } from './test-server.ts'

/** TestUser with a local account, and what they sign in with. */
export interface TestAccount extends TestUser {
  readonly email: string
  readonly password: string
}

/** Makes an account through the accounts' own transport. */
export async function makeAccount(
  server: TestServer,
  { name = 'Asha Rao', email = `account-${freshAddress()}@example.org` } = {},
): Promise<TestAccount> {
  const password = 'a first password'
  const answer = await server.postAccount('/sign-up/email', { name, email, password })
  if (!answer.ok) throw new Error(`Sign-up failed: ${answer.status} ${await answer.text()}`)
  const { user } = (await answer.json()) as { user: { id: string } }
  return { ...userOf(server, user.id, cookieOf(answer)), email, password }
}

/** Signs in as a browser does. */
export function signIn(
  server: TestServer,
  { email, password }: { email: string; password: string },
): Promise<Response> {
  return server.postAccount('/sign-in/email', { email, password })
}

/** The cookie of another session of the same user, as on another device. */
export async function otherDevice(server: TestServer, account: TestAccount): Promise<string> {
  const answer = await signIn(server, account)
  if (!answer.ok) throw new Error(`Sign-in failed: ${answer.status} ${await answer.text()}`)
  return cookieOf(answer)
}

/** The status of a call that only users who are signed in may make. */
export async function statusFor(server: TestServer, cookie: string): Promise<number> {
  return (await server.request('/trpc/images.quota', { headers: { cookie } })).status
}

/** A cookie of which one character is another. */
export function tamperedWith(cookie: string): string {
  return cookie.replace(/=(.)/, (_, first: string) => `=${first === 'x' ? 'y' : 'x'}`)
}
