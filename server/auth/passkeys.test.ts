import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { passkeysMax } from '../../shared/account.ts'
import { makeAccount, statusFor, type TestAccount } from '../../test/support/accounts.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { PasskeyBrowser, TestPasskey, type Deviations } from '../../test/support/passkeys.ts'
import { shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { changeAccess } from '../access/user-access.ts'

const server = shareTestServer()
let asha: TestAccount
let browser: PasskeyBrowser

beforeEach(async () => {
  asha = await makeAccount(server())
  browser = new PasskeyBrowser(server(), asha.cookie)
})

/** Returns the status and the error code of a response. */
async function outcome(response: Response): Promise<[number, unknown]> {
  const { code } = (await response.json()) as { code?: unknown }
  return [response.status, code]
}

const stranger = () => new PasskeyBrowser(server())

const deviations: readonly [string, Deviations][] = [
  ['without verification of the user', { isVerified: false }],
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another domain', { rpId: 'evil.example' }],
]

describe('adding a passkey', () => {
  test('lists it with its name, and without its key', async () => {
    const added = await browser.add(new TestPasskey(), '  Laptop \u202e of\nAsha ')
    expect(added.status).toBe(200)
    const { id } = (await added.json()) as { id: string }
    expect(await asha.trpc.account.passkeys.list.query()).toEqual([
      {
        id,
        name: 'Laptop  of Asha',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        lastUsedAt: null,
      },
    ])
  })

  test('asks for a discoverable credential and verification of the user', async () => {
    const first = new TestPasskey()
    await browser.add(first)
    expect(await browser.options('register')).toMatchObject({
      rp: { id: 'localhost', name: 'Rangoli' },
      user: { name: asha.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: first.id.toString('base64url') }],
    })
  })

  test('requires a session that began in the last 15 minutes', async () => {
    const options = await browser.options('register')
    const earlier = new Date(Date.now() - 16 * 60_000).toISOString()
    await sql`UPDATE session SET "createdAt" = ${earlier} WHERE "userId" = ${asha.id}`.execute(
      server().services.db,
    )
    const refused = [403, 'SESSION_NOT_FRESH']
    expect(await outcome(await browser.call('/passkey/generate-register-options'))).toEqual(refused)
    const response = new TestPasskey().register(options, browser.origin)
    const body = { name: 'Laptop', response }
    expect(await outcome(await browser.call('/passkey/verify-registration', body))).toEqual(refused)
    expect(await asha.trpc.account.passkeys.list.query()).toEqual([])
  })

  test.each(deviations)('rejects a credential %s', async (_, deviation) => {
    const code = deviation.isVerified === false ? 'USER_VERIFICATION_MISSING' : 'bad_input'
    expect(await outcome(await browser.add(new TestPasskey(), 'Laptop', deviation))).toEqual([400, code])
    expect(await asha.trpc.account.passkeys.list.query()).toEqual([])
  })

  test('rejects the credential of another account', async () => {
    const passkey = new TestPasskey()
    expect((await browser.add(passkey)).status).toBe(200)
    const meera = await makeAccount(server())
    const impostor = new TestPasskey(passkey.id)
    const answer = await new PasskeyBrowser(server(), meera.cookie).add(impostor)
    expect(await outcome(answer)).toEqual([400, 'PREVIOUSLY_REGISTERED'])
    expect((await stranger().signIn(passkey)).status).toBe(200)
    expect((await stranger().signIn(impostor)).status).toBe(400)
  })

  test('is limited to 20 for each account, also at the same time', async () => {
    const { db } = server().services
    await browser.add(new TestPasskey())
    const copies = Array.from({ length: passkeysMax - 2 }, (_, index) => `${asha.id}-${index}`)
    for (const copy of copies) {
      await sql`
        INSERT INTO passkey
          (id, name, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp", "createdAt")
        SELECT ${copy}, name, "publicKey", "userId", ${copy}, counter, "deviceType", "backedUp", "createdAt"
        FROM passkey WHERE "userId" = ${asha.id} LIMIT 1`.execute(db)
    }
    // Each in a browser of its own, as a browser has one challenge at a time.
    const browsers = [1, 2, 3].map(() => new PasskeyBrowser(server(), asha.cookie))
    const answers = await Promise.all(browsers.map((each) => each.add(new TestPasskey())))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    const listed = await asha.trpc.account.passkeys.list.query()
    expect(listed.length).toBeLessThanOrEqual(passkeysMax)
    if (listed.length < passkeysMax) expect((await browser.add(new TestPasskey())).status).toBe(200)
    expect(await outcome(await browser.call('/passkey/generate-register-options'))).toEqual([
      400,
      'bad_input',
    ])
  })

  test.each<[object, string]>([
    [{ name: 7, response: {} }, 'BAD_INPUT'],
    [registrationOf({ clientDataJSON: '=' }), 'BAD_INPUT'],
    [registrationOf({ transports: ["'; DROP TABLE passkey"] }), 'BAD_INPUT'],
    [registrationOf({ attestationObject: 'A'.repeat(33_000) }), 'BAD_INPUT'],
    [{ ...registrationOf({}), createSession: true }, 'BAD_INPUT'],
    [{ ...registrationOf({}), name: ' \u200b ' }, 'NAME_MISSING'],
    [{ ...registrationOf({}), name: 'x'.repeat(81) }, 'NAME_TOO_LONG'],
    [registrationOf({ clientDataJSON: 'bnVsbA' }), 'bad_input'],
  ])('rejects malformed input %#', async (body, code) => {
    await browser.options('register')
    expect(await outcome(await browser.call('/passkey/verify-registration', body))).toEqual([400, code])
  })

  test('rejects parameters of its options', async () => {
    const response = await browser.call('/passkey/generate-register-options?name=Root')
    expect(await outcome(response)).toEqual([400, 'BAD_INPUT'])
  })
})

