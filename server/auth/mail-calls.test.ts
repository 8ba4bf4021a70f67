import { allowProgram } from '../access/programs.ts'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { makeAccount, otherDevice, signIn, statusFor, type TestAccount } from '../../test/support/accounts.ts'
import { startMailServer, type ReceivedMail } from '../../test/support/mail.ts'
import { PasskeyBrowser, TestPasskey } from '../../test/support/passkeys.ts'
import {
  cookieOf,
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestServer,
} from '../../test/support/test-server.ts'

const mails = await startMailServer()
afterAll(() => mails.stop())

const newPassword = 'a second password'

const mailPaths = [
  '/request-password-reset',
  '/reset-password',
  '/send-verification-email',
  '/verify-email',
  '/change-email',
]

const freshEmail = () => `mail-${freshAddress()}@example.org`

/** Requests a link to choose a new password. */
const requestReset = (server: TestServer, email: string, headers: Record<string, string> = {}) =>
  server.postAccount('/request-password-reset', { email }, headers)

const reset = (server: TestServer, token: string, password = newPassword) =>
  server.postAccount('/reset-password', { token, newPassword: password })

const verify = (server: TestServer, token: string, cookie?: string) =>
  server.postAccount('/verify-email', { token }, cookie === undefined ? {} : { cookie })

