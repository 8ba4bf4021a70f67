import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/**
 * Adds the sessions that began at the OpenID Connect provider, with the encrypted ID token that ends the provider's own
 * session. An account at the provider belongs to one user.
 */
export const providerSessions: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE provider_sessions (
          session_id TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
          id_token TEXT NOT NULL,
          authenticated_at INTEGER NOT NULL
        ) STRICT`.execute(db)
      await createIndex(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      // Of the type of the column it refers to, which is better-auth's.
      await sql`
        CREATE TABLE provider_sessions (
          session_id text PRIMARY KEY REFERENCES "session" (id) ON DELETE CASCADE,
          id_token text COLLATE "C" NOT NULL,
          authenticated_at bigint NOT NULL
        )`.execute(db)
      await createIndex(db)
    },
  },
}

async function createIndex(db: Kysely<never>): Promise<void> {
  await sql`
    CREATE UNIQUE INDEX account_of_provider ON "account" ("providerId", "accountId")
    WHERE "providerId" = 'oidc'`.execute(db)
}