function registrationOf(response: Record<string, unknown>) {
  return {
    name: 'Laptop',
    response: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', ...response },
    },
  }
}

describe('signing in with a passkey', () => {
  let passkey: TestPasskey

  beforeEach(async () => {
    passkey = new TestPasskey()
    expect((await browser.add(passkey)).status).toBe(200)
  })

  test('starts a session without a password, and records the time', async () => {
    const before = Date.now()
    const other = stranger()
    const answer = await other.signIn(passkey)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { user: { id: asha.id, name: 'Asha Rao', email: asha.email } },
    ])
    expect(await statusFor(server(), other.cookie)).toBe(200)
    const [{ lastUsedAt } = { lastUsedAt: null }] = await asha.trpc.account.passkeys.list.query()
    expect(Date.parse(lastUsedAt ?? '')).toBeGreaterThanOrEqual(before)
  })

  test('asks for verification of the user, and names no credentials', async () => {
    const options = { rpId: 'localhost', userVerification: 'required' }
    expect(await stranger().options('authenticate')).toMatchObject(options)
    expect(await browser.options('authenticate')).not.toHaveProperty('allowCredentials')
  })

  test('makes the browser known to the limit of password attempts', async () => {
    const cookies = (await stranger().signIn(passkey)).headers.getSetCookie()
    expect(cookies).toContainEqual(expect.stringMatching(/device_[0-9a-f]{16}=.*Path=\/api\/auth\/sign-in/))
  })

  test.each(deviations)('rejects an answer %s', async (_, deviation) => {
    const code = deviation.isVerified === false ? 'USER_VERIFICATION_MISSING' : 'AUTHENTICATION_FAILED'
    const other = stranger()
    expect(await outcome(await other.signIn(passkey, deviation))).toEqual([400, code])
    expect(await statusFor(server(), other.cookie)).toBe(401)
  })

  test('accepts an answer once', async () => {
    const other = stranger()
    const response = passkey.authenticate(await other.options('authenticate'), other.origin)
    const send = () => other.call('/passkey/verify-authentication', { response })
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  })

  test('rejects a blocked user', async () => {
    await changeAccess(server().services.db, asha.id, { blocked_at: Date.now() })
    const other = stranger()
    expect(await outcome(await other.signIn(passkey))).toEqual([403, 'ACCOUNT_BLOCKED'])
    expect(await statusFor(server(), other.cookie)).toBe(401)
  })

  test('rejects a user who has not verified their email, if the site requires it', async () => {
    const folder = await tempFolder()
    const before = await startTestServer({ folder })
    const meera = await makeAccount(before)
    await new PasskeyBrowser(before, meera.cookie).add(passkey)
    await before.stop()
    const mail = { SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'gallery@example.org' }
    const after = await startTestServer({ folder, env: { ...mail, REQUIRE_VERIFIED_EMAIL: 'on' } })
    const visitor = new PasskeyBrowser(after)
    expect(await outcome(await visitor.signIn(passkey))).toEqual([403, 'EMAIL_NOT_VERIFIED'])
    expect(await statusFor(after, visitor.cookie)).toBe(401)
    await sql`UPDATE "user" SET "emailVerified" = true`.execute(after.services.db)
    expect((await visitor.signIn(passkey)).status).toBe(200)
  })

  test.runIf(inject('postgresUrl') !== undefined)('works across processes', async () => {
    const other = await startTestServer({ folder: server().directory })
    const visitor = stranger()
    const options = await visitor.options('authenticate')
    const elsewhere = new PasskeyBrowser(other, visitor.cookie)
    const response = passkey.authenticate(options, elsewhere.origin)
    const answer = await elsewhere.call('/passkey/verify-authentication', { response })
    expect(answer.status).toBe(200)
    expect(await statusFor(server(), elsewhere.cookie)).toBe(200)
    const again = await visitor.call('/passkey/verify-authentication', { response })
    expect(await outcome(again)).toEqual([400, 'CHALLENGE_NOT_FOUND'])
  })

  test.each([[{ response: null }], [{ response: { id: { $ne: '' } } }]])(
    'rejects the input %o',
    async (body) => {
      const other = stranger()
      await other.options('authenticate')
      const answer = await other.call('/passkey/verify-authentication', body)
      expect(await outcome(answer)).toEqual([400, 'BAD_INPUT'])
    },
  )

  test('is limited for each network', async () => {
    const address = { 'x-forwarded-for': '203.0.113.77' }
    const calls = Array.from({ length: 31 }, () =>
      stranger().call('/passkey/generate-authenticate-options', undefined, address),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test('removes challenges that were not used', async () => {
    const { db } = server().services
    const expired = new Date(Date.now() - 1_000).toISOString()
    await sql`UPDATE verification SET "expiresAt" = ${expired}`.execute(db)
    await stranger().options('authenticate')
    const { rows } = await sql`SELECT 1 FROM verification`.execute(db)
    expect(rows).toHaveLength(1)
  })
})

describe('managing passkeys', () => {
  test('renames and deletes them, effective at once', async () => {
    const passkey = new TestPasskey()
    await browser.add(passkey, 'Laptop')
    await browser.add(new TestPasskey(), 'Phone')
    const { passkeys } = asha.trpc.account
    const [first, second] = await passkeys.list.query()
    const id = first?.id ?? ''
    expect(await passkeys.rename.mutate({ id, name: 'Old laptop' })).toEqual({ ...first, name: 'Old laptop' })
    expect(await passkeys.delete.mutate({ id })).toEqual({ id })
    expect(await passkeys.list.query()).toEqual([second])
    expect(await outcome(await stranger().signIn(passkey))).toEqual([401, 'PASSKEY_NOT_FOUND'])
    const gone = { message: 'Passkey not found.', data: { httpStatus: 404 } }
    await expect(passkeys.delete.mutate({ id })).rejects.toMatchObject(gone)
    await expect(passkeys.rename.mutate({ id, name: 'Laptop' })).rejects.toMatchObject(gone)
  })

  test('concerns own passkeys only', async () => {
    await browser.add(new TestPasskey())
    const [{ id } = { id: '' }] = await asha.trpc.account.passkeys.list.query()
    const { passkeys } = (await makeAccount(server())).trpc.account
    expect(await passkeys.list.query()).toEqual([])
    await expect(passkeys.delete.mutate({ id })).rejects.toMatchObject({ data: { httpStatus: 404 } })
    await expect(passkeys.rename.mutate({ id, name: 'x' })).rejects.toThrow('Passkey not found.')
    expect(await asha.trpc.account.passkeys.list.query()).toHaveLength(1)
  })

  test('rejects a name that is missing or too long', async () => {
    for (const name of ['', 'x'.repeat(81)])
      await expect(asha.trpc.account.passkeys.rename.mutate({ id: 'x', name })).rejects.toThrow(/name/)
  })
})

test.each(['/passkey/list-user-passkeys', '/passkey/delete-passkey', '/passkey/update-passkey'])(
  'the path %s of the library is not open',
  async (path) => {
    expect((await browser.call(path, {})).status).toBe(404)
    expect((await browser.call(path)).status).toBe(404)
  },
)

test('a new password removes a passkey that is added, and ends a session that begins with one, at the same time', async () => {
  const { administration } = server().services.authenticator
  for (let round = 0; round < 2; round += 1) {
    const account = await makeAccount(server())
    const owner = new PasskeyBrowser(server(), account.cookie)
    const passkey = new TestPasskey()
    await owner.add(passkey)
    const thief = stranger()
    const registration = await owner.options('register')
    const authentication = await thief.options('authenticate')
    const added = new TestPasskey()
    await Promise.all([
      owner.call('/passkey/verify-registration', {
        name: 'Laptop',
        response: added.register(registration, owner.origin),
      }),
      thief.call('/passkey/verify-authentication', {
        response: passkey.authenticate(authentication, thief.origin),
      }),
      administration?.resetPassword(account.email),
    ])
    expect(await statusFor(server(), thief.cookie)).toBe(401)
    expect((await stranger().signIn(added)).status).toBe(401)
  }
})

test('passkeys belong to the domain of PUBLIC_URL, not to that of the request', async () => {
  const other = await startTestServer({ env: { PUBLIC_URL: 'https://gallery.example.org' } })
  const answer = await other.request('/api/auth/passkey/generate-authenticate-options', {
    headers: { 'x-forwarded-host': 'evil.example' },
  })
  expect(await answer.json()).toMatchObject({ rpId: 'gallery.example.org' })
})
