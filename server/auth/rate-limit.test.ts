import { describe, expect, test } from 'vitest'
import { makeAccount, statusFor } from '../http/test-accounts.ts'
import { freshAddress, startTestServer, type TestServer } from '../http/test-kit.ts'

/** The statuses of six wrong sign-ins; better-auth takes three in ten seconds. */
async function signIns(
  server: TestServer,
  headersOf: (attempt: number) => Record<string, string>,
): Promise<number[]> {
  const statuses: number[] = []
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const body = { email: 'nobody@example.org', password: 'wrong password' }
    statuses.push((await server.postAccount('/sign-in/email', body, headersOf(attempt))).status)
  }
  return statuses
}

const limited = [401, 401, 401, 429, 429, 429]
const free = [401, 401, 401, 401, 401, 401]

describe('who tries passwords is held back by address', () => {
  test('behind a trusted proxy, by the address that it adds', async () => {
    const server = await startTestServer({ env: { TRUST_PROXY: '1' } })
    const real = freshAddress()
    expect(await signIns(server, () => ({ 'x-forwarded-for': `${freshAddress()}, ${real}` }))).toEqual(
      limited,
    )
    expect(await signIns(server, () => ({ 'x-forwarded-for': freshAddress() }))).toEqual(free)
  })

  test('behind two trusted proxies, by the address that the first one adds', async () => {
    const server = await startTestServer({ env: { TRUST_PROXY: '2' } })
    const real = freshAddress()
    expect(
      await signIns(server, () => ({ 'x-forwarded-for': `1.2.3.4, ${real}, ${freshAddress()}` })),
    ).toEqual(limited)
  })

  test('without a proxy, by the address of the connection, whatever is claimed', async () => {
    const server = await startTestServer({ env: { TRUST_PROXY: 'off' } })
    const claims = (attempt: number) => ({
      'x-forwarded-for': freshAddress(),
      'x-rangoli-client-address': `203.0.113.${attempt}`,
      'x-real-ip': `203.0.113.${attempt}`,
      forwarded: `for=203.0.113.${attempt}`,
    })
    expect(await signIns(server, claims)).toEqual(limited)
  })
})

describe('who is signed in tries the password of an account no oftener', () => {
  test.each([
    ['/change-password', { currentPassword: 'not the first', newPassword: 'a second password' }],
    ['/delete-user', { password: 'not the first' }],
    ['/delete-user?posts=remove', { password: 'not the first' }],
  ])('at %s', async (address, body) => {
    const server = await startTestServer({ env: { TRUST_PROXY: '1' } })
    const { cookie } = await makeAccount(server)
    const tries = async (from: () => string) => {
      const statuses: number[] = []
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const headers = { cookie, 'x-forwarded-for': from() }
        statuses.push((await server.postAccount(address, body, headers)).status)
      }
      return statuses
    }
    const one = freshAddress()
    expect(await tries(() => one)).toEqual([400, 400, 400, 429, 429, 429])
    expect(await tries(freshAddress)).toEqual([400, 400, 400, 400, 400, 400])
    expect(await statusFor(server, cookie)).toBe(200)
  })
})

test('that X-Forwarded-For arrives and is not believed is logged once', async () => {
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const server = await startTestServer({ env: { TRUST_PROXY: 'off' }, logTo })
  for (let request = 0; request < 3; request += 1) {
    await server.request('/api/auth/get-session', { headers: { 'x-forwarded-for': freshAddress() } })
  }
  expect(lines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1)
})
