import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount, statusFor, type TestAccount } from '../../test/support/accounts.ts'
import { cookieOf, shareTestServer } from '../../test/support/test-server.ts'

const server = shareTestServer()
const day = 24 * 60 * 60 * 1_000

async function setExpiry(account: TestAccount, expiresIn: number): Promise<void> {
  const expiresAt = new Date(Date.now() + expiresIn).toISOString()
  await sql`UPDATE session SET "expiresAt" = ${expiresAt} WHERE "userId" = ${account.id}`.execute(
    server().services.db,
  )
}

async function expiryOf(account: TestAccount): Promise<number> {
  const { rows } = await sql<{
    expiresAt: string
  }>`SELECT "expiresAt" FROM session WHERE "userId" = ${account.id}`.execute(server().services.db)
  return new Date(rows[0]?.expiresAt ?? Number.NaN).getTime()
}

const getSession = (cookie: string) => server().request('/api/auth/get-session', { headers: { cookie } })

test('renews a used session and its cookie for thirty days', async () => {
  const asha = await makeAccount(server())
  await setExpiry(asha, 2 * day)
  expect(await statusFor(server(), asha.cookie)).toBe(200)
  const answer = await getSession(asha.cookie)
  expect(answer.status).toBe(200)
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/; Max-Age=2592000/)])
  expect(await expiryOf(asha)).toBeGreaterThan(Date.now() + 29 * day)
  expect(await statusFor(server(), cookieOf(answer))).toBe(200)
})

test('keeps the cookie when an expired session is queried, as it may be a new one', async () => {
  const asha = await makeAccount(server())
  await server()
    .services.db.deleteFrom('session' as never)
    .execute()
  const answer = await getSession(asha.cookie)
  expect([answer.status, await answer.json()]).toEqual([200, null])
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('does not renew a fresh session', async () => {
  const asha = await makeAccount(server())
  const before = await expiryOf(asha)
  expect((await getSession(asha.cookie)).headers.getSetCookie()).toEqual([])
  expect(await expiryOf(asha)).toBe(before)
})
