import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestServer,
} from '../../test/support/test-server.ts'

const shared = shareTestServer({ env: { TRUST_PROXY: '1' } })

const signInPath = '/sign-in/email'
const wrongSignIn = () => ({ email: `${freshAddress()}@example.org`, password: 'wrong password' })

/** Returns the statuses of six wrong sign-ins at one account. */
async function signIns(server: TestServer, forwardedFor: () => string): Promise<number[]> {
  const body = wrongSignIn()
  const statuses: number[] = []
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const headers = { 'x-forwarded-for': forwardedFor() }
    statuses.push((await server.postAccount(signInPath, body, headers)).status)
  }
  return statuses
}

/** Makes a wrong sign-in through a connection from an address, and returns its status. */
async function signInFrom(
  localAddress: string,
  { url }: TestServer,
  body: ReturnType<typeof wrongSignIn>,
  headers: Record<string, string>,
): Promise<number | undefined> {
  const call = http.request(`${url}/api/auth${signInPath}`, {
    method: 'POST',
    localAddress,
    agent: false,
    headers: { 'content-type': 'application/json', origin: url, ...headers },
  })
  call.end(JSON.stringify(body))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

const limited = [401, 401, 401, 401, 401, 429]

describe('limits password attempts by client address', () => {
  test('behind a trusted proxy, by the address it adds', async () => {
    const server = shared()
    const real = freshAddress()
    expect(await signIns(server, () => `${freshAddress()}, ${real}`)).toEqual(limited)
    expect(await signIns(server, freshAddress)).not.toContain(429)
  })

  test('without a proxy, by the address of the connection, ignoring headers', async () => {
    const server = await startTestServer({ env: { TRUST_PROXY: 'off' } })
    const body = wrongSignIn()
    const loopback = freshAddress().replace(/^198/, '127')
    const statuses: (number | undefined)[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const claims = {
        'x-forwarded-for': freshAddress(),
        'x-rangoli-client-address': `203.0.113.${attempt}`,
        'x-real-ip': `203.0.113.${attempt}`,
        forwarded: `for=203.0.113.${attempt}`,
      }
      statuses.push(await signInFrom(loopback, server, body, claims))
    }
    expect(statuses).toEqual(limited)
  })
})

test('of the users of one network, fifty sign in within ten seconds', async () => {
  const headers = { 'x-forwarded-for': freshAddress() }
  const attempt = () => shared().postAccount(signInPath, wrongSignIn(), headers)
  for (let user = 0; user < 50; user += 1) expect((await attempt()).status).toBe(401)
  const rejected = await attempt()
  expect(rejected.status).toBe(429)
  const seconds = Number(rejected.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(10)
  expect(await rejected.json()).toEqual({
    code: 'rate_limited',
    message: `Too many attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    detail: { code: 'rate_limit', values: { what: 'attempts', seconds } },
  })
})

describe('sign-ups from one network', () => {
  const signUpFrom = (server: TestServer, address: string, email: string) =>
    server.postAccount(
      '/sign-up/email',
      { name: 'Asha', email, password: 'a first password' },
      { 'x-forwarded-for': address },
    )

  test('are limited by HOURLY_SIGN_UP_LIMIT, whether the email exists or not', async () => {
    const server = await startTestServer({ env: { HOURLY_SIGN_UP_LIMIT: '2' } })
    // Addresses of one /64.
    expect((await signUpFrom(server, '2001:db8:7:8::1', 'asha@example.org')).status).toBe(200)
    expect((await signUpFrom(server, '2001:db8:7:8::2', 'asha@example.org')).status).toBe(422)
    const rejected = await signUpFrom(server, '2001:db8:7:8::3', 'ravi@example.org')
    expect(rejected.status).toBe(429)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect(await rejected.json()).toEqual({
      code: 'rate_limited',
      message: expect.stringMatching(
        /^Too many sign-ups from your network\. Try again in (60|59) minutes\.$/,
      ),
      detail: { code: 'rate_limit', values: { what: 'sign-ups', seconds: expect.any(Number) } },
    })
    expect((await signUpFrom(server, freshAddress(), 'ravi@example.org')).status).toBe(200)
  })

  test('do not count if a field was missing or the password weak', async () => {
    const server = await startTestServer({ env: { HOURLY_SIGN_UP_LIMIT: '1' } })
    const address = freshAddress()
    const weak = { name: 'Asha', email: 'asha@example.org', password: 'password' }
    const headers = { 'x-forwarded-for': address }
    expect((await server.postAccount('/sign-up/email', weak, headers)).status).toBe(400)
    expect((await server.postAccount('/sign-up/email', {}, headers)).status).toBe(400)
    expect((await signUpFrom(server, address, 'asha@example.org')).status).toBe(200)
  })
})

test('logs once that X-Forwarded-For is ignored', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: 'off' } })
  for (let request = 0; request < 3; request += 1) {
    await server.request('/api/auth/get-session', { headers: { 'x-forwarded-for': freshAddress() } })
  }
  expect(server.lines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1)
})
