import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AttemptOutcome, PasswordAttempts, type SignInAttempt } from './password-attempts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const stranger = { email: 'asha@example.org', device: null, isKnownNetwork: false }

/** Tries a password; whether it was compared at all. */
async function isCompared(
  attempts: PasswordAttempts,
  attempt: SignInAttempt,
  outcome: AttemptOutcome = 'wrong',
): Promise<boolean> {
  const request = new Request('http://localhost')
  try {
    await attempts.beginSignIn(request, attempt)
    await attempts.end(request, outcome)
    return true
  } catch {
    await attempts.end(request, 'void')
    return false
  }
}

/** Number of attempts within an hour that are compared, one every five seconds from each of these in turn. */
async function comparedInAnHour(attemptOf: (second: number) => SignInAttempt): Promise<number> {
  const attempts = new PasswordAttempts('secret')
  let compared = 0
  for (let second = 0; second < 60 * 60; second += 5) {
    if (await isCompared(attempts, attemptOf(second))) compared += 1
    vi.advanceTimersByTime(5_000)
  }
  return compared
}

test.each<[who: string, attemptOf: (second: number) => Partial<SignInAttempt>, min: number, max: number]>([
  ['unknown networks together have at one account', () => ({}), 20, 100],
  ['one network has at one account', () => ({ network: 'one' }), 5, 25],
  ['one network has at many accounts', (second) => ({ network: 'one', email: `${second}@a.org` }), 50, 120],
  ['a stolen device cookie has at one account', () => ({ device: 'stolen' }), 10, 30],
])('%s a limited number of attempts an hour', async (_, attemptOf, min, max) => {
  const compared = await comparedInAnHour((second) => ({
    ...stranger,
    network: `network ${second}`,
    ...attemptOf(second),
  }))
  expect(compared).toBeGreaterThan(min)
  expect(compared).toBeLessThanOrEqual(max)
})

test('one network that keeps trying delays others for at most one minute in five', async () => {
  const attempts = new PasswordAttempts('secret')
  let free = 0
  for (let second = 0; second < 60 * 60; second += 5) {
    await isCompared(attempts, { ...stranger, network: 'one' })
    if (await isCompared(attempts, { ...stranger, network: `network ${second}` }, 'right')) free += 1
    vi.advanceTimersByTime(5_000)
  }
  expect(free / 720).toBeGreaterThan(0.75)
})
