import { describe, expect, test } from 'vitest'
import { createRateLimiter, createWriteLimits, type WriteLimits } from '../../rate-limits/rate-limiter.ts'
import { transports } from '../../../test/support/transports.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'

const never = createRateLimiter(1_000_000, 60)

/** A server that allows three writes a minute per user or per network. */
function startStrict(limited: keyof WriteLimits, env?: Record<string, string>): Promise<TestServer> {
  const writeLimits = {
    perUser: never,
    perNetwork: never,
    reports: never,
    exports: never,
    indexing: never,
    encodings: never,
    [limited]: createRateLimiter(3, 60),
  }
  return startTestServer({ writeLimits, ...(env && { env }) })
}

function share(server: TestServer, headers: Record<string, string>): Promise<Response> {
  return server.postJson('/api/v1/post', {}, undefined, headers)
}

async function statuses(responses: readonly Promise<Response>[]): Promise<number[]> {
  const found = await Promise.all(responses)
  return found.map(({ status }) => status).sort((a, b) => a - b)
}

describe.each(transports)('through $name, the write limit of a user', (transport) => {
  test('responds with the time to wait, and does not limit reads', async () => {
    const server = await startStrict('perUser')
    const asha = await server.signUp()
    for (let writes = 0; writes < 3; writes += 1) {
      expect((await transport.share(server, {}, asha)).status).toBe(400)
    }
    const rejected = await transport.share(server, {}, asha)
    expect(rejected.status).toBe(429)
    expect(rejected.error).toMatch(/^Too many requests\. Try again in \d+ seconds?\.$/)
    expect(rejected.retryAfter).toBeGreaterThan(0)
    expect(rejected.retryAfter).toBeLessThanOrEqual(60)
    expect((await transport.list(server, {})).status).toBe(200)
    expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id })
  })

  test('does not affect other users', async () => {
    const server = await startStrict('perUser')
    const [asha, ravi] = [await server.signUp(), await server.signUp('Ravi')]
    for (let writes = 0; writes < 4; writes += 1) await transport.share(server, {}, asha)
    expect((await transport.share(server, {}, ravi)).status).toBe(400)
  })
})

test('counts each call of a batch, and sets Retry-After', async () => {
  const server = await startStrict('perUser')
  const asha = await server.signUp()
  const calls = Object.fromEntries([0, 1, 2, 3].map((index) => [index, { id: 'none' }]))
  const address = `/trpc/${Array<string>(4).fill('posts.delete').join(',')}?batch=1`
  const response = await server.postJson(address, calls, asha)
  const body = (await response.json()) as { error: { data: { httpStatus: number } } }[]
  const found = body.map(({ error }) => error.data.httpStatus).sort((a, b) => a - b)
  expect(found).toEqual([404, 404, 404, 429])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
})

describe('the write limit of a network', () => {
  test('applies to all clients of the network, and to no other network', async () => {
    const server = await startStrict('perNetwork')
    const from = (address: string) => share(server, { 'x-forwarded-for': address })
    expect(await statuses([1, 2, 3, 4, 5].map(() => from('203.0.113.9')))).toEqual([401, 401, 401, 429, 429])
    expect((await from('203.0.113.10')).status).toBe(401)
    expect(
      (await server.request('/api/v1/post', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status,
    ).toBe(200)
  })

  test('cannot be evaded by forged headers', async () => {
    const server = await startStrict('perNetwork')
    const forged = [1, 2, 3, 4].map((last) =>
      share(server, { 'x-forwarded-for': `198.51.100.${last}, 203.0.113.9` }),
    )
    expect(await statuses(forged)).toEqual([401, 401, 401, 429])
  })

  test('counts by the connecting address without a trusted proxy', async () => {
    const server = await startStrict('perNetwork', { TRUST_PROXY: 'off' })
    const forged = [1, 2, 3, 4].map((last) => share(server, { 'x-forwarded-for': `198.51.100.${last}` }))
    expect(await statuses(forged)).toEqual([401, 401, 401, 429])
  })

  test('counts IPv6 addresses by their /64', async () => {
    const server = await startStrict('perNetwork')
    const from = (address: string) => share(server, { 'x-forwarded-for': address })
    const same = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0db8:0001:0002:3:4:5:6', '2001:db8:1:2::']
    expect(await statuses(same.map(from))).toEqual([401, 401, 401, 429])
    expect((await from('2001:db8:1:3::1')).status).toBe(401)
    expect(
      await statuses(['::1', '::ffff:203.0.113.1', '::ffff:203.0.113.2', '::2', '::3', '::4'].map(from)),
    ).toEqual([401, 401, 401, 401, 401, 429])
  })
})

test('users may write at least 120 times a minute', async () => {
  const limits = createWriteLimits()
  for (let writes = 0; writes < 120; writes += 1) {
    await limits.perUser.consume('asha')
    await limits.perNetwork.consume('203.0.113.9')
  }
})
