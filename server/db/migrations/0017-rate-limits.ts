import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/**
 * Counters of rate limits that several processes share: ours, as rate-limiter-flexible creates its table, and better-auth's.
 * They are worth nothing after a crash, so not logged. With SQLite, the one process counts in memory.
 */
export const rateLimits: SharedMigration = {
  sqlite: { up: () => Promise.resolve() },
  postgres: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE UNLOGGED TABLE rate_limits (
          key text COLLATE "C" PRIMARY KEY,
          points integer NOT NULL DEFAULT 0,
          expire bigint
        )`.execute(db)
      await sql`
        CREATE UNLOGGED TABLE "rateLimit" (
          "id" text NOT NULL PRIMARY KEY,
          "key" text NOT NULL UNIQUE,
          "count" integer NOT NULL,
          "lastRequest" bigint NOT NULL
        )`.execute(db)
    },
  },
}
