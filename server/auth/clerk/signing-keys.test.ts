import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { clerkEnv, issuer, keySet, mintToken } from '../../../test/support/clerk.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'

afterEach(() => void vi.restoreAllMocks())

const address = `${issuer}/.well-known/jwks.json`

/** Starts a server without CLERK_JWT_KEY, and mocks Clerk's responses in order; the last one repeats. */
async function startWithClerk(...responses: ((init?: RequestInit) => Promise<Response>)[]) {
  const env = { ...clerkEnv(), CLERK_JWT_KEY: '' }
  const server = await startTestServer({ env })
  const { fetch } = globalThis
  let fetches = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    if (input !== address) return fetch(input, init)
    fetches += 1
    const respond = responses[Math.min(fetches, responses.length) - 1]
    if (!respond) throw new Error('Unexpected request to Clerk.')
    return respond(init)
  })
  return { server, lines: server.lines, fetchCount: () => fetches }
}

/** Advances the clock of the server. */
function wait(seconds: number): void {
  const later = performance.now() + seconds * 1000
  vi.spyOn(performance, 'now').mockReturnValue(later)
}

const goodKeys = () => Promise.resolve(Response.json(keySet))
const noNetwork = () => Promise.reject(new TypeError('fetch failed'))
const broken = () => Promise.resolve(new Response('Bad gateway', { status: 502 }))

const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
const newerKeys = () =>
  Promise.resolve(
    Response.json({
      keys: [...keySet.keys, { ...otherKey.publicKey.export({ format: 'jwk' }), kid: 'new' }],
    }),
  )

const bearer = (server: TestServer) => `Bearer ${mintToken({ azp: server.url })}`
const newer = (server: TestServer) =>
  `Bearer ${mintToken({ azp: server.url }, { key: otherKey.privateKey, header: { kid: 'new' } })}`
const madeUp = (server: TestServer) => `Bearer ${mintToken({ azp: server.url }, { header: { kid: 'x' } })}`

async function statusFor(server: TestServer, authorization: string): Promise<number> {
  return (await server.request('/trpc/viewer', { headers: { authorization } })).status
}

test('fetches the keys once, for the first token, without CLERK_JWT_KEY', async () => {
  const { server, fetchCount } = await startWithClerk(goodKeys)
  expect((await server.request('/trpc/viewer')).status).toBe(200)
  expect(fetchCount()).toBe(0)
  const statuses = await Promise.all([1, 2, 3].map(() => statusFor(server, bearer(server))))
  expect(statuses).toEqual([200, 200, 200])
  expect(await statusFor(server, bearer(server))).toBe(200)
  expect(fetchCount()).toBe(1)
})

test('fetches keys at most every ten seconds for tokens with unknown keys', async () => {
  const { server, fetchCount } = await startWithClerk(goodKeys)
  expect(await statusFor(server, bearer(server))).toBe(200)
  for (let token = 0; token < 5; token += 1) expect(await statusFor(server, madeUp(server))).toBe(401)
  expect(fetchCount()).toBe(1)
  wait(11)
  for (let token = 0; token < 5; token += 1) expect(await statusFor(server, madeUp(server))).toBe(401)
  expect(fetchCount()).toBe(2)
})

test('fetches no keys for tokens of another instance', async () => {
  const { server, fetchCount } = await startWithClerk(goodKeys)
  for (const iss of [undefined, 'https://clerk.other.example']) {
    const token = mintToken({ azp: server.url, iss })
    expect(await statusFor(server, `Bearer ${token}`)).toBe(401)
    expect((await server.request('/trpc/viewer', { headers: { cookie: `__session=${token}` } })).status).toBe(
      200,
    )
  }
  expect(fetchCount()).toBe(0)
})

test('finds a key that Clerk adds later, and rejects it within an hour after Clerk withdraws it', async () => {
  const { server } = await startWithClerk(goodKeys, newerKeys, goodKeys)
  expect(await statusFor(server, bearer(server))).toBe(200)
  wait(11)
  expect(await statusFor(server, newer(server))).toBe(200)
  wait(11 + 61 * 60)
  expect(await statusFor(server, newer(server))).toBe(401)
})

test('keeps using the last keys while Clerk can’t be reached', async () => {
  const { server, fetchCount } = await startWithClerk(goodKeys, noNetwork)
  expect(await statusFor(server, bearer(server))).toBe(200)
  wait(61 * 60)
  expect(await statusFor(server, bearer(server))).toBe(200)
  expect(fetchCount()).toBe(2)
})

test.each([
  ['there is no network', noNetwork, 'fetch failed'],
  ['Clerk responds with an error', broken, `${address} responded with status 502.`],
  ['Clerk’s response is not JSON', () => Promise.resolve(new Response('<html>')), 'JSON'],
  ['Clerk’s response has no keys', () => Promise.resolve(Response.json({ errors: [] })), 'keys'],
  ['a key can’t be read', () => Promise.resolve(Response.json({ keys: [{ kid: 'a', kty: 'RSA' }] })), 'key'],
])('responds 503 and logs the cause once if %s', async (_, respond, cause) => {
  const { server, lines, fetchCount } = await startWithClerk(respond, goodKeys)
  const authorization = bearer(server)
  for (const headers of [{ authorization }, { cookie: authorization.replace('Bearer ', '__session=') }]) {
    const viewer = await server.request('/trpc/viewer', { headers })
    expect(viewer.status).toBe(503)
    expect(await viewer.json()).toMatchObject({
      error: {
        message: 'Sign-in is unavailable. Please try again in a moment.',
        data: { reason: 'sign_in_unavailable', retryAfter: 10 },
      },
    })
  }
  expect((await server.request('/trpc/posts.list')).status).toBe(200)
  expect(fetchCount()).toBe(1)
  const failures = lines.filter((line) => line.includes('could not fetch the signing keys'))
  expect(failures).toEqual([expect.stringContaining(cause)])
  wait(11)
  expect(await statusFor(server, authorization)).toBe(200)
})

test('aborts the request after five seconds if Clerk does not respond', async () => {
  const timeouts: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    timeouts.push(milliseconds)
    return AbortSignal.abort(new DOMException('The operation timed out.', 'TimeoutError'))
  })
  const untilAborted = (init?: RequestInit) =>
    new Promise<Response>((_, reject) => {
      init?.signal?.throwIfAborted()
      init?.signal?.addEventListener('abort', () => reject(new Error('The request was aborted.')))
    })
  const { server } = await startWithClerk(untilAborted)
  expect(await statusFor(server, bearer(server))).toBe(503)
  expect(timeouts).toEqual([5_000])
})
