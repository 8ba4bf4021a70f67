import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeAccount, otherDevice, signIn, statusFor, tamperedWith } from '../../test/support/accounts.ts'
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

  test.each([
    { name: '' },
    { name: ' \u200b ' },
    { name: 'x'.repeat(81) },
    { name: 5 },
    { name: null },
    {},
    { name: 'Ravi', image: 'https://elsewhere.example.org/pixel.gif' },
    { image: 'https://elsewhere.example.org/pixel.gif' },
    { name: 'Ravi', email: 'ravi@example.org' },
    { name: 'Ravi', emailVerified: true },
    { name: 'Ravi', role: 'administrator' },
    { name: 'Ravi', id: 'x' },
    [],
    'Ravi',
  ])('is not changed to %j', async (body) => {
    const asha = await makeAccount(server())
    const before = await profileOf(asha.id)
    const answer = await rename(asha.cookie, body)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(await profileOf(asha.id)).toEqual(before)
    expect(await asha.trpc.viewer.query()).toEqual({
      id: asha.id,
      firstName: 'Asha',
      imageUrl: null,
      role: 'member',
    })
  })
})

test('ignores an avatar sent at sign-up', async () => {
  const answer = await server().postAccount('/sign-up/email', {
    name: 'Asha',
    email: 'with-an-image@example.org',
    password: 'correct horse',
    image: 'https://elsewhere.example.org/pixel.gif',
  })
  expect(answer.status).toBe(200)
  const viewer = await server()
    .client({ cookie: cookieOf(answer) })
    .viewer.query()
  expect(viewer).toMatchObject({ imageUrl: null })
})

describe('the password', () => {
  const change = (cookie: string, body: unknown) => server().postAccount('/change-password', body, { cookie })

  test.each([
    {},
    { revokeOtherSessions: false },
    { revokeOtherSessions: true },
    { revokeOtherSessions: 'no' },
  ])('is changed with %j, which ends every other session', async (extra) => {
    const asha = await makeAccount(server())
    const phone = await otherDevice(server(), asha)
    const newPassword = 'a second password'
    const answer = await change(asha.cookie, { currentPassword: asha.password, newPassword, ...extra })
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
    ['a list', { currentPassword: ['a first password'] }, 'VALIDATION_ERROR'],
    ['10,000 characters', { currentPassword: 'x'.repeat(10_000) }, 'PASSWORD_TOO_LONG'],
    ['a new one that is short', { newPassword: 'short' }, 'PASSWORD_TOO_SHORT'],
    ['a new one of 10,000 characters', { newPassword: 'x'.repeat(10_000) }, 'PASSWORD_TOO_LONG'],
    ['a new one of 1,000,000 characters', { newPassword: 'x'.repeat(1_000_000) }, 'too_large'],
    ['a new one that is tried first', { newPassword: 'Password' }, 'PASSWORD_TOO_WEAK'],
    ['a new one that is the name', { newPassword: 'asha rao' }, 'PASSWORD_TOO_WEAK'],
    ['no new one', { newPassword: undefined }, 'VALIDATION_ERROR'],
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
  const good = {
    name: 'Ravi',
    currentPassword: 'a first password',
    newPassword: 'a second password',
    password: 'a first password',
  }

  test.each([
    ['a visitor', () => ''],
    ['a forged cookie', () => 'better-auth.session_token=a.b.c'],
    ['a cookie that was tampered with', tamperedWith],
  ])('is rejected for %s', async (_, cookieFrom) => {
    const asha = await makeAccount(server())
    const cookie = cookieFrom(asha.cookie)
    for (const body of [good, {}]) {
      expect((await server().postAccount(address, body, cookie ? { cookie } : {})).status).toBe(401)
    }
    expect(await profileOf(asha.id)).toMatchObject({ name: 'Asha Rao' })
    expect((await signIn(server(), asha)).status).toBe(200)
  })

  test('is rejected for an expired session', async () => {
    const asha = await makeAccount(server())
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000).toISOString()
    await sql`UPDATE session SET "expiresAt" = ${yesterday} WHERE "userId" = ${asha.id}`.execute(
      server().services.db,
    )
    expect(await statusFor(server(), asha.cookie)).toBe(401)
    expect((await server().postAccount(address, good, { cookie: asha.cookie })).status).toBe(401)
    expect(await asha.trpc.viewer.query()).toBeNull()
    expect((await signIn(server(), asha)).status).toBe(200)
  })

  test('is rejected for a cross-site request and for GET', async () => {
    const { cookie } = await makeAccount(server())
    const foreign = { cookie, origin: 'https://elsewhere.example.org' }
    expect((await server().postAccount(address, good, foreign)).status).toBe(403)
    expect((await server().request(`/api/auth${address}`, { headers: { cookie } })).status).toBe(404)
    expect(await statusFor(server(), cookie)).toBe(200)
  })
})
