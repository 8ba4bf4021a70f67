import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooMany, type LimitedThing } from './too-many.ts'

/** Counts what is done by key. */
export interface RateLimiter {
  /**
   * Counts one more time.
   *
   * @throws AppError `rate_limited` beyond the limit, with when to try again
   */
  take(key: string): Promise<void>
}

/**
 * Allows each key `limit` times in each `seconds`, counted from the first of them. Counts are kept in memory.
 *
 * @param what what is counted, for the message of the refusal
 */
export function createRateLimiter(
  limit: number,
  seconds: number,
  what: LimitedThing = 'requests',
): RateLimiter {
  const counts = new RateLimiterMemory({ points: limit, duration: seconds })
  return {
    async take(key) {
      try {
        await counts.consume(key)
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        throw tooMany(what, refusal.msBeforeNext / 1_000)
      }
    },
  }
}
