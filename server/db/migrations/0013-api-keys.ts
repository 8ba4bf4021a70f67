import { sql, type Kysely, type Migration } from 'kysely'

/**
 * Renames tables and columns by the glossary: API key, closed account, user, comment, unhide. SQLite can change neither a
 * CHECK nor NOT NULL in place, so `moderation_log` is rebuilt; `administrator_id` is erased with the account.
 */
export const apiKeys: Migration = {
  async up(db: Kysely<never>) {
    await sql`ALTER TABLE personal_tokens RENAME TO api_keys`.execute(db)
    await sql`ALTER TABLE api_keys RENAME COLUMN person_id TO user_id`.execute(db)
    await sql`ALTER TABLE api_keys RENAME COLUMN person_name TO user_name`.execute(db)
    await sql`ALTER TABLE api_keys RENAME COLUMN person_image TO user_image`.execute(db)
    await sql`DROP INDEX personal_tokens_person`.execute(db)
    await sql`CREATE INDEX api_keys_user ON api_keys (user_id, seq)`.execute(db)
    await sql`ALTER TABLE token_bars RENAME TO closed_accounts`.execute(db)
    await sql`ALTER TABLE closed_accounts RENAME COLUMN person_id TO user_id`.execute(db)
    await sql`ALTER TABLE daily_usage RENAME COLUMN person_id TO user_id`.execute(db)
    await sql`ALTER TABLE reports RENAME COLUMN words TO comment`.execute(db)

    await sql`
      CREATE TABLE moderation_log_rebuilt (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        action TEXT NOT NULL CHECK (action IN ('hide', 'unhide', 'dismiss', 'delete')),
        administrator_id TEXT,
        administrator_name TEXT NOT NULL,
        post_id TEXT NOT NULL,
        author_id TEXT,
        reasons TEXT NOT NULL DEFAULT '[]',
        image_sha256 TEXT,
        created_at INTEGER NOT NULL
      ) STRICT`.execute(db)
    await sql`
      INSERT INTO moderation_log_rebuilt (
        seq, action, administrator_id, administrator_name, post_id, author_id, reasons, image_sha256, created_at
      )
      SELECT seq, iif(action = 'show', 'unhide', action), administrator_id, administrator_name, post_id, author_id,
        reasons, image_sha256, created_at
      FROM moderation_log ORDER BY seq`.execute(db)
    await sql`DROP TABLE moderation_log`.execute(db)
    await sql`ALTER TABLE moderation_log_rebuilt RENAME TO moderation_log`.execute(db)
    await sql`CREATE INDEX moderation_log_author ON moderation_log (author_id, image_sha256)
      WHERE author_id IS NOT NULL`.execute(db)
  },
}
