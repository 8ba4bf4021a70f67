import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { badTokens } from '../../../test/support/bad-tokens.ts'
import { clerkEnv, mintToken } from '../../../test/support/clerk.ts'
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
  const requestedUrls: string[] = []
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(server.url)) requestedUrls.push(address)
    return fetch(input, init)
  })
  return requestedUrls
}

describe.each(transports)('a session token through $name', (transport) => {
  const server = shareTestServer({ env: clerkEnv({ DAILY_IMAGE_LIMIT: '1' }) })

  test('allows its user to generate and share, with separate quotas per user', async () => {
    const requestedUrls = requestLog(server())
    const asha = bearerOf(server(), 'user_asha')
    expect(await transport.generate(server(), { prompt: 'A lotus' }, asha)).toMatchObject({ error: null })
    expect(await transport.generate(server(), { prompt: 'A kite' }, asha)).toMatchObject({ status: 429 })
    const meera = bearerOf(server(), 'user_meera')
    expect(await transport.generate(server(), { prompt: 'A lotus' }, meera)).toMatchObject({ error: null })
    const photo = dataUrl(await plainJpeg(transport.name))
    expect(await transport.share(server(), { prompt: 'p', photo }, asha)).toMatchObject({ error: null })
    expect(requestedUrls).toEqual([])

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

describe('invalid session tokens', () => {
  const server = shareTestServer({ env: clerkEnv() })
  let photo: string
  beforeAll(async () => {
    photo = dataUrl(await plainJpeg('never shared'))
  })

  test.each(forEachTransport(badTokens))(
    '$transport.name rejects a token $name',
    async ({ create, transport }) => {
      const requestedUrls = requestLog(server())
      const bearer = create(server().url)
      expect(await transport.generate(server(), { prompt: 'A lotus' }, { bearer })).toMatchObject(notValid)
      expect(await transport.share(server(), { prompt: 'p', photo }, { bearer })).toMatchObject(notValid)
      expect(requestedUrls).toEqual([])
      expect(await transport.list(server(), {})).toMatchObject({ posts: [] })
    },
  )

  test.each(['Bearer', 'Bearer ', 'bearer', 'BEARER  '])(
    'rejects the empty authorization %j',
    async (value) => {
      expect((await viewerOf(server(), { authorization: value })).status).toBe(401)
    },
  )

  test.each(['/trpc/viewer', '/trpc/images.quota', '/api/v1/post'])(
    '%s rejects a token of 100 kB before parsing it',
    async (address) => {
      const authorization = `Bearer ${mintToken({ azp: server().url, filler: 'x'.repeat(75_000) })}`
      expect((await server().request(address, { headers: { authorization } })).status).toBe(431)
    },
  )
})

describe('times in session tokens', () => {
  const server = shareTestServer({ env: clerkEnv() })

  test('may differ from the server’s clock by a few seconds', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const claims of [{ exp: now - 1 }, { nbf: now + 2, iat: now + 2 }]) {
      const authorization = `Bearer ${mintToken({ azp: server().url, ...claims })}`
      expect((await viewerOf(server(), { authorization })).status).toBe(200)
    }
  })

  test('rejects a session token once it has expired', async () => {
    const authorization = `Bearer ${mintToken({ azp: server().url })}`
    expect((await viewerOf(server(), { authorization })).status).toBe(200)
    const later = Date.now() + 66_000
    vi.spyOn(Date, 'now').mockReturnValue(later)
    expect((await viewerOf(server(), { authorization })).status).toBe(401)
  })
})

describe('the accepted site of a session token', () => {
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

  test('has its own quota, separate from Clerk users', async () => {
    for (const credential of [{ bearer: serviceToken }, bearerOf(server(), 'user_asha')]) {
      expect(await transport.generate(server(), { prompt: 'A lotus' }, credential)).toMatchObject({
        error: null,
      })
      expect(await transport.generate(server(), { prompt: 'A lotus' }, credential)).toMatchObject({
        status: 429,
      })
    }
    expect(await transport.generate(server(), { prompt: 'A lotus' }, { bearer: 'a.b.c' })).toMatchObject(
      notValid,
    )
  })
})
