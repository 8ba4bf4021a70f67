import { betterAuth } from 'better-auth'
import { describe, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../test/support/databases.ts'
import { freshAddress } from '../../test/support/test-server.ts'
import { testAccountOptions } from '../../test/support/account-options.ts'
import { isWeakPassword } from './passwords.ts'

const owner = { name: 'Meera Krishnan', email: 'Lotus.Pond@Example.org' }

test.each([
  ['password1', false],
  ['correct horse', false],
  ['aaaabbbbc', false],
  ['कमल का फूल', false],
  ['🌼🌸🌺🌼', false],
  ['meera krishnan!', false],
  ['PassWord', true],
  ['pass word', true],
  ['ｐａｓｓｗｏｒｄ', true],
  ['12345678', true],
  ['qwertyuiop', true],
  ['abababababab', true],
  ['        ', true],
  ['meerakrishnan', true],
  ['lotus.pond@example.org', true],
  ['lotus.pond', true],
])('the password %j is weak: %j', (password, isWeak) => {
  expect(isWeakPassword(password, owner)).toBe(isWeak)
})

/** better-auth over a database of its own, with its hashing watched. */
async function watchHashing() {
  const db = await openTestDatabase()
  const auth = betterAuth(testAccountOptions(db))
  const { password } = await auth.$context
  const hash = vi.spyOn(password, 'hash')
  const verify = vi.spyOn(password, 'verify')
  const post = (pathname: string, body: unknown) =>
    auth.handler(
      new Request(`http://localhost/api/auth${pathname}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-rangoli-client-address': freshAddress() },
        body: JSON.stringify(body),
      }),
    )
  /** Number of times that a call hashed a password: to compare it, or for nothing. */
  const hashed = async (call: Promise<Response>) => {
    const before = hash.mock.calls.length + verify.mock.calls.length
    const answer = await call
    return { answer, times: hash.mock.calls.length + verify.mock.calls.length - before }
  }
  return { post, hashed, hash, verify }
}

describe('signing in', () => {
  test('computes one hash whether the email exists or not', async () => {
    const { post, hashed, hash, verify } = await watchHashing()
    await post('/sign-up/email', { name: 'Asha', email: 'known@example.org', password: 'correct horse' })
    const attempt = (email: string) => hashed(post('/sign-in/email', { email, password: 'wrong password' }))
    const [known, unknown] = [await attempt('known@example.org'), await attempt('unknown@example.org')]
    expect([known.times, unknown.times]).toEqual([1, 1])
    expect([known.answer.status, unknown.answer.status]).toEqual([401, 401])
    expect(await known.answer.text()).toBe(await unknown.answer.text())
    // One checks the hashes of the other, so that both have the same cost of scrypt.
    const [made] = await Promise.all(hash.mock.results.map((result) => result.value as Promise<string>))
    expect(await verify({ hash: made ?? '', password: 'correct horse' })).toBe(true)
  })

  test('rejects a password of more than 128 characters without hashing it, for any email', async () => {
    const { post, hashed } = await watchHashing()
    await post('/sign-up/email', { name: 'Asha', email: 'known@example.org', password: 'correct horse' })
    for (const email of ['known@example.org', 'unknown@example.org']) {
      const { answer, times } = await hashed(post('/sign-in/email', { email, password: 'x'.repeat(129) }))
      expect(times).toBe(0)
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'PASSWORD_TOO_LONG' }])
    }
  })
})
