import { expect, test } from 'vitest'
import { scriptedClient, startScriptedProvider } from '../../../test/support/oidc/scripted-provider.ts'
import { systemClock } from '../../time/clock.ts'
import { OidcClient } from './oidc-client.ts'

type Provider = Awaited<ReturnType<typeof startScriptedProvider>>

const adminGroup = 'gallery-admins'
const redirectURI = 'https://gallery.example.org/api/auth/callback/oidc'
const everyClaim = { email: 'asha@example.org', email_verified: true, name: 'Asha Rao', groups: [adminGroup] }

function clientOf({ issuer }: Provider, now = systemClock, onFailedRefresh = (_error: unknown) => {}) {
  const config = { ...scriptedClient, issuer, name: 'Campus', adminGroup, scopes: ['groups'] }
  return new OidcClient(config, now, onFailedRefresh)
}

function signIn(provider: Provider, client = clientOf(provider)) {
  return client.signIn(new URL(`${redirectURI}?code=code`), { codeVerifier: 'verifier', nonce: 'nonce' })
}

/** Claims of a sign-in at a provider whose ID token has some claims. */
async function claimsOf(
  claims: Record<string, unknown>,
  script: Parameters<typeof startScriptedProvider>[0] = {},
  token: { readonly isForged?: boolean } = {},
) {
  const provider = await startScriptedProvider()
  provider.answer({ ...script, idToken: await provider.idToken(claims, token) })
  return { provider, claims: (await signIn(provider)).claims }
}

test('asks for a code with PKCE, state, nonce and the configured scopes', async () => {
  const provider = await startScriptedProvider()
  const request = { state: 'state', nonce: 'nonce', codeVerifier: 'v'.repeat(64), redirect_uri: redirectURI }
  const url = await clientOf(provider).authorizationUrl(request)
  expect(url.origin + url.pathname).toBe(`${provider.issuer}/auth`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'rangoli',
    redirect_uri: redirectURI,
    scope: 'openid profile email groups',
    state: 'state',
    nonce: 'nonce',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test.each([
  [undefined, 'Basic cmFuZ29saTphK3NlY3JldA==', null],
  [['client_secret_post', 'client_secret_basic'], 'Basic cmFuZ29saTphK3NlY3JldA==', null],
  [['client_secret_post'], undefined, 'a secret'],
])('authenticates at a token endpoint that supports %j', async (methods, authorization, inBody) => {
  const metadata = { token_endpoint_auth_methods_supported: methods }
  const { provider } = await claimsOf(everyClaim, { metadata })
  const sent = provider.requests.find(({ path }) => path === '/token')
  expect(sent?.authorization).toBe(authorization)
  const body = new URLSearchParams(sent?.body)
  expect(body.get('client_secret')).toBe(inBody)
  expect(Object.fromEntries(body)).toMatchObject({ code_verifier: 'verifier', redirect_uri: redirectURI })
})

test('takes the claims of the ID token if it has all that are needed', async () => {
  const authTime = 1_800_000_000
  const { provider, claims } = await claimsOf({ ...everyClaim, auth_time: authTime })
  expect(claims).toEqual({
    sub: 'asha',
    email: 'asha@example.org',
    isEmailVerified: true,
    name: 'Asha Rao',
    groups: [adminGroup],
    authenticatedAt: authTime * 1_000,
  })
  expect(provider.requests.map(({ path }) => path)).not.toContain('/userinfo')
})

test.each([
  [
    'missing claims',
    { name: 'A. Rao' },
    { name: 'A. Rao', email: 'asha@example.org', isEmailVerified: true, groups: [adminGroup] },
  ],
  ['no verification of another address', { email: 'other@example.org' }, { isEmailVerified: false }],
])('takes %s from the userinfo endpoint', async (_, ofToken, expected) => {
  const userInfo = { sub: 'asha', ...everyClaim, groups: adminGroup }
  expect((await claimsOf(ofToken, { userInfo })).claims).toMatchObject(expected)
})

test('rejects claims of the userinfo endpoint about another user', async () => {
  await expect(claimsOf({}, { userInfo: { ...everyClaim, sub: 'meera' } })).rejects.toThrow('"sub"')
})

test.each([
  ['another nonce', { nonce: 'other' }, /"nonce"/],
  ['another issuer', { iss: 'https://evil.example.org' }, /"iss"/],
  ['another audience', { aud: 'another' }, /"aud"/],
  ['another authorized party', { azp: 'b' }, /another client/],
])('rejects an ID token with %s', async (_, claims, message) => {
  await expect(claimsOf({ ...everyClaim, ...claims })).rejects.toThrow(message)
})

test('rejects an ID token that the provider did not sign', async () => {
  await expect(claimsOf(everyClaim, {}, { isForged: true })).rejects.toThrow('signature')
})

test.each([
  ['another issuer', { issuer: 'https://evil.example.org' }, /of the issuer https:\/\/evil\.example\.org/],
  ['no token endpoint', { token_endpoint: undefined }, /token_endpoint/],
  ['an endpoint without https', { token_endpoint: 'http://192.0.2.1/token' }, /neither an https URL/],
])('rejects a discovery document with %s', async (_, metadata, message) => {
  await expect(signIn(await startScriptedProvider({ metadata }))).rejects.toThrow(message)
})

test('reads the discovery document again after a failure, and keeps it, with one report, while the provider is down', async () => {
  let time = systemClock()
  const provider = await startScriptedProvider({ status: 503 })
  const reported: unknown[] = []
  const client = clientOf(
    provider,
    () => time,
    (error) => reported.push(error),
  )
  const logout = () => client.endSessionUrl('a.b.c', 'https://gallery.example.org/')
  await expect(logout()).rejects.toThrow('answered 503')
  provider.answer({})
  expect(Object.fromEntries((await logout())?.searchParams ?? [])).toEqual({
    id_token_hint: 'a.b.c',
    client_id: 'rangoli',
    post_logout_redirect_uri: 'https://gallery.example.org/',
  })
  await provider.stop()
  time += 24 * 60 * 60 * 1_000
  const urls = await Promise.all([logout(), logout(), logout()])
  expect(urls.map((url) => url?.pathname)).toEqual(Array(3).fill('/logout'))
  await expect.poll(() => reported).toMatchObject([{ message: expect.stringContaining('cannot be reached') }])
})

test('ends no session at a provider without an endpoint for it', async () => {
  const provider = await startScriptedProvider({ metadata: { end_session_endpoint: undefined } })
  expect(await clientOf(provider).endSessionUrl('a.b.c', 'https://gallery.example.org/')).toBeNull()
})
