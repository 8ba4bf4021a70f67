import { describe, expect, test } from 'vitest'
import { failWrites } from '../../test/support/databases.ts'
import { makeAccount, otherDevice, signIn, statusFor } from '../../test/support/accounts.ts'
import { freshAddress, shareTestServer, type TestServer } from '../../test/support/test-server.ts'
import type { PasswordLimits } from './password-attempts.ts'

/** Few attempts, and waits longer than any test. */
const wait = { minWaitSeconds: 600, maxWaitSeconds: 600 }
const passwordLimits: PasswordLimits = {
  network: { freeAttempts: 2, ...wait },
  anyAccount: { freeAttempts: 1_000, ...wait },
  strangers: { freeAttempts: 3, ...wait },
  device: { freeAttempts: 3, ...wait },
}

const wrongPassword = 'not the first password'

/** Tries a password, from an address of its own unless the headers set one. */
function tryPassword(
  server: TestServer,
  email: string,
  password = wrongPassword,
  headers: Record<string, string> = {},
): Promise<Response> {
  return server.postAccount('/sign-in/email', { email, password }, headers)
}

/** Tries passwords, each from another network, until one has to wait. */
async function strangersTry(server: TestServer, email: string): Promise<Response> {
  for (let tries = 0; tries < 3; tries += 1) {
    expect((await tryPassword(server, email)).status).toBe(401)
  }
  const rejected = await tryPassword(server, email)
  expect(rejected.status).toBe(429)
  return rejected
}

const server = shareTestServer({ passwordLimits })

describe('password attempts at one account from many networks', () => {
  test('have to wait, and get the time to wait', async () => {
    const { email } = await makeAccount(server())
    const rejected = await strangersTry(server(), email)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(500)
    expect(await rejected.json()).toEqual({
      code: 'rate_limited',
      message: 'Too many attempts. Try again in 10 minutes.',
      detail: { code: 'rate_limit', values: { what: 'attempts', seconds: 600 } },
    })
  })

  test('get the same response whether the account exists or not', async () => {
    const { email } = await makeAccount(server())
    const answers = async (address: string) => {
      const found: unknown[] = []
      for (let tries = 0; tries < 5; tries += 1) {
        const answer = await tryPassword(server(), address)
        const text = (await answer.text()).replace(/"seconds":\d+/, '')
        found.push([answer.status, text, answer.headers.getSetCookie()])
      }
      return found
    }
    expect(await answers(email)).toEqual(await answers(`${freshAddress()}@example.org`))
  })

  test('are limited when made concurrently', async () => {
    const { email } = await makeAccount(server())
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryPassword(server(), email)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
    const ravi = await makeAccount(server())
    expect((await signIn(server(), ravi)).status).toBe(200)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(17)
  })

  test('are not compared with the password while they have to wait', async () => {
    const { email, password } = await makeAccount(server())
    await strangersTry(server(), email)
    const answer = await tryPassword(server(), email, password)
    expect(answer.status).toBe(429)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('do not count if rejected for another reason than the password, or if it was right', async () => {
    const { email, password } = await makeAccount(server())
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await tryPassword(server(), email, 'x'.repeat(129))).status).toBe(400)
      expect((await tryPassword(server(), email, password)).status).toBe(200)
    }
  })

  test('do not count if the database failed', async () => {
    const { email, password } = await makeAccount(server())
    const { db } = server().services
    const recover = await failWrites(db, 'INSERT', 'session')
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await tryPassword(server(), email, password)).status).toBe(500)
    }
    await recover()
    expect((await tryPassword(server(), email, password)).status).toBe(200)
  })
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:5:6::1', '2001:db8:5:6:ffff::9'],
])('one network has to wait earlier, without affecting others: %s and %s', async (one, another) => {
  const { email, password } = await makeAccount(server())
  const from = (address: string) =>
    tryPassword(server(), email.toUpperCase(), wrongPassword, { 'x-forwarded-for': address })
  expect((await from(one)).status).toBe(401)
  expect((await from(another)).status).toBe(401)
  expect((await from(one)).status).toBe(429)
  expect((await tryPassword(server(), email, password)).status).toBe(200)
})

