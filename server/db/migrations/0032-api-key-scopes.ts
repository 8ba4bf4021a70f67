import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Adds the scopes of API keys; existing keys keep all. */
export const apiKeyScopes: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`ALTER TABLE api_keys ADD COLUMN scopes TEXT`.execute(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      await sql`ALTER TABLE api_keys ADD COLUMN scopes text COLLATE "C"`.execute(db)
    },
  },
}
