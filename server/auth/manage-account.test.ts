import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  makeAccount,
  otherDevice,
  signIn,
  statusFor,
  tamperedWith,
  type TestAccount,
} from '../../test/support/accounts.ts'
import { cookieOf, shareTestServer } from '../../test/support/test-server.ts'

const server = shareTestServer()

const profileOf = (id: string) => server().services.authenticator.profileOf(id)

describe('the name', () => {
  const rename = (cookie: string, body: unknown) => server().postAccount('/update-user', body, { cookie })

  test('is changed on every device, and cleaned as at sign-up', async () => {
    const asha = await makeAccount(server())
    const phone = await otherDevice(server(), asha)
    const answer = await rename(asha.cookie, { name: '  आशा\u202e   राव ' })
    expect(answer.status).toBe(200)
    expect(await profileOf(asha.id)).toMatchObject({ name: 'आशा   राव' })
    for (const cookie of [asha.cookie, phone, cookieOf(answer)]) {
      expect(await server().client({ cookie }).viewer.query()).toMatchObject({ firstName: 'आशा' })
    }
  })

  test('is changed to a valid one only, and nothing with it', async () => {
    const asha = await makeAccount(server())
    const before = await profileOf(asha.id)
    for (const body of [
      { name: ' \u200b ' },
      { name: 'x'.repeat(81) },
      { name: 5 },
      {},
      { name: 'Ravi', image: 'https://elsewhere.example.org/pixel.gif' },
      { name: 'Ravi', email: 'ravi@example.org' },
      { name: 'Ravi', emailVerified: true },
      { name: 'Ravi', role: 'administrator' },
      [],
    ]) {
      const answer = await rename(asha.cookie, body)
      expect([body, Math.floor(answer.status / 100)]).toEqual([body, 4])
    }
    expect(await profileOf(asha.id)).toEqual(before)
    expect(await asha.trpc.viewer.query()).toMatchObject({ imageUrl: null, role: 'member' })
  })
})

describe('the password', () => {
  const change = (cookie: string, body: unknown) => server().postAccount('/change-password', body, { cookie })

  test('is changed, which ends every other session, whatever the call asks for', async () => {
    const asha = await makeAccount(server())
    const phone = await otherDevice(server(), asha)
    const newPassword = 'a second password'
    const body = { currentPassword: asha.password, newPassword, revokeOtherSessions: false }
    const answer = await change(asha.cookie, body)
    expect(answer.status).toBe(200)
    expect(await statusFor(server(), phone)).toBe(401)
    expect(await statusFor(server(), asha.cookie)).toBe(401)
    expect(await statusFor(server(), cookieOf(answer))).toBe(200)
    expect((await signIn(server(), asha)).status).toBe(401)
    expect((await signIn(server(), { ...asha, password: newPassword })).status).toBe(200)
  })

  test.each([
    ['a wrong one', { currentPassword: 'not the first' }, 'INVALID_PASSWORD'],
    ['none', { currentPassword: undefined }, 'VALIDATION_ERROR'],
    ['10,000 characters', { currentPassword: 'x'.repeat(10_000) }, 'PASSWORD_TOO_LONG'],
    ['a new one that is short', { newPassword: 'short' }, 'PASSWORD_TOO_SHORT'],
    ['a new one of 1,000,000 characters', { newPassword: 'x'.repeat(1_000_000) }, 'too_large'],
    ['a new one that is the name', { newPassword: 'asha rao' }, 'PASSWORD_TOO_WEAK'],
  ])('is not changed with %s, and sessions remain', async (_, extra, code) => {
    const asha = await makeAccount(server())
    const phone = await otherDevice(server(), asha)
    const body = { currentPassword: asha.password, newPassword: 'a second password', ...extra }
    const answer = await change(asha.cookie, body)
    expect(answer.status).toBe(code === 'too_large' ? 413 : 400)
    expect(await answer.json()).toMatchObject({ code, message: expect.stringMatching(/./) })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await statusFor(server(), asha.cookie)).toBe(200)
    expect(await statusFor(server(), phone)).toBe(200)
    expect((await signIn(server(), asha)).status).toBe(200)
  })
})

test('signing out everywhere ends every session of the user, and none of other users', async () => {
  const [asha, ravi] = [await makeAccount(server()), await makeAccount(server())]
  const phone = await otherDevice(server(), asha)
  const answer = await server().postAccount('/revoke-sessions', {}, { cookie: asha.cookie })
  expect(answer.status).toBe(200)
  expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/session_token=;.*Max-Age=0/))
  expect(await statusFor(server(), asha.cookie)).toBe(401)
  expect(await statusFor(server(), phone)).toBe(401)
  expect(await statusFor(server(), ravi.cookie)).toBe(200)
  expect((await signIn(server(), asha)).status).toBe(200)
})

describe.each(['/update-user', '/change-password', '/revoke-sessions', '/delete-user'])('%s', (address) => {
  const password = 'a first password'
  const good = { name: 'Ravi', currentPassword: password, newPassword: 'a second password', password }

  test('is rejected without a valid session, before its input is read', async () => {
    const asha = await makeAccount(server())
    const post = (cookie: string, body: object = good) =>
      server().postAccount(address, body, cookie === '' ? {} : { cookie })
    for (const cookie of ['', 'better-auth.session_token=a.b.c', tamperedWith(asha.cookie)]) {
      for (const body of [good, {}]) expect((await post(cookie, body)).status).toBe(401)
    }
    await setExpiry(asha, -day)
    expect((await post(asha.cookie)).status).toBe(401)
    expect(await asha.trpc.viewer.query()).toBeNull()
    expect(await profileOf(asha.id)).toMatchObject({ name: 'Asha Rao' })
    expect((await signIn(server(), asha)).status).toBe(200)
  })
})

const day = 24 * 60 * 60 * 1_000

async function setExpiry(account: TestAccount, expiresIn: number): Promise<void> {
  const expiresAt = new Date(Date.now() + expiresIn).toISOString()
  await sql`UPDATE session SET "expiresAt" = ${expiresAt} WHERE "userId" = ${account.id}`.execute(
    server().services.db,
  )
}

async function expiryOf(account: TestAccount): Promise<number> {
  const { rows } = await sql<{ expiresAt: string }>`
    SELECT "expiresAt" FROM session WHERE "userId" = ${account.id}`.execute(server().services.db)
  return new Date(rows[0]?.expiresAt ?? Number.NaN).getTime()
}

const getSession = (cookie: string) => server().request('/api/auth/get-session', { headers: { cookie } })

test('renews a used session and its cookie for thirty days', async () => {
  const asha = await makeAccount(server())
  await setExpiry(asha, 2 * day)
  expect(await statusFor(server(), asha.cookie)).toBe(200)
  const answer = await getSession(asha.cookie)
  expect(answer.status).toBe(200)
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/; Max-Age=2592000/)])
  expect(await expiryOf(asha)).toBeGreaterThan(Date.now() + 29 * day)
  expect(await statusFor(server(), cookieOf(answer))).toBe(200)
})

test('keeps the cookie when an expired session is queried, as it may be a new one', async () => {
  const asha = await makeAccount(server())
  const { db } = server().services
  await db.deleteFrom('session').execute()
  const answer = await getSession(asha.cookie)
  expect([answer.status, await answer.json()]).toEqual([200, null])
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('does not renew a fresh session', async () => {
  const asha = await makeAccount(server())
  const before = await expiryOf(asha)
  expect((await getSession(asha.cookie)).headers.getSetCookie()).toEqual([])
  expect(await expiryOf(asha)).toBe(before)
})
