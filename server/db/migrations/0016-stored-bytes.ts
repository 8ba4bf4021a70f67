import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Adds the folders of images in a bucket, and the total of their bytes. @see BucketUsage */
export const storedBytes: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE bucket_folders (
          folder TEXT NOT NULL PRIMARY KEY,
          bytes INTEGER NOT NULL,
          unlinked_at INTEGER,
          removed_at INTEGER
        ) STRICT, WITHOUT ROWID`.execute(db)
      await sql`
        CREATE TABLE bucket_usage (
          singleton INTEGER NOT NULL PRIMARY KEY CHECK (singleton = 1),
          bytes INTEGER NOT NULL,
          swept_at INTEGER NOT NULL
        ) STRICT`.execute(db)
      await addIndexAndRow(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE bucket_folders (
          folder text COLLATE "C" NOT NULL PRIMARY KEY,
          bytes bigint NOT NULL,
          unlinked_at bigint,
          removed_at bigint
        )`.execute(db)
      await sql`
        CREATE TABLE bucket_usage (
          singleton bigint NOT NULL PRIMARY KEY CHECK (singleton = 1),
          bytes bigint NOT NULL,
          swept_at bigint NOT NULL
        )`.execute(db)
      await addIndexAndRow(db)
    },
  },
}

async function addIndexAndRow(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX bucket_folders_unlinked ON bucket_folders (unlinked_at)
    WHERE unlinked_at IS NOT NULL`.execute(db)
  await sql`INSERT INTO bucket_usage (singleton, bytes, swept_at) VALUES (1, 0, 0)`.execute(db)
}
