import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../errors/app-error.ts'

/** Counts how often somebody does something. */
export interface RateLimiter {
  /**
   * Counts one more time.
   *
   * @throws AppError `rate_limited` beyond the limit, with when to try again
   */
  take(who: string): Promise<void>
}

/** Allows everybody `limit` times in each `seconds`, counted from the first of them. Counts are kept in memory. */
export function createRateLimiter(limit: number, seconds: number): RateLimiter {
  const counts = new RateLimiterMemory({ points: limit, duration: seconds })
  return {
    async take(who) {
      try {
        await counts.consume(who)
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))
        throw new AppError('rate_limited', 'That was too fast. Please try again in a moment.', { retryAfter })
      }
    },
  }
}
