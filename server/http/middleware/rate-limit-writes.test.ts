import { describe, expect, test } from 'vitest'
import { createRateLimiter, createWriteLimits, type WriteLimits } from '../../rate-limits/rate-limiter.ts'
import { unlimitedWrites } from '../../../test/support/limits.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'

/** A server that allows three writes a minute per user or per network. */
function startStrict(limited: keyof WriteLimits, env: Record<string, string> = {}): Promise<TestServer> {
  return startTestServer({ env, writeLimits: { ...unlimitedWrites(), [limited]: createRateLimiter(3, 60) } })
}

test('the write limit of a user counts each call of a batch, and neither reads nor other users', async () => {
  const server = await startStrict('perUser')
  const [asha, ravi] = [await server.signUp(), await server.signUp()]
  const calls = Object.fromEntries([0, 1, 2, 3].map((index) => [index, { id: 'none' }]))
  const address = `/trpc/${Array<string>(4).fill('posts.delete').join(',')}?batch=1`
  const response = await server.postJson(address, calls, asha)
  const body = (await response.json()) as { error: { data: { httpStatus: number } } }[]
  expect(body.map(({ error }) => error.data.httpStatus).toSorted((a, b) => a - b)).toEqual([
    404, 404, 404, 429,
  ])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  const rejected = await server.postJson('/api/v1/post', {}, asha)
  expect(rejected.status).toBe(429)
  expect(await rejected.text()).toMatch(/Too many requests\. Try again in \d+ seconds?\./)
  expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id })
  expect((await server.postJson('/api/v1/post', {}, ravi)).status).toBe(400)
})

describe('the write limit of a network', () => {
  async function statuses(server: TestServer, addresses: readonly string[]): Promise<number[]> {
    const responses = addresses.map((address) =>
      server.postJson('/api/v1/post', {}, undefined, { 'x-forwarded-for': address }),
    )
    return (await Promise.all(responses)).map(({ status }) => status).toSorted((a, b) => a - b)
  }

  test('applies to all clients of the network by the address that a proxy saw, and to no other', async () => {
    const server = await startStrict('perNetwork')
    const here = '203.0.113.9'
    const forged = [1, 2, 3, 4].map((last) => `198.51.100.${last}, ${here}`)
    expect(await statuses(server, forged)).toEqual([401, 401, 401, 429])
    expect(await statuses(server, [here, '203.0.113.10'])).toEqual([401, 429])
    const read = await server.request('/api/v1/post', { headers: { 'x-forwarded-for': here } })
    expect(read.status).toBe(200)
  })

  test('counts by the connecting address without a trusted proxy', async () => {
    const server = await startStrict('perNetwork', { TRUST_PROXY: 'off' })
    const forged = [1, 2, 3, 4].map((last) => `198.51.100.${last}`)
    expect(await statuses(server, forged)).toEqual([401, 401, 401, 429])
  })

  test('counts IPv6 addresses by their /64', async () => {
    const server = await startStrict('perNetwork')
    const same = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0db8:0001:0002:3:4:5:6', '2001:db8:1:2::']
    expect(await statuses(server, same)).toEqual([401, 401, 401, 429])
    const others = ['2001:db8:1:3::1', '::1', '::ffff:203.0.113.1', '::ffff:203.0.113.2', '::2', '::3', '::4']
    expect(await statuses(server, others)).toEqual([401, 401, 401, 401, 401, 401, 429])
  })
})

test('users may write at least 120 times a minute', async () => {
  const limits = createWriteLimits()
  for (let writes = 0; writes < 120; writes += 1) {
    await limits.perUser.consume('asha')
    await limits.perNetwork.consume('203.0.113.9')
  }
})
