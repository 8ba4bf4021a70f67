import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Adds the appeals of authors against decisions to hide their posts, one for each decision. */
export const appeals: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE appeals (
          decision INTEGER PRIMARY KEY,
          post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
          author_id TEXT NOT NULL,
          comment TEXT NOT NULL,
          created_at INTEGER NOT NULL,
          closed_at INTEGER
        ) STRICT`.execute(db)
      await createIndexes(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      const text = sql.raw('text COLLATE "C"')
      await sql`
        CREATE TABLE appeals (
          decision bigint PRIMARY KEY,
          post_id ${text} NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
          author_id ${text} NOT NULL,
          comment ${text} NOT NULL,
          created_at bigint NOT NULL,
          closed_at bigint
        )`.execute(db)
      await createIndexes(db)
    },
  },
}

async function createIndexes(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX appeals_post ON appeals (post_id)`.execute(db)
  await sql`CREATE INDEX appeals_author ON appeals (author_id)`.execute(db)
}
