import { sql } from 'kysely'
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { signUpAdministrator } from '../../../test/support/administrator.ts'
import { startIdentityProvider, type ProviderAccount } from '../../../test/support/oidc/identity-provider.ts'
import { CookieJar } from '../../../test/support/cookie-jar.ts'
import { goToProvider, visitProvider } from '../../../test/support/oidc/provider-flow.ts'
import { failWrites } from '../../../test/support/databases.ts'
import { findFreePorts } from '../../../test/support/ports.ts'
import { makeAccount, otherDevice, statusFor, type TestAccount } from '../../../test/support/accounts.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'
import { readAccess, setRole } from '../../access/user-access.ts'

const port = await findFreePorts(1)
const siteUrl = `http://127.0.0.1:${port}`
const provider = await startIdentityProvider({ siteUrl })
afterAll(provider.stop)
afterEach(() => void vi.restoreAllMocks())
const server = shareTestServer({
  env: { ...provider.env, PORT: String(port), OIDC_ADMIN_GROUP: 'admins', OIDC_SCOPES: 'groups' },
})

let accounts = 0

/** Adds an account to the provider. */
function addAccount(claims: Partial<ProviderAccount> = {}): ProviderAccount & { readonly email: string } {
  const sub = `account-${(accounts += 1)}`
  const account = { sub, email: `${sub}@example.org`, email_verified: true, name: 'Asha Rao', ...claims }
  provider.accounts.set(sub, account)
  return account
}

const visit = (flow: Parameters<typeof visitProvider>[2]) => visitProvider(siteUrl, provider, flow)
const clientOf = (cookie: string) => server().client(server().headersOf({ cookie }))
const viewerOf = (cookie: string) => clientOf(cookie).viewer.query()

/** Signs in to an account of the provider with the groups that it has now. */
async function viewerWith(account: ProviderAccount, groups: readonly string[] | string) {
  provider.accounts.set(account.sub, { ...account, groups })
  return viewerOf((await visit({ as: account.sub })).cookie)
}

/** A browser that has signed in with a password. */
async function browserOf({ email, password }: TestAccount): Promise<CookieJar> {
  const browser = new CookieJar()
  await browser.post(`${siteUrl}/api/auth/sign-in/email`, { email, password })
  return browser
}

/** Changes who may sign up, until the end of the test. */
async function limitSignUp(signUp: 'closed' | 'invite') {
  const { trpc } = await signUpAdministrator(server())
  await trpc.admin.options.update.mutate({ signUp })
  onTestFinished(async () => {
    await trpc.admin.options.update.mutate({ signUp: 'open' })
  })
  return trpc
}

function verifyEmail(email: string) {
  return sql`UPDATE "user" SET ${sql.ref('emailVerified')} = ${sql.lit(
    server().services.config.database.kind === 'sqlite' ? 1 : true,
  )} WHERE email = ${email}`.execute(server().services.db)
}

test('creates an account at the first sign-in, and signs in to it afterwards', async () => {
  const { sub } = addAccount()
  const first = await visit({ as: sub, body: { callbackURL: '/create-post?from=here' } })
  expect(first.page).toBe('/create-post?from=here')
  const viewer = await viewerOf(first.cookie)
  expect(viewer).toMatchObject({ firstName: 'Asha', role: 'member', imageUrl: null })
  const second = await visit({ as: sub })
  expect(second.page).toBe('/')
  expect((await viewerOf(second.cookie))?.id).toBe(viewer?.id)
  const { connections } = await clientOf(first.cookie).account.export.query()
  expect(connections).toEqual([{ provider: 'oidc', userId: sub, createdAt: expect.any(String) }])
})

test.each([
  ['no name', { name: undefined }, /^account-\d+$/],
  ['an invisible name', { name: '\u200b\u200b' }, /^account-\d+$/],
  ['a very long name', { name: '👩🏽‍🎨'.repeat(200) }, /^(?:👩🏽‍🎨){40,}$/u],
])('gives an account with %s a valid one', async (_, claims, name) => {
  const { cookie } = await visit({ as: addAccount(claims as Partial<ProviderAccount>).sub })
  expect((await viewerOf(cookie))?.firstName).toMatch(name)
})

