import { createHash, createHmac } from 'node:crypto'
import {
  RateLimiterRes,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { CompiledQuery } from 'kysely'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'

/** A limit of what each key may do in a time window. */
export interface RateLimiter {
  /** Counts a use with a weight, at most the whole limit. @throws AppError `rate_limited` above the limit, with `retryAfter` */
  consume(key: string, points?: number): Promise<void>
  /** Counts one use, and returns whether it is within the limit. */
  tryConsume(key: string): Promise<boolean>
}

/** Uses that a rate limit counts. */
type LimitedThing = 'requests' | 'attempts' | 'sign-ups' | 'links' | 'exports'

/** Creates a limiter of `what` that counts, by default in memory, in a window that begins with a key's first use. */
export function createRateLimiter(
  limit: number,
  windowSeconds: number,
  what: LimitedThing = 'requests',
  createCounter: CreateCounter = countInMemory('any'),
): RateLimiter {
  const counts = createCounter({ points: limit, duration: windowSeconds })
  return {
    async consume(key, points = 1) {
      const { isAllowed, result } = await settled(counts.consume(key, Math.min(points, limit)))
      if (!isAllowed) throw tooMany(what, result.msBeforeNext / 1_000)
    },
    tryConsume: async (key) => (await settled(counts.consume(key))).isAllowed,
  }
}

/** Limits of writes and of the costliest reads. Images, uploads, posts and sign-in attempts have limits of their own. */
export type WriteLimits = Readonly<ReturnType<typeof createWriteLimits>>

const minute = 60
const hour = 60 * minute

export function createWriteLimits(counters: Counters = countInMemory) {
  return {
    /** Mutations by user id; each call of a batch counts. */
    perUser: createRateLimiter(240, minute, 'requests', counters('writes-of-user')),
    /** Requests by client network, which many users may share. */
    perNetwork: createRateLimiter(1_200, minute, 'requests', counters('writes-of-network')),
    /** Reports of posts by client network: anyone may send them, and administrators read them. */
    reports: createRateLimiter(10, 10 * minute, 'requests', counters('reports')),
    /** Files that are verified by client network: visitors send them, too, and each is decoded. */
    verifications: createRateLimiter(20, 10 * minute, 'requests', counters('verifications')),
    /** Programs that ask for access, by the user they ask, for metadata that is fetched, or by the network that registers them. */
    programs: createRateLimiter(20, 10 * minute, 'requests', counters('programs')),
    /** Exports of an account by user id: each reads every row of the user. */
    exports: createRateLimiter(10, hour, 'exports', counters('exports')),
    /** Characters of posts whose entries in the search index change, by user id: the index takes long for long prompts. */
    indexing: createRateLimiter(80_000, minute, 'requests', counters('indexing')),
    /** Images that are encoded for a response by client network. In memory, as encoding one is faster than a write may be. */
    encodings: createRateLimiter(240, minute),
  }
}

/** Creates the error of a caller that has to wait for at least a second, with the time in its message and in `retryAfter`. */
export function tooMany(what: LimitedThing, seconds: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(seconds))
  return new AppError('rate_limited', describedDetail('rate_limit', { what, seconds: retryAfter }), {
    retryAfter,
  })
}

/** Creates the counter of a limit: uses (`points`) within seconds (`duration`) from a key's first use. */
type CreateCounter = (options: { readonly points: number; readonly duration: number }) => RateLimiterAbstract

/** Returns how the counter of a limit is created. Names are unique, as counters may share a table. */
export type Counters = (limit: string) => CreateCounter

export const countInMemory: Counters = () => (options) => new RateLimiterMemory(options)

/** Stores hashes of keys: rows remain for a while, and keys are ids of users and addresses. */
class HashedCounter extends RateLimiterPostgres {
  override getKey(key: string | number): string {
    return `${this.keyPrefix}:${createHash('sha256').update(String(key)).digest('base64url')}`
  }
}

/** Counts in a PostgreSQL database for all processes; while it fails, each process counts for itself. */
export function countInDatabase(db: Database): Counters {
  const storeClient = {
    async query({ text, values }: { readonly text: string; readonly values: unknown[] }) {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
    },
  }
  return (limit) => (options) =>
    new HashedCounter({
      ...options,
      keyPrefix: limit,
      storeClient,
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(options),
    })
}

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
