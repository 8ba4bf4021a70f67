import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Adds the trash, and the bytes of each stored image. */
export const trash: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      for (const column of ['bytes', 'trashed_at', 'restored_at']) {
        await sql`ALTER TABLE images ADD COLUMN ${sql.ref(column)} INTEGER`.execute(db)
      }
      await sql`
        ALTER TABLE posts ADD COLUMN trashed_visibility TEXT
          CHECK (trashed_visibility IN ('public', 'unlisted', 'private'))`.execute(db)
      await sql`ALTER TABLE site ADD COLUMN images_swept_at INTEGER NOT NULL DEFAULT 0`.execute(db)
      await createIndexes(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      await sql`
        ALTER TABLE images
          ADD COLUMN bytes bigint,
          ADD COLUMN trashed_at bigint,
          ADD COLUMN restored_at bigint`.execute(db)
      await sql`
        ALTER TABLE posts ADD COLUMN trashed_visibility text COLLATE "C"
          CHECK (trashed_visibility IN ('public', 'unlisted', 'private'))`.execute(db)
      await sql`ALTER TABLE site ADD COLUMN images_swept_at bigint NOT NULL DEFAULT 0`.execute(db)
      await createIndexes(db)
    },
  },
}

async function createIndexes(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX images_trash ON images (owner_id, trashed_at, seq)
    WHERE trashed_at IS NOT NULL`.execute(db)
  await sql`CREATE INDEX images_trashed ON images (trashed_at) WHERE trashed_at IS NOT NULL`.execute(db)
  // Has all columns that the sum of a user's bytes reads.
  await sql`CREATE INDEX images_owner_bytes ON images (owner_id, bytes)
    WHERE bytes IS NOT NULL AND withdrawn_at IS NULL`.execute(db)
  await sql`CREATE INDEX images_unmeasured ON images (seq)
    WHERE folder IS NOT NULL AND bytes IS NULL`.execute(db)
}