test('returns with a reason if the user cancels', async () => {
  const { page, cookie } = await visit({ as: null, body: { callbackURL: '/account' } })
  expect(page).toBe('/account#sign-in-error=canceled')
  expect(await viewerOf(cookie)).toBeNull()
})

test.each([
  ['no address', { email: undefined }],
  ['an invalid address', { email: 'asha' }],
  ['a long address', { email: `${'x'.repeat(80)}@example.org` }],
])('does not create an account with %s', async (_, claims) => {
  const { page } = await visit({ as: addAccount(claims as Partial<ProviderAccount>).sub })
  expect(page).toBe('/#sign-in-error=no_email')
})

test('accepts a callback in the browser that began it only, and once', async () => {
  const { sub } = addAccount()
  const browser = new CookieJar()
  const callback = await goToProvider(siteUrl, provider, { as: sub, browser })
  const expired = `${siteUrl}/#sign-in-error=expired`
  const elsewhere = await new CookieJar().request(callback)
  expect(elsewhere.headers.get('location')).toBe(expired)
  const forged = new URL(callback)
  forged.searchParams.set('state', 'x'.repeat(32))
  expect((await browser.request(forged)).headers.get('location')).toBe(expired)
  expect((await browser.request(callback)).headers.get('location')).toBe(`${siteUrl}/`)
  const again = await browser.request(callback)
  expect(again.headers.get('location')).toBe(expired)
})

test('rejects a callback that names another issuer', async () => {
  const browser = new CookieJar()
  const callback = new URL(await goToProvider(siteUrl, provider, { as: addAccount().sub, browser }))
  callback.searchParams.set('iss', 'https://evil.example.org')
  const response = await browser.request(callback)
  expect(response.headers.get('location')).toBe(`${siteUrl}/#sign-in-error=unavailable`)
})

test('returns to a page that is named by its URL', async () => {
  const { page } = await visit({ as: addAccount().sub, body: { callbackURL: `${siteUrl}/account?a=b` } })
  expect(page).toBe('/account?a=b')
})

test.each([
  ...['https://evil.example.org/', '//evil.example.org', '/\\evil.example.org', 'account', ''].map(
    (callbackURL) => ({ callbackURL }),
  ),
  { provider: 'google' },
  { errorCallbackURL: 'https://evil.example.org/' },
  { scopes: ['offline_access'] },
  { idToken: { token: 'a.b.c' } },
])('rejects the input %j', async (input) => {
  const body = { provider: 'oidc', callbackURL: '/', ...input }
  expect((await new CookieJar().post(`${siteUrl}/api/auth/sign-in/social`, body)).status).toBe(400)
})

test.each([
  [false, true],
  [true, false],
])('does not take over an account whose address is verified here: %s, there: %s', async (here, there) => {
  const { email } = await makeAccount(server())
  if (here) await verifyEmail(email)
  const { page, cookie } = await visit({ as: addAccount({ email, email_verified: there }).sub })
  expect(page).toBe('/#sign-in-error=not_connected')
  expect(await viewerOf(cookie)).toBeNull()
})

test('signs in to the account of the same address if it is verified on both sides', async () => {
  const account = await makeAccount(server())
  await verifyEmail(account.email)
  const { cookie } = await visit({ as: addAccount({ email: account.email.toUpperCase() }).sub })
  expect((await viewerOf(cookie))?.id).toBe(account.id)
})

test('refreshes the role at each sign-in', async () => {
  const account = addAccount()
  for (const [groups, role] of [
    [['users', 'admins'], 'administrator'],
    [['users'], 'member'],
    ['admins', 'administrator'],
    [[], 'member'],
  ] as const)
    expect(await viewerWith(account, groups)).toMatchObject({ role })
  const changes = await server()
    .services.db.selectFrom('admin_log')
    .select(['administrator_name', 'details'])
    .where('action', '=', 'change_role')
    .orderBy('seq')
    .execute()
  expect(changes.slice(-4).map(({ details }) => JSON.parse(details) as unknown)).toEqual([
    { from: 'member', to: 'administrator' },
    { from: 'administrator', to: 'member' },
    { from: 'member', to: 'administrator' },
    { from: 'administrator', to: 'member' },
  ])
  expect(changes.at(-1)?.administrator_name).toBe('Campus')
})

