import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/** Adds an index of each user's failed images, so that listing them does not read the others. */
export const failedImages: SharedMigration = {
  sqlite: { up: createIndex },
  postgres: { up: createIndex },
}

async function createIndex(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX images_failed ON images (owner_id, seq) WHERE state = 'failed'`.execute(db)
}
