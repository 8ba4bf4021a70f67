import { RateLimiterRes } from 'rate-limiter-flexible'
import type { LimitedThing } from '../../shared/error-details.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { countInMemory, type Counters, type CreateCounter } from './counters.ts'

/** A limit of what each key may do in a time window. */
export interface RateLimiter {
  /**
   * Counts one use.
   *
   * @throws AppError `rate_limited` above the limit, with `retryAfter`
   */
  consume(key: string): Promise<void>
}

/**
 * Creates a limiter that counts in a window that begins with a key's first use.
 *
 * @param what what is limited, for the error message
 * @param createCounter by default in memory
 */
export function createRateLimiter(
  limit: number,
  windowSeconds: number,
  what: LimitedThing = 'requests',
  createCounter: CreateCounter = countInMemory('any'),
): RateLimiter {
  const counts = createCounter({ points: limit, duration: windowSeconds })
  return {
    async consume(key) {
      try {
        await counts.consume(key)
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection
        throw tooMany(what, rejection.msBeforeNext / 1_000)
      }
    },
  }
}

/** Limits of writes and of the costliest reads. Images, uploads, posts and sign-in attempts have limits of their own. */
export interface WriteLimits {
  /** Mutations by user id; each call of a batch counts. */
  readonly perUser: RateLimiter
  /** Requests by client network, which many users may share. */
  readonly perNetwork: RateLimiter
  /** Reports of posts by client network: anyone may send them, and administrators read them. */
  readonly reports: RateLimiter
  /** Exports of an account by user id: each reads every row of the user. */
  readonly exports: RateLimiter
  /** Images that become private by user id: the files of each are copied. */
  readonly moves: RateLimiter
  /** Images that are encoded for a response by client network: anyone may ask for those of public posts. */
  readonly encodings: RateLimiter
}

const minute = 60
const hour = 60 * minute

export function createWriteLimits(counters: Counters = countInMemory): WriteLimits {
  return {
    perUser: createRateLimiter(240, minute, 'requests', counters('writes-of-user')),
    perNetwork: createRateLimiter(1_200, minute, 'requests', counters('writes-of-network')),
    reports: createRateLimiter(10, 10 * minute, 'requests', counters('reports')),
    exports: createRateLimiter(10, hour, 'exports', counters('exports')),
    moves: createRateLimiter(200, hour, 'images_made_private', counters('moves')),
    // In memory with every database: an image is encoded in less time than a write may take.
    encodings: createRateLimiter(240, minute),
  }
}

/**
 * Creates the error of a caller that has to wait, with the time in its message and in `retryAfter`.
 *
 * @param seconds until the next use is allowed; rounded up to whole seconds, at least one
 */
export function tooMany(what: LimitedThing, seconds: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(seconds))
  return new AppError('rate_limited', describedDetail('rate_limit', { what, seconds: retryAfter }), {
    retryAfter,
  })
}