test('makes a moderator of the site a moderator again after leaving the group', async () => {
  const account = addAccount()
  const viewer = await viewerWith(account, [])
  await setRole(server().services.db, viewer?.id ?? '', 'moderator')
  expect(await viewerWith(account, ['admins'])).toMatchObject({ role: 'administrator' })
  for (const _ of [1, 2]) expect(await viewerWith(account, [])).toMatchObject({ role: 'moderator' })
})

test('does not take away a role that was given on the site', async () => {
  const account = addAccount()
  const first = await visit({ as: account.sub })
  await setRole(server().services.db, (await viewerOf(first.cookie))?.id ?? '', 'administrator')
  const { cookie } = await visit({ as: account.sub })
  expect((await viewerOf(cookie))?.role).toBe('administrator')
})

test('stores no token of the provider in the clear, and deletes the ID token with the session', async () => {
  const { sub } = addAccount()
  const { cookie, browser } = await visit({ as: sub })
  const { db } = server().services
  const { rows } = await sql<Record<string, unknown>>`SELECT * FROM "account"`.execute(db)
  expect(rows.find(({ accountId }) => accountId === sub)).toMatchObject({
    accessToken: null,
    refreshToken: null,
    idToken: null,
  })
  const stored = await db.selectFrom('provider_sessions').selectAll().execute()
  expect(stored).not.toEqual([])
  expect(JSON.stringify(stored)).not.toContain('eyJ')
  expect(cookie).not.toContain('eyJ')
  await browser.post(`${siteUrl}/api/auth/revoke-sessions`, {})
  expect(await db.selectFrom('provider_sessions').selectAll().execute()).toHaveLength(stored.length - 1)
})