/** Waits for a mail with a subject, and returns the token of its link. */
async function tokenFor(email: string, subject: RegExp): Promise<string> {
  const mail = await mailTo(email, subject)
  const token = new URL(mail.url ?? '').hash.replace(/^#token=/, '')
  expect(token).toMatch(/^[\w.-]{20,}$/)
  return token
}

/** Waits for the newest of the mails with a subject. */
async function mailTo(email: string, subject: RegExp, count = 1): Promise<ReceivedMail> {
  const received = await mails.waitForMails(email, count, subject)
  expect(received).toHaveLength(count)
  const newest = received.at(-1)
  if (!newest) throw new Error('unreachable')
  return newest
}

const resetSubject = /^Choose a new password/
const verifySubject = /^Confirm your email/
const changeSubject = /^Confirm your new email/

/** Requests a link to choose a new password, and returns its token. */
async function resetTokenFor(server: TestServer, { email }: { readonly email: string }): Promise<string> {
  await requestReset(server, email)
  return tokenFor(email, resetSubject)
}

/** Mails that an address has got so far. */
const mailsTo = (email: string, wanted = /^/) =>
  mails.mails.filter(({ to, subject }) => to === email && wanted.test(subject))

/** Replaces the password of an account by a provider, as if that had created it. */
async function replacePassword({ services: { db } }: TestServer, { id }: TestAccount): Promise<void> {
  await sql`UPDATE account SET "providerId" = 'oidc', password = NULL WHERE "userId" = ${id}`.execute(db)
}

async function isVerified(server: TestServer, { cookie }: { cookie: string }): Promise<unknown> {
  const response = await server.request('/api/auth/get-session', { headers: { cookie } })
  return ((await response.json()) as { user: { emailVerified: unknown } } | null)?.user.emailVerified
}

describe('a site with mail', () => {
  const server = shareTestServer({ env: mails.env })

  describe('a forgotten password', () => {
    test('is replaced by a link, which ends every session, revokes every API key and deletes every passkey', async () => {
      const asha = await makeAccount(server())
      const phone = await otherDevice(server(), asha)
      const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A script' })
      const passkey = new TestPasskey()
      await new PasskeyBrowser(server(), asha.cookie).add(passkey)
      expect((await requestReset(server(), asha.email.toUpperCase())).status).toBe(200)
      const mail = await mailTo(asha.email, resetSubject)
      expect(mail.url).toMatch(new RegExp(`^${server().url}/reset-password#token=\\w+$`))
      expect(mail.text).toContain('60 minutes')
      const answer = await reset(server(), await tokenFor(asha.email, resetSubject))
      expect(answer.status).toBe(200)
      expect(answer.headers.getSetCookie()).toEqual([])
      for (const cookie of [asha.cookie, phone]) expect(await statusFor(server(), cookie)).toBe(401)
      const withKey = await server().request('/trpc/images.quota', {
        headers: { authorization: `Bearer ${key}` },
      })
      expect(withKey.status).toBe(401)
      expect((await new PasskeyBrowser(server()).signIn(passkey)).status).toBe(401)
      expect((await signIn(server(), asha)).status).toBe(401)
      const signedIn = await signIn(server(), { ...asha, password: newPassword })
      expect(signedIn.status).toBe(200)
      expect(await isVerified(server(), { cookie: cookieOf(signedIn) })).toBe(true)
      await mailTo(asha.email, /was changed$/)
    })

    test('is replaced by a link, which disconnects the provider that a password connected', async () => {
      const { db } = server().services
      const [asha, ravi] = [await makeAccount(server()), await makeAccount(server())]
      // Connected with the password, and created by the provider.
      await sql`
        INSERT INTO account (id, "accountId", "providerId", "userId", "createdAt", "updatedAt")
        SELECT 'provider-' || id, "accountId", 'oidc', "userId", "createdAt", "updatedAt"
        FROM account WHERE "userId" = ${asha.id}`.execute(db)
      await replacePassword(server(), ravi)
      await verify(server(), await tokenFor(ravi.email, verifySubject))
      const providersAfterReset = async ({ id, email }: TestAccount) => {
        expect((await reset(server(), await resetTokenFor(server(), { email }))).status).toBe(200)
        const { rows } = await sql`
          SELECT "providerId" FROM account WHERE "userId" = ${id} ORDER BY 1`.execute(db)
        return rows
      }
      expect(await providersAfterReset(asha)).toEqual([{ providerId: 'credential' }])
      expect(await providersAfterReset(ravi)).toEqual([{ providerId: 'credential' }, { providerId: 'oidc' }])
    })

    test('is replaced once by each link, and by none of the earlier ones', async () => {
      const asha = await makeAccount(server())
      const first = await resetTokenFor(server(), asha)
      await requestReset(server(), asha.email)
      await mailTo(asha.email, resetSubject, 2)
      const tokens = mailsTo(asha.email, resetSubject).map(({ url }) => url?.split('#token=')[1] ?? '')
      const second = tokens.find((token) => token !== first) ?? ''
      const answers = await Promise.all([1, 2, 3].map(() => reset(server(), second)))
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400])
      for (const token of [second, first]) {
        const again = await reset(server(), token, 'a third password')
        expect(again.status).toBe(400)
        expect(await again.json()).toMatchObject({ code: 'INVALID_TOKEN' })
      }
      expect((await signIn(server(), { ...asha, password: newPassword })).status).toBe(200)
    })

    test('is not replaced by an invalid one, and the link stays valid', async () => {
      const asha = await makeAccount(server())
      const token = await resetTokenFor(server(), asha)
      for (const [password, code] of [
        ['password', 'PASSWORD_TOO_WEAK'],
        ['asha rao', 'PASSWORD_TOO_WEAK'],
        ['short', 'PASSWORD_TOO_SHORT'],
        ['x'.repeat(10_000), 'PASSWORD_TOO_LONG'],
      ] as const) {
        const answer = await reset(server(), token, password)
        expect([answer.status, await answer.json()]).toMatchObject([400, { code }])
      }
      expect((await reset(server(), token)).status).toBe(200)
    })

    test('has a link that is valid for an hour, stored as a hash, and rejected afterwards', async () => {
      const asha = await makeAccount(server())
      const token = await resetTokenFor(server(), asha)
      const { rows } = await sql<{ identifier: string; expiresAt: string | Date }>`
        SELECT identifier, "expiresAt" FROM verification WHERE value = ${asha.id}`.execute(
        server().services.db,
      )
      expect(rows).toHaveLength(1)
      expect(rows[0]?.identifier).not.toContain(token)
      const minutes = (new Date(rows[0]?.expiresAt ?? 0).getTime() - Date.now()) / 60_000
      expect(minutes).toBeGreaterThan(59)
      expect(minutes).toBeLessThanOrEqual(60)
      const past = new Date(Date.now() - 1_000).toISOString()
      await sql`UPDATE verification SET "expiresAt" = ${past} WHERE value = ${asha.id}`.execute(
        server().services.db,
      )
      const answer = await reset(server(), token)
      expect(await answer.json()).toMatchObject({ code: 'INVALID_TOKEN' })
      expect((await signIn(server(), asha)).status).toBe(200)
      expect(await statusFor(server(), asha.cookie)).toBe(200)
    })

    test('is not replaced by a link from before the password was changed', async () => {
      const asha = await makeAccount(server())
      const token = await resetTokenFor(server(), asha)
      const { services } = server()
      const viewer = { id: asha.id, firstName: 'Asha', imageUrl: null }
      await allowProgram(services, viewer, { name: 'Claude', host: '', scopes: ['read'], proof: [''] })
      const body = { currentPassword: asha.password, newPassword, endsPrograms: true }
      const changed = await server().postAccount('/change-password', body, { cookie: asha.cookie })
      expect(changed.status).toBe(200)
      const programs = services.db.selectFrom('api_keys').selectAll().where('user_id', '=', asha.id)
      expect(await programs.execute()).toEqual([])
      expect((await reset(server(), token, 'a third password')).status).toBe(400)
      await mailTo(asha.email, /was changed$/)
    })

    test('of an account without a password is set only if its email is verified', async () => {
      const [asha, ravi] = [await makeAccount(server()), await makeAccount(server())]
      for (const account of [asha, ravi]) await replacePassword(server(), account)
      await verify(server(), await tokenFor(ravi.email, verifySubject))
      for (const { email } of [asha, ravi]) {
        const answer = await requestReset(server(), email)
        expect([answer.status, await answer.text()]).toEqual([200, '{"status":true}'])
      }
      await reset(server(), await tokenFor(ravi.email, resetSubject))
      expect((await signIn(server(), { ...ravi, password: newPassword })).status).toBe(200)
      expect(mailsTo(asha.email, resetSubject)).toEqual([])
    })
  })

  test('invalid input is rejected', async () => {
    const email = 'asha@example.org'
    const inputs: Readonly<Record<string, readonly unknown[]>> = {
      '/request-password-reset': [
        {},
        [],
        'not json',
        { email: '' },
        { email: 'no address' },
        { email: [email] },
        { email: `${'x'.repeat(65)}@example.org` },
        { email, redirectTo: 'https://elsewhere.example.org' },
      ],
      '/reset-password': [{}, { token: '' }, { newPassword }, { token: ['unknown'], newPassword }],
      '/verify-email': [{}, { token: 5 }, { token: '' }, { token: 'a.b.c' }, 'not json'],
    }
    for (const [path, bodies] of Object.entries(inputs)) {
      for (const body of bodies) {
        const { status } = await server().postAccount(path, body)
        expect({ path, body, status }).toEqual({ path, body, status: expect.toBeOneOf([400, 401]) })
      }
    }
  })

  describe('an email', () => {
    test('is verified by the link that sign-up sends, which stays harmless', async () => {
      const asha = await makeAccount(server())
      expect(await isVerified(server(), asha)).toBe(false)
      const mail = await mailTo(asha.email, verifySubject)
      expect(mail.url).toMatch(new RegExp(`^${server().url}/verify-email#token=[\\w.-]+$`))
      const token = await tokenFor(asha.email, verifySubject)
      for (let times = 0; times < 2; times += 1) {
        const answer = await verify(server(), token)
        expect(answer.status).toBe(200)
        expect(answer.headers.getSetCookie()).toEqual([])
        expect(await isVerified(server(), asha)).toBe(true)
      }
    })

    test('gets another link on request, in a session or without', async () => {
      const asha = await makeAccount(server())
      await mailTo(asha.email, verifySubject)
      const { email, cookie } = asha
      expect((await server().postAccount('/send-verification-email', { email })).status).toBe(200)
      await mailTo(email, verifySubject, 2)
      expect((await server().postAccount('/send-verification-email', { email }, { cookie })).status).toBe(200)
      await mailTo(email, verifySubject, 3)
      const other = { email: freshEmail() }
      expect((await server().postAccount('/send-verification-email', other, { cookie })).status).toBe(400)
    })

    test('gets mails in the language of the request', async () => {
      const email = freshEmail()
      const account = { name: 'Asha', email, password: newPassword }
      await server().postAccount('/sign-up/email', account, { 'accept-language': 'es' })
      const [mail] = await mails.waitForMails(email, 1)
      expect(mail?.subject).toMatch(/^Confirma /)
      expect(mail?.html).toContain('lang="es"')
    })
  })

  describe('a change of the email', () => {
    const change = (account: TestAccount, body: Record<string, unknown>) =>
      server().postAccount(
        '/change-email',
        { password: account.password, ...body },
        { cookie: account.cookie },
      )

    test('is confirmed from the new email, in a session, and reported to the former one', async () => {
      const asha = await makeAccount(server())
      const resetToken = await resetTokenFor(server(), asha)
      const newEmail = freshEmail()
      expect((await change(asha, { newEmail })).status).toBe(200)
      const token = await tokenFor(newEmail, changeSubject)
      expect((await signIn(server(), asha)).status).toBe(200)

      const outside = await verify(server(), token)
      expect(outside.status).toBe(401)
      expect(outside.headers.getSetCookie()).toEqual([])
      const ravi = await makeAccount(server())
      expect(await (await verify(server(), token, ravi.cookie)).json()).toMatchObject({
        code: 'INVALID_USER',
      })
      expect((await signIn(server(), asha)).status).toBe(200)

      expect((await verify(server(), token, asha.cookie)).status).toBe(200)
      expect((await signIn(server(), asha)).status).toBe(401)
      expect((await signIn(server(), { ...asha, email: newEmail })).status).toBe(200)
      expect(await statusFor(server(), asha.cookie)).toBe(200)
      expect(await isVerified(server(), asha)).toBe(true)
      const notice = await mailTo(asha.email, /^Your email for .* was changed$/)
      expect(notice.text).not.toContain(newEmail)
      // The link went to the former email.
      expect((await reset(server(), resetToken)).status).toBe(400)
      expect((await verify(server(), token, asha.cookie)).status).toBe(400)
    })

    test.each<[Record<string, unknown>, string]>([
      [{ password: 'not the first' }, 'INVALID_PASSWORD'],
      [{ password: undefined }, 'INVALID_PASSWORD'],
      [{ password: 'x'.repeat(10_000) }, 'BAD_INPUT'],
      [{ newEmail: 'no address' }, 'VALIDATION_ERROR'],
      [{ newEmail: `${'x'.repeat(65)}@example.org` }, 'EMAIL_TOO_LONG'],
      [{ callbackURL: 'https://elsewhere.example.org' }, 'BAD_INPUT'],
      [{ newEmail: 'SAME@example.org' }, 'EMAIL_UNCHANGED'],
    ])('is rejected with %j', async (body, code) => {
      const isSame = code === 'EMAIL_UNCHANGED'
      const asha = await makeAccount(server(), isSame ? { email: 'same@example.org' } : {})
      const newEmail = freshEmail()
      const answer = await change(asha, { newEmail, ...body })
      expect([answer.status, await answer.json()]).toMatchObject([400, { code }])
      expect(mailsTo(newEmail)).toEqual([])
    })

    test('does not tell whether another account has the email, and sends nothing to it', async () => {
      const [asha, ravi] = [await makeAccount(server()), await makeAccount(server())]
      const newEmail = freshEmail()
      const answers = [await change(asha, { newEmail: ravi.email }), await change(asha, { newEmail })]
      expect(await answers[0]?.text()).toBe(await answers[1]?.text())
      await mailTo(newEmail, changeSubject)
      expect(mailsTo(ravi.email, changeSubject)).toEqual([])
    })

    test.each([1, 3])('of %s accounts to an email fails if another account has it by then', async (count) => {
      const newEmail = freshEmail()
      const verifying: (() => Promise<Response>)[] = []
      for (let accounts = 1; accounts <= count; accounts += 1) {
        const asha = await makeAccount(server())
        await change(asha, { newEmail })
        const token = new URL((await mailTo(newEmail, changeSubject, accounts)).url ?? '').hash.slice(7)
        verifying.push(() => verify(server(), token, asha.cookie))
      }
      if (count === 1) await makeAccount(server(), { email: newEmail })
      const answers = await Promise.all(verifying.map((attempt) => attempt()))
      const taken = answers.filter(({ status }) => status === 400)
      expect(taken).toHaveLength(Math.max(1, count - 1))
      for (const answer of taken) expect(await answer.json()).toMatchObject({ code: 'EMAIL_TAKEN' })
    })

    test('needs a sign-in of the last minutes if the account has no password', async () => {
      const { db } = server().services
      const asha = await makeAccount(server())
      await replacePassword(server(), asha)
      const newEmail = freshEmail()
      expect((await change(asha, { newEmail, password: undefined })).status).toBe(200)
      await mailTo(newEmail, changeSubject)
      const hourAgo = new Date(Date.now() - 60 * 60_000).toISOString()
      await sql`UPDATE session SET "createdAt" = ${hourAgo} WHERE "userId" = ${asha.id}`.execute(db)
      const answer = await change(asha, { newEmail: freshEmail(), password: undefined })
      expect(await answer.json()).toMatchObject({ code: 'SESSION_NOT_FRESH' })
    })
  })

  test('every call is rejected for a cross-site request, and for GET', async () => {
    const { cookie } = await makeAccount(server())
    const foreign = { cookie, origin: 'https://elsewhere.example.org' }
    const others = ['/update-user', '/change-password', '/revoke-sessions', '/delete-user']
    for (const path of [...mailPaths, ...others]) {
      expect((await server().postAccount(path, {}, foreign)).status).toBe(403)
      expect((await server().request(`/api/auth${path}`, { headers: { cookie } })).status).toBe(404)
      expect((await server().request(`/api/auth${path}/token`)).status).toBe(404)
    }
    const body = { newEmail: freshEmail(), password: newPassword }
    expect((await server().postAccount('/change-email', body)).status).toBe(401)
  })
})

