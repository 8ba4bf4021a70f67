import { createHash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Database } from '../db/open-database.ts'

interface CounterOptions {
  /** Uses of a key within a window. */
  readonly points: number
  /** Seconds of a window, which begins with a key's first use. */
  readonly duration: number
}

/** Creates the counter of a limit. */
export type CreateCounter = (options: CounterOptions) => RateLimiterAbstract

/** Returns how the counter of a limit is created. Names are unique, as counters may share a table. */
export type Counters = (limit: string) => CreateCounter

/** Counts in the memory of this process. */
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
