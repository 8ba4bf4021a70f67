import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { badTokens } from '../../../test/support/bad-tokens.ts'
import { clerkEnv, mintToken, signInAtClerk } from '../../../test/support/clerk.ts'
import { transports, forEachTransport } from '../../../test/support/transports.ts'
import { plainJpeg } from '../../../test/support/engine.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { dataUrl } from '../../../test/support/images.ts'

afterEach(() => void vi.restoreAllMocks())

const notValid = { status: 401, error: 'The bearer token is not valid.' }
const serviceToken = 'a-token-of-enough-letters'

const bearerOf = (server: TestServer, sub: string) => ({ bearer: mintToken({ azp: server.url, sub }) })

function viewerOf(server: TestServer, headers: Record<string, string>) {
  return server.request('/trpc/viewer', { headers })
}

/** Records URLs requested from other hosts than the server. */
function requestLog(server: TestServer): string[] {
  const asked: string[] = []
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(server.url)) asked.push(address)
    return fetch(input, init)
  })
  return asked
}

describe.each(transports)('a session token through $name', (transport) => {
  const server = shareTestServer({ env: clerkEnv({ DAILY_IMAGE_LIMIT: '1' }) })

  test('allows its user to generate and share, with separate quotas per user', async () => {
    const asked = requestLog(server())
    const asha = bearerOf(server(), 'user_asha')
    expect(await transport.generate(server(), { prompt: 'A lotus' }, asha)).toMatchObject({ error: null })
    expect(await transport.generate(server(), { prompt: 'A kite' }, asha)).toMatchObject({ status: 429 })
    const meera = bearerOf(server(), 'user_meera')
    expect(await transport.generate(server(), { prompt: 'A lotus' }, meera)).toMatchObject({ error: null })
    const photo = dataUrl(await plainJpeg(transport.name))
    expect(await transport.share(server(), { prompt: 'p', photo }, asha)).toMatchObject({ error: null })
    expect(asked).toEqual([])

    const { trpc } = { trpc: server().client(server().headersOf(asha)) }
    expect(await trpc.images.quota.query()).toMatchObject({ used: 1, limit: 1 })
    const { posts } = await trpc.posts.list.query()
    expect(posts[0]).toMatchObject({ authorId: 'user_asha' })
  })

  test('shares the quota of its user across sessions', async () => {
    const token = (sid: string) => ({ bearer: mintToken({ azp: server().url, sub: 'user_ravi', sid }) })
    expect(await transport.generate(server(), { prompt: 'A lotus' }, token('sess_1'))).toMatchObject({
      error: null,
    })
    expect(await transport.generate(server(), { prompt: 'A lotus' }, token('sess_2'))).toMatchObject({
      status: 429,
    })
  })
})

describe('an invalid session token', () => {
  const server = shareTestServer({ env: clerkEnv() })
  let photo: string
  beforeAll(async () => {
    photo = dataUrl(await plainJpeg('never shared'))
  })

  test.each(forEachTransport(badTokens))(
    '$name is rejected by $transport.name',
    async ({ make, transport }) => {
      const asked = requestLog(server())
      const bearer = make(server().url)
      expect(await transport.generate(server(), { prompt: 'A lotus' }, { bearer })).toMatchObject(notValid)
      expect(await transport.share(server(), { prompt: 'p', photo }, { bearer })).toMatchObject(notValid)
      expect(asked).toEqual([])
      expect(await transport.list(server(), {})).toMatchObject({ posts: [] })
    },
  )

  test.each(badTokens)('$name is no viewer, and beats a good cookie', async ({ make }) => {
    const authorization = `Bearer ${make(server().url)}`
    const { cookie } = signInAtClerk(server())
    for (const headers of [{ authorization }, { authorization, cookie }]) {
      const answer = await viewerOf(server(), headers)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({
        error: { message: notValid.error, data: { reason: 'not_signed_in' } },
      })
    }
  })

  test.each(badTokens)('$name is rejected as a cookie', async ({ make }) => {
    const asked = requestLog(server())
    const answer = await viewerOf(server(), { cookie: `__session=${make(server().url)}` })
    expect([answer.status, await answer.json()]).toEqual([200, { result: { data: null } }])
    expect(asked).toEqual([])
  })

  test.each(['Bearer', 'Bearer ', 'bearer', 'BEARER  '])('is rejected if it is empty: %j', async (value) => {
    expect((await viewerOf(server(), { authorization: value })).status).toBe(401)
  })

  test.each(['/trpc/viewer', '/trpc/images.quota', '/api/v1/post'])(
    'of 100 kB is rejected at %s before it is parsed',
    async (address) => {
      const authorization = `Bearer ${mintToken({ azp: server().url, filler: 'x'.repeat(75_000) })}`
      expect((await server().request(address, { headers: { authorization } })).status).toBe(431)
    },
  )
})

describe('the clock', () => {
  const server = shareTestServer({ env: clerkEnv() })

  test('of Clerk may differ from the server’s by a few seconds', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const claims of [{ exp: now - 1 }, { nbf: now + 2, iat: now + 2 }]) {
      const authorization = `Bearer ${mintToken({ azp: server().url, ...claims })}`
      expect((await viewerOf(server(), { authorization })).status).toBe(200)
    }
  })

  test('expires a session token', async () => {
    const authorization = `Bearer ${mintToken({ azp: server().url })}`
    expect((await viewerOf(server(), { authorization })).status).toBe(200)
    const later = Date.now() + 66_000
    vi.spyOn(Date, 'now').mockReturnValue(later)
    expect((await viewerOf(server(), { authorization })).status).toBe(401)
  })
})

describe('the site that a token is for', () => {
  const origin = 'https://pictures.example.org'

  test('is PUBLIC_URL if set', async () => {
    const server = await startTestServer({ env: clerkEnv({ PUBLIC_URL: origin }) })
    const statusFor = async (azp: string) =>
      (await viewerOf(server, { authorization: `Bearer ${mintToken({ azp })}` })).status
    expect(await statusFor(origin)).toBe(200)
    expect(await statusFor('http://pictures.example.org')).toBe(401)
    expect(await statusFor(server.url)).toBe(401)
  })

  test('defaults to the host of the request', async () => {
    const server = await startTestServer({ env: clerkEnv() })
    const authorization = `Bearer ${mintToken({ azp: origin })}`
    const through = (host: string) => viewerOf(server, { authorization, 'x-forwarded-host': host })
    expect((await through('pictures.example.org')).status).toBe(200)
    expect((await through('elsewhere.example.org')).status).toBe(401)
  })
})

describe.each(transports)('the service token with Clerk through $name', (transport) => {
  const server = shareTestServer({ env: clerkEnv({ API_TOKEN: serviceToken, DAILY_IMAGE_LIMIT: '1' }) })

  test('the service token and a Clerk user are different users', async () => {
    for (const who of [{ bearer: serviceToken }, bearerOf(server(), 'user_asha')]) {
      expect(await transport.generate(server(), { prompt: 'A lotus' }, who)).toMatchObject({ error: null })
      expect(await transport.generate(server(), { prompt: 'A lotus' }, who)).toMatchObject({ status: 429 })
    }
    expect(await transport.generate(server(), { prompt: 'A lotus' }, { bearer: 'a.b.c' })).toMatchObject(
      notValid,
    )
  })
})
