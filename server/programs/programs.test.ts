import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import {
  allow,
  authorization,
  connectProgram,
  loopback,
  publishProgram,
  sendForm,
  type TokenAnswer,
} from '../../test/support/oauth.ts'
import { signInModes } from '../../test/support/sign-in-modes.ts'
import { cookieOf, shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { unlimitedWrites } from '../../test/support/limits.ts'
import { sweepPrograms } from '../access/programs.ts'

const env = { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1', OAUTH_REGISTRATION: 'on' }
const minute = 60_000
let now = Date.now()
const server = shareTestServer({ env, now: () => now, writeLimits: unlimitedWrites() })
let asha: TestUser
beforeEach(async () => {
  now = Date.now()
  asha = await server().signUp()
})

const accept = { accept: 'application/json, text/event-stream' }
const myImages = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'my_images', arguments: {} },
}

/** Calls a tool with an access token. */
function call(bearer: string, path = '/mcp', message: object = myImages) {
  return server().postJson(path, message, { bearer }, accept)
}

/** What a program keeps. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:4321/callback'
  readonly clientMetadata = { client_name: 'Inspector', redirect_uris: [this.redirectUrl] }
  readonly kept = new Map<string, unknown>()
  asked = new URL('https://example.org')

  #field<Value>(name: string) {
    return {
      read: () => this.kept.get(name) as Value,
      write: (value: Value) => void this.kept.set(name, value),
    }
  }
  clientInformation = this.#field<ReturnType<OAuthClientProvider['clientInformation']>>('client').read
  saveClientInformation = this.#field('client').write
  tokens = this.#field<ReturnType<OAuthClientProvider['tokens']>>('tokens').read
  saveTokens = this.#field('tokens').write
  discoveryState =
    this.#field<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>('discovery').read
  saveDiscoveryState = this.#field('discovery').write
  codeVerifier = this.#field<string>('verifier').read
  saveCodeVerifier = this.#field('verifier').write
  redirectToAuthorization(url: URL) {
    this.asked = url
  }
}

describe.each(signInModes)('with $mode, the official client', ({ env: modeEnv, signIn }) => {
  const own = shareTestServer({ env: { ...env, ...modeEnv } })

  test.each([
    ['a metadata document', '/mcp/account'],
    ['a registration', '/mcp'],
  ])('signs in with %s at %s', async (how, path) => {
    const user = await signIn(own())
    const program = new Program()
    if (how !== 'a registration')
      program.kept.set('client', { client_id: await publishProgram(), issuer: own().url })
    const open = () => ({
      client: new Client({ name: 'tests', version: '1' }),
      transport: new StreamableHTTPClientTransport(new URL(path, own().url), { authProvider: program }),
    })
    const first = open()
    // `/mcp` asks for sign-in with the first tool of a user.
    const asking = first.client
      .connect(first.transport)
      .then(() => first.client.callTool({ name: 'my_images' }))
    await expect(asking).rejects.toThrow(UnauthorizedError)
    const query = program.asked.search.slice(1)
    expect(await user.trpc.account.programs.request.query({ query })).toEqual({
      name: how === 'a registration' ? 'Inspector' : 'Claude',
      host: '',
      scopes: ['read', 'generate', 'share'],
      error: null,
    })
    const decide = async (asked: string, scopes: ('read' | 'generate')[]) => {
      const { url } = await user.trpc.account.programs.decide.mutate({ query: asked, scopes })
      return new URL(url).searchParams
    }
    const answer = await decide(query, ['read'])
    expect(answer.get('iss')).toBe(own().url)
    await first.transport.finishAuth(answer)
    const { client, transport } = open()
    await client.connect(transport)
    onTestFinished(() => client.close())
    const images = () => client.callTool({ name: 'my_images' })
    expect(await images()).toMatchObject({ structuredContent: { images: [] } })

    const input = { prompt: 'A lotus', visibility: 'none' }
    const generate = () => client.callTool({ name: 'generate_image', arguments: input })
    await expect(generate()).rejects.toThrow(UnauthorizedError)
    expect(program.asked.searchParams.get('scope')).toBe('read generate')
    await transport.finishAuth(await decide(program.asked.search.slice(1), ['read', 'generate']))
    expect(await generate()).not.toHaveProperty('isError')
    expect(await images()).toMatchObject({ structuredContent: { images: [{ prompt: 'A lotus' }] } })
    // Both connections are one program.
    const listed = await user.trpc.account.apiKeys.list.query()
    expect(listed).toEqual([expect.objectContaining({ program: '', scopes: ['read', 'generate'] })])
    await user.trpc.account.apiKeys.revoke.mutate({ id: listed[0]?.id ?? '' })
    expect(await user.trpc.account.apiKeys.list.query()).toEqual([])
  })
})

describe('metadata', () => {
  test('names the site as the server of its resource', async () => {
    const { url, request } = server()
    const json = async (path: string) => (await request(`/.well-known/${path}`)).json()
    for (const path of ['', '/mcp', '/mcp/account'])
      expect(await json(`oauth-protected-resource${path}`)).toMatchObject({
        resource: url + (path || '/mcp'),
        authorization_servers: [url],
      })
    expect(await json('oauth-authorization-server')).toMatchObject({
      issuer: url,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      registration_endpoint: `${url}/oauth/register`,
    })
  })

  test.each(['oauth-protected-resource/elsewhere', 'openid-configuration', 'oauth-authorization-server/mcp'])(
    'does not exist at %s',
    async (path) => {
      const answer = await server().request(`/.well-known/${path}`, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ success: false, error: 'Not found.' })
    },
  )

  test('is not given for a host that is not certain to be the site', async () => {
    const headers = { 'x-forwarded-host': 'evil.example' }
    const answer = await server().request('/.well-known/oauth-authorization-server', { headers })
    expect(answer.status).toBe(404)
  })

  test('/mcp/account asks for sign-in with the first request', async () => {
    const { url, postJson } = server()
    const answer = await postJson(
      '/mcp/account',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      undefined,
      accept,
    )
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp/account", scope="read generate share"`,
    )
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32001 } })
  })
})

describe('the page of consent', () => {
  test('the page of consent can’t be framed by another site', async () => {
    const { headers } = await server().request('/oauth/authorize?client_id=x')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  test.each([
    ['of another site', (cookie: string) => ({ cookie, origin: 'https://evil.example' })],
    ['without origin', (cookie: string) => ({ cookie })],
  ])('takes no decision %s', async (_, headersOf) => {
    const query = authorization(server(), await publishProgram()).queryOf()
    const decision = { query, scopes: ['read'] }
    const path = '/trpc/account.programs.decide'
    const answer = await server().postJson(path, decision, undefined, headersOf(asha.cookie))
    expect(answer.status).toBe(403)
    expect(await asha.trpc.account.apiKeys.list.query()).toEqual([])
  })

  const redirects = [
    'https://claude.ai/api/mcp/auth_callback',
    'http://localhost:8787/callback',
    'http://[::1]/',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/callback',
  ]

  test.each([
    ['https://claude.ai/api/mcp/auth_callback', 'claude.ai'],
    ['http://localhost:59123/callback', ''],
    ['http://[::1]:3/', ''],
    ['cursor://anysphere.cursor-mcp/oauth/callback', ''],
    ['com.example.app:/callback', ''],
  ])('leads back to %s', async (redirect_uri, host) => {
    const clientId = await publishProgram({ redirect_uris: redirects })
    const query = authorization(server(), clientId).queryOf({ redirect_uri })
    expect(await asha.trpc.account.programs.request.query({ query })).toMatchObject({ host, error: null })
    const { url } = await asha.trpc.account.programs.decide.mutate({ query, scopes: [] })
    expect(url.startsWith(`${redirect_uri}?error=access_denied&state=a+state&iss=`)).toBe(true)
  })

  test.each([
    'https://claude.ai/api/mcp/auth_callback/',
    'https://claude.ai:8443/api/mcp/auth_callback',
    'https://claude.ai/api/mcp/auth_callback?next=x',
    'https://user@claude.ai/api/mcp/auth_callback',
    'https://claude.ai/api/mcp/auth_callback#x',
    'https://evil.example/api/mcp/auth_callback',
    'http://claude.ai/api/mcp/auth_callback',
    'http://127.0.0.1:8787/callback',
    'http://localhost.evil.example/callback',
    'http://localhost:8787/other',
    'cursor://anysphere.cursor-mcp/oauth/callback/x',
    'javascript://claude.ai/%0Aalert(1)',
    '',
  ])('does not lead to %j', async (redirect_uri) => {
    const clientId = await publishProgram({ redirect_uris: redirects })
    const query = authorization(server(), clientId).queryOf({ redirect_uri })
    const unknown = expect.objectContaining({ data: expect.objectContaining({ reason: 'not_found' }) })
    await expect(asha.trpc.account.programs.request.query({ query })).rejects.toEqual(unknown)
    await expect(asha.trpc.account.programs.decide.mutate({ query, scopes: [] })).rejects.toEqual(unknown)
  })

  test.each<[string, Record<string, string | undefined>]>([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
    ['invalid_target', { resource: 'https://other.example' }],
    ['invalid_scope', { scope: 'admin' }],
  ])('answers %s to %o', async (error, changes) => {
    const { back } = await allow(server(), asha, { changes })
    expect(Object.fromEntries(back.searchParams)).toEqual({ error, state: 'a state', iss: server().url })
    expect(await asha.trpc.account.apiKeys.list.query()).toEqual([])
  })

  test('allows nothing once the session has ended, also while the program is asked for its metadata', async () => {
    const before = () => server().postAccount('/revoke-sessions', {}, { cookie: asha.cookie })
    const query = authorization(server(), await publishProgram({}, { before })).queryOf()
    const decision = asha.trpc.account.programs.decide.mutate({ query, scopes: ['read'] })
    await expect(decision).rejects.toMatchObject({ data: { reason: 'not_signed_in' } })
  })

  test('allows nothing that the program did not ask for', async () => {
    const { exchange } = await allow(server(), asha, { changes: { scope: 'openid read' } })
    const answer = await sendForm(server(), '/oauth/token', exchange)
    expect(await answer.json()).toMatchObject({ scope: 'read', token_type: 'Bearer', expires_in: 900 })
  })
})

describe('a metadata document', () => {
  test.each<[string, () => Promise<string>]>([
    ['of another program', () => publishProgram({ client_id: 'https://claude.ai/program.json' })],
    ['without redirect URIs', () => publishProgram({ redirect_uris: [] })],
    ...['javascript://x/%0Aalert(1)', 'googlechromes://x/'].map((uri): [string, () => Promise<string>] => [
      `with ${uri} as one`,
      () => publishProgram({ redirect_uris: [loopback, uri] }),
    ]),
    ['with plain http as one', () => publishProgram({ redirect_uris: ['http://claude.ai/callback'] })],
    ['that is too large', () => publishProgram({ padding: 'x'.repeat(70_000) })],
    ['that leads elsewhere', () => publishProgram({}, { status: 302, headers: { location: '/other.json' } })],
    ['that is missing', () => publishProgram({}, { status: 404 })],
    ['that is no address', () => Promise.resolve('claude')],
    ['at the site itself', () => Promise.resolve(`${server().url}/program.json`)],
  ])('%s is rejected', async (_, publish) => {
    const query = authorization(server(), await publish()).queryOf()
    await expect(asha.trpc.account.programs.request.query({ query })).rejects.toMatchObject({
      data: { reason: 'not_found' },
    })
  })

  test('on a private address is not requested', async () => {
    let requests = 0
    const strict = await startTestServer({
      resolveHost: () => {
        requests += 1
        return Promise.resolve([{ address: '10.0.0.7', family: 4 }])
      },
    })
    const user = await strict.signUp()
    for (const clientId of [
      await publishProgram(),
      'https://169.254.169.254/x',
      'https://inside.example/x',
    ]) {
      const query = authorization(strict, clientId).queryOf()
      await expect(user.trpc.account.programs.request.query({ query })).rejects.toMatchObject({
        data: { reason: 'not_found' },
      })
    }
    // Only the last one has a name.
    expect(requests).toBe(1)
  })
})

describe('a registration', () => {
  const metadata = { client_name: 'Inspector', redirect_uris: [loopback] }
  const register = (body: object, own = server()) => own.postJson('/oauth/register', body)

  test('a registration expires after 90 days', async () => {
    const answer = await register(metadata)
    const { client_id: clientId } = (await answer.json()) as { client_id: string }
    const query = authorization(server(), clientId).queryOf()
    expect(await asha.trpc.account.programs.request.query({ query })).toMatchObject({ name: 'Inspector' })
    now += 91 * 24 * 60 * minute
    await expect(asha.trpc.account.programs.request.query({ query })).rejects.toThrow(/Unknown program/)
    // So that the program registers again.
    const renewal = { grant_type: 'refresh_token', refresh_token: 'expired', client_id: clientId }
    const renewed = await sendForm(server(), '/oauth/token', renewal)
    expect([renewed.status, await renewed.json()]).toEqual([401, { error: 'invalid_client' }])
  })

  test.each<[string, (clientId: string) => string]>([
    ['a changed one', (clientId) => `W${clientId.slice(1)}`],
    ['one without signature', (clientId) => clientId.slice(0, clientId.lastIndexOf('.') + 1)],
  ])('is not valid as %s', async (_, change) => {
    const { client_id: clientId } = (await (await register(metadata)).json()) as { client_id: string }
    const query = authorization(server(), change(clientId)).queryOf()
    await expect(asha.trpc.account.programs.request.query({ query })).rejects.toThrow(/Unknown program/)
  })

  test.each([
    {},
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: [`https://x/${'y'.repeat(1_990)}`] },
  ])('is rejected with %o', async (body) => {
    const answer = await register(body)
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_client_metadata' }])
  })

  test('is limited, and off by default', async () => {
    const open = await startTestServer({ env: { OAUTH_REGISTRATION: 'on' } })
    const statuses = []
    for (let count = 0; count < 21; count += 1) statuses.push((await register(metadata, open)).status)
    expect(statuses.slice(19)).toEqual([201, 429])
    const closed = await startTestServer()
    expect((await register(metadata, closed)).status).toBe(404)
    const named = await closed.request('/.well-known/oauth-authorization-server')
    expect(await named.json()).not.toHaveProperty('registration_endpoint')
  })
})

describe('a code', () => {
  test.each<[string, Record<string, string>]>([
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:9/callback' }],
    ['another program', { client_id: 'https://evil.example/program.json' }],
    ['another verifier', { code_verifier: 'stolen without it' }],
    ['no verifier', { code_verifier: '' }],
    ['a grant of refresh tokens', { grant_type: 'refresh_token', refresh_token: 'code' }],
  ])('is void after an exchange with %s', async (_, changes) => {
    const { exchange } = await allow(server(), asha)
    const refresh = changes['refresh_token'] && { refresh_token: exchange.code }
    const wrong = await sendForm(server(), '/oauth/token', { ...exchange, ...changes, ...refresh })
    expect([wrong.status, await wrong.json()]).toEqual([400, { error: 'invalid_grant' }])
    const right = await sendForm(server(), '/oauth/token', exchange)
    expect(await right.json()).toEqual({ error: 'invalid_grant' })
  })

  test('is not valid for another resource, nor after a minute', async () => {
    const { exchange } = await allow(server(), asha)
    const answerTo = async (changes: object) =>
      (await sendForm(server(), '/oauth/token', { ...exchange, ...changes })).json()
    expect(await answerTo({ resource: 'https://other.example/mcp' })).toEqual({ error: 'invalid_target' })
    now += minute
    expect(await answerTo({})).toEqual({ error: 'invalid_grant' })
  })

  test('that is used twice revokes what it got', async () => {
    const { exchange, tokens } = await connectProgram(server(), asha)
    expect((await call(tokens.access_token)).status).toBe(200)
    expect((await sendForm(server(), '/oauth/token', exchange)).status).toBe(400)
    expect((await call(tokens.access_token)).status).toBe(401)
  })
})

describe('an access token', () => {
  test('is for the MCP server only', async () => {
    const { tokens } = await connectProgram(server(), asha)
    const bearer = tokens.access_token
    for (const path of ['/mcp', '/mcp/account']) expect((await call(bearer, path)).status).toBe(200)
    for (const path of ['/api/v1/post', '/trpc/images.list', '/v1/models']) {
      const headers = server().headersOf({ bearer })
      const { status } = await server().request(path, { headers })
      // Anyone reads the posts.
      expect([path, status]).toEqual([path, path === '/api/v1/post' ? 200 : 401])
    }
    expect((await server().postJson('/api/v1/imgGenerate', { prompt: 'x' }, { bearer })).status).toBe(401)
  })

  const share = { ...myImages, params: { name: 'share_image' } }
  const publish = { ...myImages, params: { name: 'generate_image', arguments: { visibility: 'public' } } }

  test.each<[string, object, string]>([
    ['a tool', myImages, 'read generate'],
    ['a visibility', publish, 'generate share'],
    ['a batch', [share, myImages], 'read generate share'],
  ])('gets 403 with the scopes to ask for if it lacks one of %s', async (_, message, scopes) => {
    const { tokens } = await connectProgram(server(), asha, ['generate'])
    const answer = await call(tokens.access_token, '/mcp/account', message)
    const metadata = `${server().url}/.well-known/oauth-protected-resource/mcp/account`
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", resource_metadata="${metadata}", scope="${scopes}"`,
    ])
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { data: { reason: 'forbidden' } } })
  })

  test('expires after 15 minutes, and is renewed', async () => {
    const { tokens, refresh } = await connectProgram(server(), asha)
    expect(tokens.expires_in).toBe(900)
    now += 15 * minute
    const expired = await call(tokens.access_token)
    expect([expired.status, expired.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer error="invalid_token", resource_metadata="/),
    ])
    const renewed = (await (await sendForm(server(), '/oauth/token', refresh)).json()) as TokenAnswer
    expect((await call(renewed.access_token)).status).toBe(200)
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
  })
})

describe('a refresh token', () => {
  test.each<[string, Record<string, string>]>([
    ['used again', {}],
    ['used by another program', { client_id: 'https://evil.example/program.json' }],
  ])('%s revokes the program', async (how, changes) => {
    const { tokens, refresh } = await connectProgram(server(), asha)
    let bearer = tokens.access_token
    if (how === 'used again') {
      const answer = await sendForm(server(), '/oauth/token', refresh)
      bearer = ((await answer.json()) as TokenAnswer).access_token
      now += minute / 2
    }
    expect((await call(bearer)).status).toBe(200)
    const replayed = await sendForm(server(), '/oauth/token', { ...refresh, ...changes })
    expect([replayed.status, await replayed.json()]).toEqual([400, { error: 'invalid_grant' }])
    expect((await call(bearer)).status).toBe(401)
    expect(await asha.trpc.account.apiKeys.list.query()).toEqual([])
  })

  test('that is sent twice at once gets the same tokens', async () => {
    const { refresh } = await connectProgram(server(), asha)
    const answers = await Promise.all([1, 2].map(() => sendForm(server(), '/oauth/token', refresh)))
    const [first, second] = (await Promise.all(answers.map((answer) => answer.json()))) as TokenAnswer[]
    expect(second).toEqual(first)
    expect((await call(first?.access_token ?? '')).status).toBe(200)
  })

  test('expires after 30 days, and is swept', async () => {
    const { refresh } = await connectProgram(server(), asha)
    await asha.trpc.account.apiKeys.create.mutate({ name: 'Stays' })
    now += 31 * 24 * 60 * minute
    expect(await sweepPrograms(server().services)).toBeGreaterThan(0)
    expect(await (await sendForm(server(), '/oauth/token', refresh)).json()).toEqual({
      error: 'invalid_grant',
    })
    expect(await asha.trpc.account.apiKeys.list.query()).toMatchObject([{ name: 'Stays' }])
  })
})

test.each<[string, (tokens: TokenAnswer) => Promise<unknown>]>([
  [
    'its user',
    async () => {
      const [program] = await asha.trpc.account.apiKeys.list.query()
      await asha.trpc.account.apiKeys.revoke.mutate({ id: program?.id ?? '' })
    },
  ],
  ['the program', ({ access_token: token }) => sendForm(server(), '/oauth/revoke', { token })],
  ['its refresh token', ({ refresh_token: token }) => sendForm(server(), '/oauth/revoke', { token })],
  [
    'a block',
    async () => {
      const meera = await signUpAdministrator(server())
      await meera.trpc.admin.users.update.mutate({ id: asha.id, blocked: true })
      await meera.trpc.admin.users.update.mutate({ id: asha.id, blocked: false })
    },
  ],
])('a program is ended at once by %s', async (_, end) => {
  const { tokens, refresh } = await connectProgram(server(), asha)
  expect((await call(tokens.access_token)).status).toBe(200)
  await end(tokens)
  expect((await call(tokens.access_token)).status).toBe(401)
  expect(await (await sendForm(server(), '/oauth/token', refresh)).json()).toEqual({ error: 'invalid_grant' })
})

test('a new password leaves programs unless the user chooses otherwise, and API keys always', async () => {
  const { tokens } = await connectProgram(server(), asha)
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A key' })
  let password = 'correct horse'
  let { cookie } = asha
  const change = async (newPassword: string, more: object = {}) => {
    const body = { currentPassword: password, newPassword, ...more }
    const answer = await server().postAccount('/change-password', body, { cookie })
    expect(answer.status).toBe(200)
    password = newPassword
    cookie = cookieOf(answer)
  }
  await change('battery staple 9')
  expect((await call(tokens.access_token)).status).toBe(200)
  await change('battery staple 10', { endsPrograms: true })
  expect((await call(tokens.access_token)).status).toBe(401)
  expect((await call(key)).status).toBe(200)
  // Nor does an API key end by being sent as a token of a program.
  await sendForm(server(), '/oauth/revoke', { token: key })
  expect((await call(key)).status).toBe(200)
})

test('an account has at most 20 API keys and programs, without codes that have expired', async () => {
  for (let count = 0; count < 20; count += 1) await allow(server(), asha)
  await expect(allow(server(), asha)).rejects.toMatchObject({ data: { reason: 'api_key_limit' } })
  expect(await asha.trpc.account.apiKeys.list.query()).toEqual([])
  now += minute
  await connectProgram(server(), asha)
  expect(await asha.trpc.account.apiKeys.create.mutate({ name: 'A key' })).not.toHaveProperty('program')
  expect(await asha.trpc.account.apiKeys.list.query()).toHaveLength(2)
})

test('tokens are stored as hashes, and pages of any site may exchange them', async () => {
  const { tokens, exchange } = await connectProgram(server(), asha)
  const rows = JSON.stringify(await server().services.db.selectFrom('api_keys').selectAll().execute())
  const parts = [tokens.access_token, ...tokens.refresh_token.split('.'), ...exchange.code.split('.')]
  for (const secret of parts) expect(rows).not.toContain(secret)
  const answer = await server().request('/oauth/token', {
    method: 'POST',
    headers: { origin: 'https://inspector.example' },
    body: new URLSearchParams({ grant_type: 'password', client_id: 'x' }),
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(await answer.json()).toEqual({ error: 'unsupported_grant_type' })
})
