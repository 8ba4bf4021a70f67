import { sql, type Kysely, type Migration } from 'kysely'

/**
 * Counts posts per user and day, and recognizes an upload that is sent again. SQLite cannot change a CHECK in place, so
 * `daily_usage` is rebuilt.
 */
export const postQuota: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      CREATE TABLE daily_usage_rebuilt (
        person_id TEXT NOT NULL,
        day TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('image', 'upload', 'post', 'blocked')),
        used INTEGER NOT NULL CHECK (used >= 0),
        PRIMARY KEY (person_id, day, kind)
      ) STRICT, WITHOUT ROWID`.execute(db)
    await sql`
      INSERT INTO daily_usage_rebuilt (person_id, day, kind, used)
      SELECT person_id, day, kind, used FROM daily_usage`.execute(db)
    await sql`DROP TABLE daily_usage`.execute(db)
    await sql`ALTER TABLE daily_usage_rebuilt RENAME TO daily_usage`.execute(db)

    await sql`ALTER TABLE images ADD COLUMN upload_sha256 TEXT`.execute(db)
    await sql`CREATE INDEX images_upload ON images (owner_id, upload_sha256)
      WHERE upload_sha256 IS NOT NULL`.execute(db)
  },
}
