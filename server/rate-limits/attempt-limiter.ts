import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { tooMany } from './too-many.ts'

/** Seconds after its first attempt when a key's count starts over. */
const windowSeconds = 60 * 60

export interface AttemptLimits {
  /** Failed attempts of a key before it has to wait. */
  readonly freeAttempts: number
  /** The first wait; each one after it is twice as long. */
  readonly minWaitSeconds: number
  readonly maxWaitSeconds: number
}

/**
 * Limits failed attempts by key: the first ones are free, then each has to wait twice as long as the one before.
 * Counts are kept in memory.
 */
export class AttemptLimiter {
  readonly #limits: AttemptLimits
  readonly #attempts: RateLimiterMemory
  readonly #waits: RateLimiterMemory

  constructor(limits: AttemptLimits) {
    this.#limits = limits
    // The last free attempt is the first to be followed by a wait.
    this.#attempts = new RateLimiterMemory({ points: limits.freeAttempts - 1, duration: windowSeconds })
    this.#waits = new RateLimiterMemory({ points: 1, duration: limits.maxWaitSeconds })
  }

  /**
   * Counts an attempt as failed before its outcome is known, so that attempts made at the same time do not pass
   * together; `refund` or `reset` corrects the count.
   *
   * @throws AppError `rate_limited` if the key has to wait; the attempt does not count then
   */
  async consume(key: string): Promise<void> {
    const counted = await settled(this.#attempts.consume(key))
    if (counted.isAllowed) return
    const { freeAttempts, minWaitSeconds, maxWaitSeconds } = this.#limits
    const earlierWaits = counted.result.consumedPoints - freeAttempts
    const seconds = Math.min(minWaitSeconds * 2 ** earlierWaits, maxWaitSeconds)
    const wait = await settled(this.#waits.consume(key, 1, { customDuration: seconds }))
    if (wait.isAllowed) return
    await this.#attempts.reward(key)
    throw tooMany('attempts', wait.result.msBeforeNext / 1_000)
  }

  /** Takes back one attempt that `consume` counted, with the wait that it started. */
  async refund(key: string): Promise<void> {
    await this.#attempts.reward(key)
    await this.#waits.delete(key)
  }

  /** Forgets every attempt of a key. */
  async reset(key: string): Promise<void> {
    await this.#attempts.delete(key)
    await this.#waits.delete(key)
  }
}

/** The limiter rejects with its result where a limit is reached. */
async function settled(consumption: Promise<RateLimiterRes>) {
  try {
    return { isAllowed: true, result: await consumption } as const
  } catch (result) {
    if (!(result instanceof RateLimiterRes)) throw result
    return { isAllowed: false, result } as const
  }
}
