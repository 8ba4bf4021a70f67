import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Makes rows of `images` the jobs of generations: which process has one, until when, and whether it is to be canceled. */
export const generationLeases: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`ALTER TABLE images ADD COLUMN worker TEXT`.execute(db)
      await sql`ALTER TABLE images ADD COLUMN leased_until INTEGER`.execute(db)
      await sql`ALTER TABLE images ADD COLUMN cancel_requested_at INTEGER`.execute(db)
      await createIndexes(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      await sql`
        ALTER TABLE images
          ADD COLUMN worker text COLLATE "C",
          ADD COLUMN leased_until bigint,
          ADD COLUMN cancel_requested_at bigint`.execute(db)
      await createIndexes(db)
      // The latest preview of each generation, for the other processes. Worth nothing after a crash, so not logged.
      await sql`
        CREATE UNLOGGED TABLE image_previews (
          image_id text COLLATE "C" PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
          data_url text NOT NULL
        )`.execute(db)
      // Images are compressed already.
      await sql`ALTER TABLE image_previews ALTER COLUMN data_url SET STORAGE EXTERNAL`.execute(db)
    },
  },
}

async function createIndexes(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX images_queued ON images (seq) WHERE state = 'queued' AND worker IS NULL`.execute(db)
  await sql`CREATE INDEX images_leased ON images (worker) WHERE state IN ('queued', 'running')`.execute(db)
}
