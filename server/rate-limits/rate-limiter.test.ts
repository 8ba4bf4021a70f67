import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AttemptLimiter, rateLimitKey } from './rate-limiter.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Seconds to wait before the next attempt, 0 if it was allowed. */
async function attempt(limiter: AttemptLimiter, key = 'asha'): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (error) {
    expect(error).toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/^Too many attempts\. /),
    })
    return (error as { retryAfter: number }).retryAfter
  }
}

test('allows the free attempts, then doubles the wait up to its maximum', async () => {
  const limiter = new AttemptLimiter({ freeAttempts: 3, minWaitSeconds: 2, maxWaitSeconds: 10 })
  for (let free = 0; free < 3; free += 1) expect(await attempt(limiter)).toBe(0)
  for (const seconds of [2, 4, 8, 10, 10, 10]) {
    expect(await attempt(limiter)).toBe(seconds)
    vi.advanceTimersByTime(seconds * 1_000)
    expect(await attempt(limiter)).toBe(0)
  }
})

test('counts each key separately, concurrent attempts as failed, and none that come too early', async () => {
  const limiter = new AttemptLimiter({ freeAttempts: 5, minWaitSeconds: 2, maxWaitSeconds: 60 })
  const waits = await Promise.all(Array.from({ length: 100 }, () => attempt(limiter)))
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(5)
  expect(new Set(waits)).toEqual(new Set([0, 2]))
  expect(await attempt(limiter, 'ravi')).toBe(0)
  vi.advanceTimersByTime(2_000)
  expect([await attempt(limiter), await attempt(limiter)]).toEqual([0, 4])
})

test('refund reverts one attempt and its wait, reset all of a key', async () => {
  const limiter = new AttemptLimiter({ freeAttempts: 2, minWaitSeconds: 2, maxWaitSeconds: 60 })
  const attempts = async () => [await attempt(limiter), await attempt(limiter), await attempt(limiter)]
  expect(await attempts()).toEqual([0, 0, 2])
  await limiter.refund('asha')
  expect((await attempts()).slice(0, 2)).toEqual([0, 2])
  await limiter.reset('asha')
  expect(await attempts()).toEqual([0, 0, 2])
})

test('rate limit keys are numbers of 16 bits', () => {
  const buckets = new Set(
    Array.from({ length: 30_000 }, (_, index) => rateLimitKey('secret', `key ${index}`)),
  )
  // Some share a key.
  expect(buckets.size).toBeGreaterThan(22_000)
  for (const bucket of buckets) expect(bucket).toMatch(/^\d{1,5}$/)
})

test('a rate limit key depends on the secret, on every part and on where each ends', () => {
  const buckets = [
    rateLimitKey('secret', 'ab', 'c'),
    rateLimitKey('secret', 'a', 'bc'),
    rateLimitKey('secret', 'abc'),
    rateLimitKey('another secret', 'ab', 'c'),
  ]
  expect(new Set(buckets).size).toBe(buckets.length)
  expect(rateLimitKey('secret', 'ab', 'c')).toBe(buckets[0])
})
