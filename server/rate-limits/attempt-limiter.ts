import { createHmac } from 'node:crypto'
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { countInMemory, type Counters } from './counters.ts'
import { tooMany } from './rate-limiter.ts'

/** Begins with a key's first attempt. */
const windowSeconds = 60 * 60

export interface AttemptLimits {
  /** Failed attempts of a key before the first wait. */
  readonly freeAttempts: number
  /** The first wait; each further one is twice as long. */
  readonly minWaitSeconds: number
  readonly maxWaitSeconds: number
}

/** Limits failed attempts by key: the first ones are free, then the wait doubles with each. */
export class AttemptLimiter {
  readonly #limits: AttemptLimits
  readonly #attempts: RateLimiterAbstract
  readonly #waits: RateLimiterAbstract

  /** @param name unique among the limiters that share `counters`, which count in memory by default */
  constructor(limits: AttemptLimits, name = 'attempts', counters: Counters = countInMemory) {
    this.#limits = limits
    // A wait follows the last free attempt.
    this.#attempts = counters(name)({ points: limits.freeAttempts - 1, duration: windowSeconds })
    this.#waits = counters(`${name}-waits`)({ points: 1, duration: limits.maxWaitSeconds })
  }

  /**
   * Counts an attempt as failed before its outcome is known, so that concurrent attempts do not pass
   * together; `refund` or `reset` corrects the count.
   *
   * @throws AppError `rate_limited` if the key has to wait; such an attempt does not count
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

  /** Reverts one `consume`, with the wait that it started. */
  async refund(key: string): Promise<void> {
    await this.#attempts.reward(key)
    await this.#waits.delete(key)
  }

  /** Deletes all attempts of a key. */
  async reset(key: string): Promise<void> {
    await this.#attempts.delete(key)
    await this.#waits.delete(key)
  }
}

/** The limiter rejects with its result when a limit is reached. */
async function settled(consumption: Promise<RateLimiterRes>) {
  try {
    return { isAllowed: true, result: await consumption } as const
  } catch (result) {
    if (!(result instanceof RateLimiterRes)) throw result
    return { isAllowed: false, result } as const
  }
}

/**
 * Maps what is counted to one of 65,536 keys, which bounds a limiter's memory (25 MB measured with every key in use) and
 * keeps email addresses out of it. The hash is keyed, so that it is impossible to search for a network or an email address that
 * shares a count with another.
 */
export function rateLimitKey(secret: string, ...parts: readonly string[]): string {
  const hash = createHmac('sha256', secret).update(JSON.stringify(parts)).digest()
  return String(hash.readUInt16BE())
}