describe('links', () => {
  const shared = shareTestServer({ env: mails.env })

  /** Returns how many of the calls from one network are accepted before one is rejected. */
  async function accepted(call: (headers: Record<string, string>) => Promise<Response>) {
    const headers = { 'x-forwarded-for': freshAddress() }
    for (let calls = 0; ; calls += 1) {
      const { status } = await call(headers)
      if (status === 429) return calls
      expect(status).toBe(200)
    }
  }

  /** Waits until no mail is queued, and counts those that were sent. */
  async function countMails({ services: { db } }: TestServer, email: string, subject: RegExp) {
    const queued = () => db.selectFrom('mails').select('id').where('recipient', '=', email).execute()
    await expect.poll(queued).toEqual([])
    return mailsTo(email, subject).length
  }

  test('are limited per kind, email and network, with an account or without', async () => {
    const server = shared()
    for (const [path, email] of [
      ['/request-password-reset', (await makeAccount(server)).email],
      ['/request-password-reset', freshEmail()],
      ['/send-verification-email', freshEmail()],
    ] as const) {
      const request = (headers: Record<string, string>) => server.postAccount(path, { email }, headers)
      expect(await accepted(request)).toBe(5)
      expect((await request({})).status).toBe(200)
    }
    expect(await accepted((headers) => requestReset(server, freshEmail(), headers))).toBe(20)
  })

  test('that strangers request do not reveal an account, or keep its owner without a valid link', async () => {
    const server = shared()
    const asha = await makeAccount(server)
    const before = server.lines.length
    const answers = async (email: string) => {
      const found: unknown[] = []
      for (let network = 0; network < 7; network += 1) {
        const answer = await requestReset(server, email)
        found.push([answer.status, await answer.text(), [...answer.headers.keys()].toSorted()])
      }
      return found
    }
    const stranger = freshEmail()
    expect(await answers(asha.email)).toEqual(await answers(stranger))
    expect(mailsTo(stranger)).toEqual([])
    expect(await countMails(server, asha.email, resetSubject)).toBe(5)
    const [oldest] = mailsTo(asha.email, resetSubject)
    expect((await reset(server, oldest?.url?.split('#token=')[1] ?? '')).status).toBe(200)
    const omitted = server.lines.slice(before).filter((line) => line.includes('a mail was not sent'))
    expect(omitted).toHaveLength(2)
    expect(JSON.parse(omitted[0] ?? '')).toMatchObject({ userId: asha.id, kind: 'password-reset' })
    expect(omitted.join('')).not.toContain(asha.email)
  })

  test('that others request to change to an email do not keep its owner from changing to it', async () => {
    const server = shared()
    const [ravi, asha] = [await makeAccount(server), await makeAccount(server)]
    const newEmail = freshEmail()
    const change = ({ cookie, password }: TestAccount) =>
      server.postAccount('/change-email', { newEmail, password }, { cookie })
    for (let network = 0; network < 7; network += 1) expect((await change(ravi)).status).toBe(200)
    expect(await countMails(server, newEmail, changeSubject)).toBe(5)
    await change(asha)
    expect(await countMails(server, newEmail, changeSubject)).toBe(6)
  })

  test('begin with PUBLIC_URL, whatever host a request names', async () => {
    const origin = 'https://pictures.example.org'
    const server = await startTestServer({ env: { ...mails.env, PUBLIC_URL: origin } })
    const email = freshEmail()
    const account = { name: 'Asha', email, password: newPassword }
    const headers = { origin, 'x-forwarded-host': 'evil.example.org' }
    expect((await server.postAccount('/sign-up/email', account, headers)).status).toBe(200)
    expect((await mailTo(email, verifySubject)).url).toContain(`${origin}/verify-email#`)
  })

  test('are not sent without PUBLIC_URL to the host that a request names', async () => {
    const server = shared()
    const asha = await makeAccount(server)
    const headers = { 'x-forwarded-host': 'evil.example.org', origin: 'http://evil.example.org' }
    const answer = await requestReset(server, asha.email, headers)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'NO_PUBLIC_URL' })
    expect(mails.mails.some(({ text }) => text.includes('evil.example.org'))).toBe(false)
  })
})