test('ends the session of the provider with one that began there', async () => {
  const { browser, cookie } = await visit({ as: addAccount().sub })
  const response = await browser.post(`${siteUrl}/api/auth/sign-out`, {})
  const { url } = (await response.json()) as { url: string }
  expect(new URL(url).searchParams.get('id_token_hint')).toMatch(/^eyJ/)
  expect(await statusFor(server(), cookie)).toBe(401)
  const form = await (await browser.request(url)).text()
  const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(form) ?? []
  const confirmed = await browser.request(`${provider.issuer}/session/end/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  expect(confirmed.headers.get('location')).toBe(`${siteUrl}/`)
})

test('ends only the session here if it began with a password', async () => {
  const account = await makeAccount(server())
  await verifyEmail(account.email)
  await visit({ as: addAccount({ email: account.email }).sub })
  const cookie = await otherDevice(server(), account)
  const response = await server().postAccount('/sign-out', {}, { cookie })
  expect(await response.json()).toEqual({ success: true })
})

test('connects an account with its password, and disconnects it', async () => {
  const account = await makeAccount(server())
  const { sub } = addAccount({ email_verified: false, groups: ['admins'] })
  const browser = await browserOf(account)
  const methods = async () =>
    (await browser.request(`${siteUrl}/api/auth/sign-in-methods`)).json() as Promise<object>
  expect(await methods()).toEqual({ hasPassword: true, hasProvider: false, isConfirmed: false })

  const connect = { as: sub, browser, path: '/link-social' } as const
  const wrong = await browser.post(`${siteUrl}/api/auth/link-social`, {
    provider: 'oidc',
    callbackURL: '/account',
    password: 'not the password',
  })
  expect(await wrong.json()).toMatchObject({ code: 'INVALID_PASSWORD' })
  const body = { password: account.password, callbackURL: '/account' }
  expect((await visit({ ...connect, body })).page).toBe('/account')
  expect(await methods()).toEqual({ hasPassword: true, hasProvider: true, isConfirmed: false })

  const { cookie } = await visit({ as: sub })
  expect(await viewerOf(cookie)).toMatchObject({ id: account.id, role: 'administrator' })
  const others = await browserOf(await makeAccount(server()))
  const taken = await visit({ as: sub, browser: others, path: '/link-social', body })
  expect(taken.page).toBe('/account#sign-in-error=connected_elsewhere')

  const refused = await browser.post(`${siteUrl}/api/auth/disconnect-provider`, { password: 'wrong' })
  expect(await refused.json()).toMatchObject({ code: 'INVALID_PASSWORD' })
  await browser.post(`${siteUrl}/api/auth/disconnect-provider`, { password: account.password })
  expect(await methods()).toMatchObject({ hasProvider: false })
  expect(await viewerOf(cookie)).toMatchObject({ role: 'member' })
  expect((await viewerOf((await visit({ as: sub })).cookie))?.id).not.toBe(account.id)
})

test.each<[string, string | null, () => Promise<string | undefined>]>([
  ['has ended', null, async () => undefined],
  ['is of another user by then', null, async () => (await makeAccount(server())).cookie],
  ['ends while the provider answers', `${provider.issuer}/token`, async () => undefined],
])('does not connect an account whose session %s', async (_, endingRequest, nextCookie) => {
  const account = await makeAccount(server())
  const { sub } = addAccount()
  const browser = await browserOf(account)
  const body = { password: account.password, callbackURL: '/account' }
  const callback = await goToProvider(siteUrl, provider, { as: sub, browser, path: '/link-social', body })
  const revoke = (): Promise<Response> =>
    server().postAccount('/revoke-sessions', {}, { cookie: account.cookie })
  const send = fetch
  if (endingRequest === null) await revoke()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    if (url === endingRequest) await revoke()
    return send(url, init)
  })
  const cookie = [await nextCookie(), browser.cookieFor(siteUrl)].filter(Boolean).join('; ')
  const response = await fetch(callback, { redirect: 'manual', headers: { cookie } })
  expect(response.headers.get('location')).toBe(`${siteUrl}/account#sign-in-error=expired`)
  const { rows } = await sql`SELECT 1 FROM "account" WHERE ${sql.ref('accountId')} = ${sub}`.execute(
    server().services.db,
  )
  expect(rows).toEqual([])
})

test('disconnects an account whose password the operator resets', async () => {
  const account = await makeAccount(server())
  const { sub } = addAccount({ groups: ['admins'] })
  const { email, password } = account
  await visit({ as: sub, browser: await browserOf(account), path: '/link-social', body: { password } })
  expect(await viewerOf((await visit({ as: sub })).cookie)).toMatchObject({
    id: account.id,
    role: 'administrator',
  })
  const { administration } = server().services.authenticator
  await administration?.resetPassword(email)
  expect(await readAccess(server().services.db, account.id)).toMatchObject({ role: 'member' })
  expect((await viewerOf((await visit({ as: sub })).cookie))?.id).not.toBe(account.id)
})

test('leaves an account connected whose first password the operator sets', async () => {
  const { sub, email } = addAccount()
  const viewer = await viewerOf((await visit({ as: sub })).cookie)
  await server().services.authenticator.administration?.resetPassword(email)
  provider.accounts.set(sub, { sub, email, email_verified: false })
  expect((await viewerOf((await visit({ as: sub })).cookie))?.id).toBe(viewer?.id)
})

test('does not disconnect an account without a password', async () => {
  const { browser } = await visit({ as: addAccount().sub })
  const response = await browser.post(`${siteUrl}/api/auth/disconnect-provider`, { password: 'any' })
  expect(await response.json()).toMatchObject({ code: 'INVALID_PASSWORD' })
})

test('deletes an account without a password after signing in at the provider again', async () => {
  const account = addAccount()
  const now = Date.now()
  const browser = new CookieJar()
  await visit({ as: account.sub, browser })
  const { db } = server().services
  // As if the session had begun an hour ago.
  await db
    .updateTable('provider_sessions')
    .set({ authenticated_at: now - 60 * 60 * 1_000 })
    .execute()
  const remove = () => browser.post(`${siteUrl}/api/auth/delete-user?posts=remove`, {})
  const refused = await remove()
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ code: 'CONFIRMATION_NEEDED' })

  await visit({ as: account.sub, browser, body: { confirm: true, callbackURL: '/account' } })
  expect(provider.authorizations.at(-1)?.get('max_age')).toBe('0')
  expect(provider.authorizations.at(-1)?.get('prompt')).toBe('login')
  expect((await remove()).status).toBe(200)
  await expect(server().services.authenticator.administration?.findId(account.email)).rejects.toThrow()
})

test('rejects a blocked user with the reason', async () => {
  const account = addAccount()
  const { cookie } = await visit({ as: account.sub })
  const viewer = await viewerOf(cookie)
  await server()
    .services.db.insertInto('user_access')
    .values({ user_id: viewer?.id ?? '', blocked_at: Date.now(), role: 'member', role_by_provider: 0 })
    .execute()
  expect((await visit({ as: account.sub })).page).toBe('/#sign-in-error=blocked')
})

