import { expect, onTestFinished, test, vi } from 'vitest'
import { scriptedClient, startScriptedProvider } from '../../../test/support/oidc/scripted-provider.ts'
import { OidcClient } from './oidc-client.ts'

type Provider = Awaited<ReturnType<typeof startScriptedProvider>>

const adminGroup = 'gallery-admins'
const redirectURI = 'https://gallery.example.org/api/auth/callback/oidc'
const everyClaim = { email: 'asha@example.org', email_verified: true, name: 'Asha Rao', groups: [adminGroup] }

function clientOf({ issuer }: Provider, onFailedRefresh = (_error: unknown) => {}): OidcClient {
  return new OidcClient(
    { ...scriptedClient, issuer, name: 'Campus', adminGroup, scopes: ['groups'] },
    onFailedRefresh,
  )
}

async function claimsOf(provider: Provider, idToken: string) {
  return clientOf(provider).claimsOf({ idToken, accessToken: 'access' }, 'nonce')
}

test('asks for a code with PKCE, state, nonce and the configured scopes', async () => {
  const provider = await startScriptedProvider()
  const request = { state: 'state', nonce: 'nonce', codeVerifier: 'v'.repeat(64), redirectURI }
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
  [undefined, 'Basic cmFuZ29saTphK3NlY3JldA==', ''],
  [['client_secret_post', 'client_secret_basic'], 'Basic cmFuZ29saTphK3NlY3JldA==', ''],
  [['client_secret_post'], undefined, '&client_id=rangoli&client_secret=a+secret'],
])('authenticates at a token endpoint that supports %j', async (methods, authorization, inBody) => {
  const provider = await startScriptedProvider({
    metadata: { token_endpoint_auth_methods_supported: methods },
  })
  await clientOf(provider).exchange({ code: 'code', codeVerifier: 'verifier', redirectURI })
  const sent = provider.requests.find(({ path }) => path === '/token')
  expect(sent?.authorization).toBe(authorization)
  expect(sent?.body).toBe(
    `grant_type=authorization_code&code=code&code_verifier=verifier&redirect_uri=${encodeURIComponent(redirectURI)}${inBody}`,
  )
})

test('takes the claims of the ID token if it has all that are needed', async () => {
  const provider = await startScriptedProvider()
  const authTime = 1_800_000_000
  const claims = await claimsOf(provider, await provider.idToken({ ...everyClaim, auth_time: authTime }))
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

test('asks the userinfo endpoint for missing claims', async () => {
  const provider = await startScriptedProvider({
    userInfo: { sub: 'asha', ...everyClaim, groups: adminGroup },
  })
  const claims = await claimsOf(provider, await provider.idToken({ name: 'A. Rao' }))
  expect(claims).toMatchObject({
    name: 'A. Rao',
    email: 'asha@example.org',
    isEmailVerified: true,
    groups: [adminGroup],
  })
})

test('does not take the verification of one address for another', async () => {
  const provider = await startScriptedProvider({ userInfo: { sub: 'asha', ...everyClaim } })
  const claims = await claimsOf(provider, await provider.idToken({ email: 'other@example.org' }))
  expect(claims).toMatchObject({ email: 'other@example.org', isEmailVerified: false })
})

test('rejects claims of the userinfo endpoint about another user', async () => {
  const provider = await startScriptedProvider({ userInfo: { ...everyClaim, sub: 'meera' } })
  await expect(claimsOf(provider, await provider.idToken())).rejects.toThrow('answered for another user')
})

test.each([
  ['another nonce', { nonce: 'other' }, /another sign-in/],
  ['no nonce', { nonce: undefined }, /another sign-in/],
  ['another issuer', { iss: 'https://evil.example.org' }, /ERR_JWT_CLAIM_VALIDATION_FAILED/],
  ['another audience', { aud: 'another' }, /ERR_JWT_CLAIM_VALIDATION_FAILED/],
  ['an audience of several, issued to another', { aud: ['rangoli', 'b'], azp: 'b' }, /another client/],
  ['an audience of several, issued to none', { aud: ['rangoli', 'b'] }, /another client/],
  ['no expiry', { exp: undefined }, /ERR_JWT_CLAIM_VALIDATION_FAILED/],
  ['no subject', { sub: '' }, /no subject/],
])('rejects an ID token with %s', async (_, claims, message) => {
  const provider = await startScriptedProvider()
  await expect(claimsOf(provider, await provider.idToken({ ...everyClaim, ...claims }))).rejects.toThrow(
    message,
  )
})

test('rejects an ID token that the provider did not sign', async () => {
  const provider = await startScriptedProvider()
  const forged = await provider.idToken(everyClaim, { isForged: true })
  await expect(claimsOf(provider, forged)).rejects.toThrow('ERR_JWS_SIGNATURE_VERIFICATION_FAILED')
  const [, payload] = forged.split('.')
  const header = Buffer.from('{"alg":"none"}').toString('base64url')
  await expect(claimsOf(provider, `${header}.${payload}.`)).rejects.toThrow('is not valid')
})

test.each([
  ['another issuer', { issuer: 'https://evil.example.org' }, /of the issuer https:\/\/evil\.example\.org/],
  ['no token endpoint', { token_endpoint: undefined }, /token_endpoint/],
  ['an endpoint without https', { token_endpoint: 'http://192.0.2.1/token' }, /neither an https URL/],
])('rejects a discovery document with %s', async (_, metadata, message) => {
  const provider = await startScriptedProvider({ metadata })
  await expect(clientOf(provider).endSessionUrl('a.b.c', 'https://gallery.example.org/')).rejects.toThrow(
    message,
  )
})

test('reads the discovery document again after a failure, and keeps it, with one report, while the provider is down', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const provider = await startScriptedProvider({ status: 503 })
  const reported: unknown[] = []
  const client = clientOf(provider, (error) => reported.push(error))
  const logout = () => client.endSessionUrl('a.b.c', 'https://gallery.example.org/')
  await expect(logout()).rejects.toThrow('answered 503')
  provider.answer({})
  expect((await logout())?.pathname).toBe('/logout')
  await provider.stop()
  vi.advanceTimersByTime(24 * 60 * 60 * 1_000)
  const urls = await Promise.all([logout(), logout(), logout()])
  expect(urls.map((url) => url?.pathname)).toEqual(Array(3).fill('/logout'))
  await expect.poll(() => reported).toMatchObject([{ message: expect.stringContaining('cannot be reached') }])
})

test('names the ID token and the page to return to when it ends the session of the provider', async () => {
  const provider = await startScriptedProvider()
  const url = await clientOf(provider).endSessionUrl('a.b.c', 'https://gallery.example.org/')
  expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
    id_token_hint: 'a.b.c',
    client_id: 'rangoli',
    post_logout_redirect_uri: 'https://gallery.example.org/',
  })
})

test('ends no session at a provider without an endpoint for it', async () => {
  const provider = await startScriptedProvider({ metadata: { end_session_endpoint: undefined } })
  expect(await clientOf(provider).endSessionUrl('a.b.c', 'https://gallery.example.org/')).toBeNull()
})
