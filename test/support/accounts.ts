import { cookieOf, freshAddress, userOf, type TestUser, type TestServer } from './test-server.ts'

/** A user with a local account, and their credentials. */
export interface TestAccount extends TestUser {
  readonly email: string
  readonly password: string
}

/** Signs up with the account API. */
export async function makeAccount(
  server: TestServer,
  { name = 'Asha Rao', email = `account-${freshAddress()}@example.org` } = {},
): Promise<TestAccount> {
  const password = 'a first password'
  const response = await server.postAccount('/sign-up/email', { name, email, password })
  if (!response.ok) throw new Error(`Sign-up failed: ${response.status} ${await response.text()}`)
  const { user } = (await response.json()) as { user: { id: string } }
  return { ...userOf(server, user.id, cookieOf(response)), email, password }
}

/** Signs in with email and password. */
export function signIn(
  server: TestServer,
  { email, password }: { email: string; password: string },
): Promise<Response> {
  return server.postAccount('/sign-in/email', { email, password })
}

/** Signs in on another device and returns its session cookie. */
export async function otherDevice(server: TestServer, account: TestAccount): Promise<string> {
  const response = await signIn(server, account)
  if (!response.ok) throw new Error(`Sign-in failed: ${response.status} ${await response.text()}`)
  return cookieOf(response)
}

/** Returns the status of a call that requires sign-in. */
export async function statusFor(server: TestServer, cookie: string): Promise<number> {
  return (await server.request('/trpc/images.quota', { headers: { cookie } })).status
}

/** Changes one character of a cookie. */
export function tamperedWith(cookie: string): string {
  return cookie.replace(/=(.)/, (_, first: string) => `=${first === 'x' ? 'y' : 'x'}`)
}