describe('while others have to wait, the owner of the account can sign in', () => {
  test.each([
    ['192.0.2.9', '192.0.2.9'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ['::ffff:192.0.2.8', '192.0.2.8'],
  ])('on a network from which the account has a session: %s, then %s', async (before, now) => {
    const email = `owner-${freshAddress()}@example.org`
    const password = 'a first password'
    const account = { name: 'Asha', email, password }
    await server().postAccount('/sign-up/email', account, { 'x-forwarded-for': before })
    await strangersTry(server(), email)
    expect((await tryPassword(server(), email, password, { 'x-forwarded-for': now })).status).toBe(200)
    expect((await tryPassword(server(), email, password)).status).toBe(429)
  })

  test('with a browser that has signed in before, on any network and after signing out', async () => {
    const asha = await makeAccount(server())
    const cookie = await otherDevice(server(), asha)
    await server().postAccount('/sign-out', {}, { cookie })
    await strangersTry(server(), asha.email)
    expect((await tryPassword(server(), asha.email, asha.password, { cookie })).status).toBe(200)
  })

  test('but not with the cookie of another account or a forged one', async () => {
    const [asha, ravi] = [await makeAccount(server()), await makeAccount(server())]
    const own = await otherDevice(server(), asha)
    const strangers = await otherDevice(server(), ravi)
    const [, nameOfOwn = ''] = /(better-auth\.device_\w+)=/.exec(own) ?? []
    const [, valueOfStrangers = ''] = /better-auth\.device_\w+=([^;]+)/.exec(strangers) ?? []
    await strangersTry(server(), asha.email)
    const { email, password } = asha
    for (const cookie of [strangers, `${nameOfOwn}=${valueOfStrangers}`, `${nameOfOwn}=a.b.c`]) {
      expect((await tryPassword(server(), email, password, { cookie })).status).toBe(429)
    }
  })
})

describe('a browser that has signed in before', () => {
  test('has to wait after its own wrong passwords, on any network', async () => {
    const asha = await makeAccount(server())
    const cookie = await otherDevice(server(), asha)
    const attempt = () => tryPassword(server(), asha.email, wrongPassword, { cookie })
    for (let tries = 0; tries < 3; tries += 1) expect((await attempt()).status).toBe(401)
    expect((await attempt()).status).toBe(429)
    expect((await signIn(server(), asha)).status).toBe(200)
  })

  test('is reset by the right password', async () => {
    const asha = await makeAccount(server())
    const cookie = await otherDevice(server(), asha)
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 0; tries < 2; tries += 1) {
        expect((await tryPassword(server(), asha.email, wrongPassword, { cookie })).status).toBe(401)
      }
      expect((await tryPassword(server(), asha.email, asha.password, { cookie })).status).toBe(200)
    }
  })

  test.each([
    ['/revoke-sessions', {}],
    ['/delete-user', { password: 'a first password' }],
  ])('is forgotten by %s', async (address, body) => {
    const asha = await makeAccount(server())
    const cookie = await otherDevice(server(), asha)
    const [, name = ''] = /(better-auth\.device_\w+)=/.exec(cookie) ?? []
    const answer = await server().postAccount(address, body, { cookie })
    expect(answer.status).toBe(200)
    const removed = answer.headers.getSetCookie().find((line) => line.startsWith(`${name}=;`))
    expect(removed).toMatch(/; Max-Age=0; Path=\/api\/auth\/sign-in;/)
  })

  test('is recognized by an HttpOnly cookie sent to sign-in only', async () => {
    const asha = await makeAccount(server())
    const cookies = (await signIn(server(), asha)).headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    expect(cookies[0]).toMatch(/session_token=/)
    expect(cookies[1]).toMatch(/^better-auth\.device_[0-9a-f]{16}=/)
    expect(cookies[1]).toMatch(/; Path=\/api\/auth\/sign-in; HttpOnly; SameSite=Lax$/)
    expect(cookies[1]).not.toContain(asha.email)
  })
})

describe.each([
  ['/change-password', { newPassword: 'a second password' }, 'currentPassword'],
  ['/delete-user', {}, 'password'],
])('a session that confirms a password at %s', (address, body, field) => {
  const confirm = (cookie: string, password: string) =>
    server().postAccount(address, { ...body, [field]: password }, { cookie })

  test('has to wait after its own wrong passwords, on any network, unlike other sessions', async () => {
    const asha = await makeAccount(server())
    const phone = await otherDevice(server(), asha)
    for (let tries = 0; tries < 3; tries += 1) {
      expect((await confirm(asha.cookie, wrongPassword)).status).toBe(400)
    }
    const rejected = await confirm(asha.cookie, asha.password)
    expect(rejected.status).toBe(429)
    expect(await rejected.json()).toMatchObject({ message: 'Too many attempts. Try again in 10 minutes.' })
    expect(await statusFor(server(), asha.cookie)).toBe(200)
    expect((await confirm(phone, asha.password)).status).toBe(200)
  })
})
