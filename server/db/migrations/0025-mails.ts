import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Adds the queue of mails, and the setting by which users switch notices off. */
export const mails: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE mails (
          id TEXT NOT NULL PRIMARY KEY,
          bundle TEXT UNIQUE,
          recipient TEXT,
          user_id TEXT,
          language TEXT,
          message TEXT NOT NULL,
          pending INTEGER NOT NULL DEFAULT 1,
          attempts INTEGER NOT NULL DEFAULT 0,
          created_at INTEGER NOT NULL,
          due_at INTEGER NOT NULL,
          expires_at INTEGER NOT NULL
        ) STRICT`.execute(db)
      await sql`ALTER TABLE user_settings ADD COLUMN mail_notices INTEGER NOT NULL DEFAULT 1`.execute(db)
      await createIndexes(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      const text = sql.raw('text COLLATE "C"')
      await sql`
        CREATE TABLE mails (
          id ${text} PRIMARY KEY,
          bundle ${text} UNIQUE,
          recipient ${text},
          user_id ${text},
          language ${text},
          message ${text} NOT NULL,
          pending integer NOT NULL DEFAULT 1,
          attempts integer NOT NULL DEFAULT 0,
          created_at bigint NOT NULL,
          due_at bigint NOT NULL,
          expires_at bigint NOT NULL
        )`.execute(db)
      await sql`ALTER TABLE user_settings ADD COLUMN mail_notices integer NOT NULL DEFAULT 1`.execute(db)
      await createIndexes(db)
    },
  },
}

async function createIndexes(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX mails_due ON mails (due_at)`.execute(db)
  await sql`CREATE INDEX mails_user ON mails (user_id) WHERE user_id IS NOT NULL`.execute(db)
}