describe('REQUIRE_VERIFIED_EMAIL', () => {
  const server = shareTestServer({ env: { ...mails.env, REQUIRE_VERIFIED_EMAIL: 'on' } })
  const signUp = (body: Record<string, unknown>) =>
    server().postAccount('/sign-up/email', { name: 'Asha Rao', password: newPassword, ...body })

  test('rejects a sign-in before the email is verified', async () => {
    const email = freshEmail()
    const created = await signUp({ email })
    expect(created.status).toBe(200)
    expect(created.headers.getSetCookie()).toEqual([])
    expect(await created.json()).toEqual({ token: null })
    const early = await signIn(server(), { email, password: newPassword })
    expect(early.status).toBe(403)
    expect(early.headers.getSetCookie()).toEqual([])
    expect(await early.json()).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' })
    const wrong = await signIn(server(), { email, password: 'not the password' })
    expect(await wrong.json()).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' })
    await verify(server(), await tokenFor(email, verifySubject))
    expect((await signIn(server(), { email, password: newPassword })).status).toBe(200)
  })

  test('does not tell at sign-up whether an email has an account, and tells its owner', async () => {
    const email = freshEmail()
    const answerTo = async (body: object) => {
      const response = await signUp({ email, ...body })
      return [response.status, await response.text(), response.headers.getSetCookie()]
    }
    const first = await answerTo({})
    expect(await answerTo({ email: email.toUpperCase(), name: '  Ravi ' })).toEqual(first)
    const notice = await mailTo(email, /^You already have an account/)
    expect(notice.url).toBe(`${server().url}/reset-password`)
    await mailTo(email, verifySubject)
  })

  test('rejects an invalid sign-up alike with an email that has an account', async () => {
    const email = freshEmail()
    await signUp({ email })
    for (const body of [{ name: '' }, { password: 'password' }, { password: 'short' }]) {
      const known = await signUp({ email, ...body })
      const unknown = await signUp({ email: freshEmail(), ...body })
      expect(known.status).toBe(400)
      expect(await known.json()).toEqual(await unknown.json())
    }
  })

  test('has one response for concurrent sign-ups', async () => {
    const email = freshEmail()
    const responses = await Promise.all([signUp({ email }), signUp({ email }), signUp({ email })])
    for (const response of responses) {
      expect([response.status, await response.json()]).toEqual([200, { token: null }])
    }
    await mailTo(email, /^You already have an account/, 2)
    await mailTo(email, verifySubject)
  })

  test('takes a fixed time at least to say nothing', async () => {
    const slow = await startTestServer({ env: mails.env, concealedMs: 300 })
    const startedAt = performance.now()
    await requestReset(slow, freshEmail())
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299)
  })

  test('is met by a link to choose a password, and by accounts that the operator adds', async () => {
    const email = freshEmail()
    await signUp({ email })
    await reset(server(), await resetTokenFor(server(), { email }), 'a third password')
    expect((await signIn(server(), { email, password: 'a third password' })).status).toBe(200)
    const added = freshEmail()
    const password = await server().services.authenticator.administration?.add(added, 'Ravi')
    expect((await signIn(server(), { email: added, password: password ?? '' })).status).toBe(200)
  })
})

describe.each([
  ['without a mail server', {}],
  [
    'with sign-in at a provider only',
    {
      ...mails.env,
      LOCAL_SIGN_IN: 'off',
      PUBLIC_URL: 'http://127.0.0.1:9',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'rangoli',
      OIDC_CLIENT_SECRET: 'x'.repeat(32),
    },
  ],
])('a site %s', (_, env) => {
  const server = shareTestServer({ env })

  test('has neither the calls nor the pages of links', async () => {
    const origin = server().services.config.publicOrigin ?? server().url
    for (const path of mailPaths) {
      const answer = await server().postAccount(path, { email: 'asha@example.org' }, { origin })
      expect(answer.status).toBe(404)
    }
    for (const path of ['/reset-password', '/verify-email']) {
      expect((await server().request(path)).status).toBe(404)
    }
  })
})
