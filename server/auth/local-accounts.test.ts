import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeAccount, signIn, statusFor, tamperedWith } from '../../test/support/accounts.ts'
import { rememberedHashing } from '../../test/support/password-hashing.ts'
import {
  cookieOf,
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestServer,
} from '../../test/support/test-server.ts'

afterEach(() => void vi.restoreAllMocks())

const password = 'correct horse'

function signUp(
  server: TestServer,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const account = { name: 'Asha Rao', email: `${freshAddress()}@example.org`, password }
  return server.postAccount('/sign-up/email', { ...account, ...body }, headers)
}

const viewerOf = (server: TestServer, cookie: string) => server.client({ cookie }).viewer.query()

describe('an account', () => {
  const server = shareTestServer()

  test('is signed in after sign-up, by an HttpOnly, SameSite cookie', async () => {
    const answer = await signUp(server())
    expect(answer.status).toBe(200)
    const cookies = answer.headers.getSetCookie()
    expect(cookies).not.toEqual([])
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; HttpOnly/i)
      expect(cookie).toMatch(/; SameSite=(Lax|Strict)/i)
      expect(cookie).toMatch(/; Path=\//i)
    }
    expect(await viewerOf(server(), cookieOf(answer))).toEqual({
      id: expect.stringMatching(/^[\w-]+$/),
      firstName: 'Asha',
      imageUrl: null,
      role: 'member',
      unreadNotifications: 0,
    })
  })

  test('accepts its email in any case at sign-in', async () => {
    const viewer = await viewerOf(server(), cookieOf(await signUp(server(), { email: 'Meera@Example.org' })))
    const answer = await server().postAccount('/sign-in/email', { email: 'meera@example.ORG', password })
    expect(answer.status).toBe(200)
    expect(await viewerOf(server(), cookieOf(answer))).toEqual(viewer)
  })

  test.each(['resetPassword', 'remove'] as const)('is not signed in to during %s', async (change) => {
    let meanwhile: () => Promise<unknown> = () => Promise.resolve()
    const own = await startTestServer({
      passwordHashing: {
        ...rememberedHashing,
        verify: async (input) => (await rememberedHashing.verify(input)) && (await meanwhile(), true),
      },
    })
    const account = await makeAccount(own)
    const { administration } = own.services.authenticator
    meanwhile = async () => administration?.[change](account.email, { posts: 'remove' })
    const answer = await signIn(own, account)
    expect([answer.status, await statusFor(own, cookieOf(answer))]).toEqual([401, 401])
    expect(await answer.json()).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' })
  })

  test('ends its session at sign-out', async () => {
    const cookie = cookieOf(await signUp(server()))
    expect(await viewerOf(server(), cookie)).not.toBeNull()
    const answer = await server().postAccount('/sign-out', {}, { cookie })
    expect(answer.status).toBe(200)
    expect(await viewerOf(server(), cookie)).toBeNull()
    expect((await server().request('/trpc/images.quota', { headers: { cookie } })).status).toBe(401)
  })

  test('rejects a tampered cookie', async () => {
    const cookie = cookieOf(await signUp(server()))
    for (const forged of [
      cookie.slice(0, -6),
      tamperedWith(cookie),
      cookie.replace(/\..*/, ''),
      'better-auth.session_token=a.b.c',
    ]) {
      expect(await viewerOf(server(), forged)).toBeNull()
    }
  })

  test.each([
    ['  Asha   Rao ', 'Asha'],
    ['रवि कुमार', 'रवि'],
    ['<b>Asha</b>', '<b>Asha</b>'],
  ])('named %j has the first name %j', async (name, firstName) => {
    expect(await viewerOf(server(), cookieOf(await signUp(server(), { name })))).toMatchObject({ firstName })
  })

  test('is not created from invalid input', async () => {
    // better-auth prints invalid JSON to the console, bypassing its logger.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const account = { name: 'Asha Rao', email: `${freshAddress()}@example.org`, password }
    const fields = [
      { name: ' \u200b ' },
      { name: 'x'.repeat(81) },
      { name: '👩‍👩‍👧‍👦'.repeat(30) },
      { name: 5 },
      { email: 'no address' },
      { email: ['a@example.org'] },
    ]
    const bodies = [...fields.map((field) => Object.assign({}, account, field)), 'not json', '[]', 'null', '']
    for (const body of bodies) {
      const answer = await server().postAccount('/sign-up/email', body)
      expect([body, Math.floor(answer.status / 100)]).toEqual([body, 4])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test.each([
    ['password', 400, 'PASSWORD_TOO_WEAK'],
    ['aaa', 400, 'PASSWORD_TOO_SHORT'],
    ['x'.repeat(129), 400, 'PASSWORD_TOO_LONG'],
    ['x'.repeat(1_000_000), 413, 'too_large'],
  ])('is not created with an invalid password: %#', async (newPassword, status, code) => {
    const answer = await signUp(server(), { password: newPassword })
    expect([answer.status, await answer.json()]).toMatchObject([status, { code }])
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  const longestEmail = `${'x'.repeat(64)}@${'y'.repeat(185)}.org`
  const longEmails = [`${'x'.repeat(64)}@${'y'.repeat(186)}.org`, `${'x'.repeat(65)}@example.org`]

  test('accepts an email of 254 characters, 64 of them before the @', async () => {
    expect((await signUp(server(), { email: longestEmail })).status).toBe(200)
    const answer = await server().postAccount('/sign-in/email', { email: longestEmail, password })
    expect(answer.status).toBe(200)
  })

  test.each(longEmails)('is neither made nor looked for with a longer email address', async (email) => {
    for (const path of ['/sign-up/email', '/sign-in/email']) {
      const answer = await server().postAccount(path, { name: 'Asha', email, password })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({
        code: 'EMAIL_TOO_LONG',
        message: 'An email address has at most 254 characters, 64 of them before the @.',
      })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test('has the role member and no avatar, whatever its sign-up says', async () => {
    const role = 'administrator'
    const image = 'https://elsewhere.example.org/pixel.gif'
    for (const more of [{ role, image }, { role: [role] }, { isAdministrator: true }, { data: { role } }]) {
      const answer = await signUp(server(), more)
      expect(await viewerOf(server(), cookieOf(answer))).toMatchObject({ imageUrl: null, role: 'member' })
    }
  })

  test('is created once by concurrent requests', async () => {
    const emails = ['twice@example.org', 'Twice@example.org', 'twice@EXAMPLE.org']
    const answers = await Promise.all(emails.map((email) => signUp(server(), { email })))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422, 422])
    for (const answer of answers) {
      if (answer.status === 200) expect(await viewerOf(server(), cookieOf(answer))).not.toBeNull()
      else expect(await answer.json()).toMatchObject({ code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL' })
    }
  })
})

test('SIGN_UP=closed rejects new accounts, and existing ones can sign in', async () => {
  const env = { AUTH_SECRET: 'x'.repeat(32) }
  const open = await startTestServer({ env })
  await signUp(open, { email: 'asha@example.org' })
  const closed = await startTestServer({ folder: open.directory, env: { ...env, SIGN_UP: 'closed' } })
  const rejected = await signUp(closed)
  expect(rejected.status).toBe(400)
  expect(await rejected.json()).toEqual({
    code: 'EMAIL_PASSWORD_SIGN_UP_DISABLED',
    message: 'Sign-up is closed on this site.',
  })
  expect(rejected.headers.getSetCookie()).toEqual([])
  const signedIn = await closed.postAccount('/sign-in/email', { email: 'asha@example.org', password })
  expect(await viewerOf(closed, cookieOf(signedIn))).toMatchObject({ firstName: 'Asha' })
})

describe('cookies with HTTPS', () => {
  const isSecure = (answer: Response) =>
    answer.headers.getSetCookie().map((cookie) => /; Secure/i.test(cookie))
  const https = { 'x-forwarded-proto': 'https' }

  test('are Secure if PUBLIC_URL is https', async () => {
    const origin = 'https://pictures.example.org'
    const server = await startTestServer({ env: { PUBLIC_URL: origin } })
    const answer = await signUp(server, {}, { origin })
    expect(isSecure(answer)).toEqual([true])
    expect(await viewerOf(server, cookieOf(answer))).toMatchObject({ firstName: 'Asha' })
  })

  test('are Secure behind a trusted proxy, and accepted back', async () => {
    const server = await startTestServer()
    const signedUp = await signUp(server, {}, https)
    expect(isSecure(signedUp)).toEqual([true])
    const cookie = cookieOf(signedUp)
    expect(await viewerOf(server, cookie)).toMatchObject({ firstName: 'Asha' })
    const signedOut = await server.postAccount('/sign-out', {}, { cookie, ...https })
    expect(isSecure(signedOut)).not.toContain(false)
    expect(await viewerOf(server, cookie)).toBeNull()
    expect(isSecure(await signUp(server))).toEqual([false])
  })

  test('are not Secure if the header is not from a trusted proxy', async () => {
    const server = await startTestServer({ env: { TRUST_PROXY: 'off' } })
    expect(isSecure(await signUp(server, {}, https))).toEqual([false])
  })
})

describe('no other path below /api/auth responds', () => {
  const server = shareTestServer()
  test.each([
    ['POST', '/forget-password'],
    ['POST', '/change-email'],
    ['POST', '/set-password'],
    ['POST', '/revoke-session'],
    ['GET', '/delete-user/callback'],
    ['POST', '/update-session'],
    ['POST', '/sign-in/social'],
    ['GET', '/list-sessions'],
    ['GET', '/error'],
    ['GET', '/callback/google'],
    ['GET', ''],
    ['POST', '/sign-in/email/'],
    ['POST', '//sign-in/email'],
    ['PUT', '/sign-in/email'],
  ])('%s /api/auth%s', async (method, address) => {
    const response = await server().request(`/api/auth${address}`, {
      method,
      headers: { origin: server().url },
    })
    expect(response.status).toBe(404)
  })
})
