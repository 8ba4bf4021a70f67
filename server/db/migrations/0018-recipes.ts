import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Adds the settings of generations to `images`, and the order in which users take turns. */
export const recipes: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`ALTER TABLE images ADD COLUMN engine_kind TEXT`.execute(db)
      await sql`ALTER TABLE images ADD COLUMN recipe TEXT`.execute(db)
      await sql`ALTER TABLE images ADD COLUMN remix_of TEXT`.execute(db)
      await sql`ALTER TABLE images ADD COLUMN turn INTEGER NOT NULL DEFAULT 0`.execute(db)
      await sql`ALTER TABLE images ADD COLUMN failure_detail TEXT`.execute(db)
      await createIndexes(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      await sql`
        ALTER TABLE images
          ADD COLUMN engine_kind text COLLATE "C",
          ADD COLUMN recipe text COLLATE "C",
          ADD COLUMN remix_of text COLLATE "C",
          ADD COLUMN turn bigint NOT NULL DEFAULT 0,
          ADD COLUMN failure_detail text COLLATE "C"`.execute(db)
      await createIndexes(db)
    },
  },
}

async function createIndexes(db: Kysely<never>): Promise<void> {
  await sql`DROP INDEX images_queued`.execute(db)
  await sql`CREATE INDEX images_queued ON images (engine, turn, seq)
    WHERE state = 'queued' AND worker IS NULL`.execute(db)
  // Without statistics, SQLite would prefer an index of all images to that of the queued ones, and read every finished image.
  await sql`CREATE INDEX images_turns ON images (engine, turn, seq) WHERE finished_at IS NOT NULL`.execute(db)
  // The beginning of the prompt: PostgreSQL limits the size of an entry.
  await sql`CREATE INDEX images_prompt ON images (owner_id, substr(prompt, 1, 64))
    WHERE source = 'generated'`.execute(db)
}