test('creates no account while sign-up is closed, and signs in to existing ones', async () => {
  const known = addAccount()
  await visit({ as: known.sub })
  await limitSignUp('closed')
  expect((await visit({ as: addAccount().sub })).page).toBe('/#sign-in-error=sign_up_closed')
  expect((await visit({ as: known.sub })).page).toBe('/')
})

test('creates an account with an invitation while sign-up requires one', async () => {
  const trpc = await limitSignUp('invite')
  const { token } = await trpc.admin.invitations.create.mutate({})
  const signUp = (body: object) => visit({ as: addAccount().sub, body })
  expect((await signUp({})).page).toBe('/#sign-in-error=invitation_needed')
  expect((await signUp({ invitation: 'x' })).page).toBe('/#sign-in-error=invitation_invalid')
  expect((await signUp({ invitation: token })).page).toBe('/')
  expect((await signUp({ invitation: token })).page).toBe('/#sign-in-error=invitation_invalid')
})

test('says so if the provider cannot be reached, and starts without it', async () => {
  const site = await startTestServer({
    env: { ...provider.env, OIDC_ISSUER: 'http://127.0.0.1:9', PUBLIC_URL: 'http://localhost' },
  })
  const response = await site.postAccount(
    '/sign-in/social',
    { provider: 'oidc', callbackURL: '/' },
    { origin: 'http://localhost' },
  )
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  expect(site.lines.join('')).toContain('cannot be reached')
})

/** Starts a provider, and a site that signs users in with it, whose log is kept. */
async function startLoggedSite(env: Record<string, string> = {}) {
  const sitePort = await findFreePorts(1)
  const url = `http://127.0.0.1:${sitePort}`
  const own = await startIdentityProvider({ siteUrl: url })
  onTestFinished(own.stop)
  own.accounts.set('asha', { sub: 'asha', email: 'asha@example.org' })
  const site = await startTestServer({ env: { ...own.env, PORT: String(sitePort), ...env } })
  return { site, url, provider: own, lines: site.lines, visit: () => visitProvider(url, own, { as: 'asha' }) }
}

test('says so if the provider rejects the client secret, and logs the reason without the secret', async () => {
  const OIDC_CLIENT_SECRET = 'not the secret of this site'
  const { lines, visit: signIn } = await startLoggedSite({ OIDC_CLIENT_SECRET })
  expect((await signIn()).page).toBe('/#sign-in-error=rejected')
  const errors = lines.filter((line) => line.includes('"level":50'))
  expect(errors).toHaveLength(1)
  expect(JSON.parse(errors[0] ?? '')).toMatchObject({
    msg: 'the sign-in provider rejects this site: check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and its registration',
    providerError: 'invalid_client',
    err: { message: expect.stringContaining('/token answered 401 (invalid_client).') },
  })
  expect(lines.join('')).not.toContain(OIDC_CLIENT_SECRET)
})

test('logs an error with which the provider sends the browser back, but none of a forged callback', async () => {
  const { url, provider: own, lines } = await startLoggedSite()
  const browser = new CookieJar()
  const callback = new URL(await goToProvider(url, own, { as: 'asha', browser }))
  callback.searchParams.delete('code')
  callback.searchParams.set('error', 'invalid_scope')
  callback.searchParams.set('error_description', 'The scope\n“groups” is unknown.')
  const forged = new URL(callback)
  forged.searchParams.set('state', 'x'.repeat(32))
  await browser.request(forged)
  const logged = () => lines.filter((line) => line.includes('returned an error'))
  expect(logged()).toEqual([])
  const response = await browser.request(callback)
  expect(response.headers.get('location')).toBe(`${url}/#sign-in-error=rejected`)
  expect(logged().map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { providerError: 'invalid_scope', description: expect.stringContaining('“groups” is unknown.') },
  ])
})

test('logs the reason of an error that better-auth handles', async () => {
  const { site, lines, visit: signIn } = await startLoggedSite()
  const recover = await failWrites(site.services.db, 'INSERT', 'user')
  onTestFinished(recover)
  await signIn()
  const line = lines.find((text) => text.includes('"level":50')) ?? ''
  expect(JSON.parse(line)).toMatchObject({
    err: { message: expect.stringMatching(/./), stack: expect.any(String) },
  })
})
