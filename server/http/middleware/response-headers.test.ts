import { expect, test } from 'vitest'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

const token = 'a-token-of-enough-letters'
const server = shareTestServer({ env: { API_TOKEN: token, DAILY_IMAGE_LIMIT: '0' } })
const origin = 'https://app.example'

const ownHeaders = 'authorization,content-type,idempotency-key,trpc-accept'

test.each([
  ['/trpc/images.generate', ownHeaders],
  ['/trpc/posts.list', ownHeaders],
  ['/api/v1/post', ownHeaders],
  ['/api/v1/imgGenerate', ownHeaders],
  ['/v1/images/generations', 'authorization,content-type,x-stainless-lang,x-stainless-retry-count'],
  ['/mcp', 'authorization,content-type,mcp-method,mcp-name,mcp-protocol-version'],
])('scripts of any origin may call %s with a bearer token', async (address, headers) => {
  const preflight = await server().request(address, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': headers },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */)
  expect(allowed).toEqual(expect.arrayContaining(headers.split(',')))
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
})

const authorization = `Bearer ${token}`
const large = { method: 'POST', headers: { authorization }, body: 'x'.repeat(2_000_000) }
const generate = { method: 'POST', headers: { authorization }, body: '{"prompt":"x"}' }

test.each<
  [
    status: number,
    address: string,
    init: { method?: string; headers?: Record<string, string>; body?: string },
  ]
>([
  [200, '/api/v1/post', {}],
  [400, '/api/v1/post?limit=0', {}],
  [401, '/api/v1/post', { method: 'POST', body: '{}' }],
  [404, '/api/v1/nothing', {}],
  [404, '/trpc/nothing', {}],
  [413, '/api/v1/imgGenerate', large],
  [413, '/trpc/images.generate', large],
  [429, '/api/v1/imgGenerate', generate],
])('scripts of other origins can read the response %i of %s', async (status, address, init) => {
  const headers = { ...init.headers, origin }
  const response = await server().request(address, { ...init, headers })
  expect(response.status).toBe(status)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  const exposed = response.headers.get('access-control-expose-headers')?.split(/, */)
  expect(exposed).toEqual(['Link', 'Retry-After', 'X-Request-Id'])
})

test.each([
  ['GET', '/'],
  ['GET', '/create-post'],
  ['GET', '/api/auth/get-session'],
  ['OPTIONS', '/api/auth/sign-in/email'],
])('%s %s allows no other origin', async (method, address) => {
  const headers = { origin, 'access-control-request-method': 'POST' }
  const response = await server().request(address, { method, headers })
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
})

test.each<[address: string, status: number, referrer?: string]>([
  ['/', 200],
  ['/collections/join/a', 200, 'no-referrer'],
  ['/nowhere', 404],
  ['/assets/main.js', 200],
  ['/trpc/posts.list', 200],
  ['/trpc/posts.none', 404],
  ['/api/v1/post', 200],
  ['/api/v1/post?limit=0x10', 400],
  ['/api/auth/get-session', 200],
  ['/uploads/AAAAAAAAAAAAAAAAAAAAAA/original.jpg', 404],
])('%s forbids type sniffing, framing and device access', async (address, status, referrer) => {
  const response = await server().request(address)
  expect(response.status).toBe(status)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': referrer ?? 'strict-origin-when-cross-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  })
  expect(response.headers.get('x-powered-by')).toBeNull()
})

test('Strict-Transport-Security follows PUBLIC_URL or a trusted proxy, cached or not', async () => {
  const oneYear = 'max-age=31536000'
  const read = async ({ request }: ReturnType<typeof server>, address: string, scheme = 'https') => {
    const { headers } = await request(address, { headers: { 'x-forwarded-proto': scheme } })
    return headers.get('strict-transport-security')
  }
  for (const scheme of ['https', 'http', 'https'])
    expect(await read(server(), '/', scheme)).toBe(scheme === 'https' ? oneYear : null)
  const named = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
  for (const address of ['/', '/api/v1/post', '/nowhere'])
    expect(await read(named, address, 'http')).toBe(oneYear)
  expect(await read(await startTestServer({ env: { TRUST_PROXY: 'off' } }), '/')).toBeNull()
})
