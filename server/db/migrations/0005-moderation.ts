import { sql, type Kysely, type Migration } from 'kysely'

/** Reports of posts, posts that are hidden, and what administrators did. */
export const moderation: Migration = {
  async up(db: Kysely<never>) {
    await sql`ALTER TABLE posts ADD COLUMN hidden_at INTEGER`.execute(db)
    await sql`CREATE INDEX posts_hidden ON posts (hidden_at) WHERE hidden_at IS NOT NULL`.execute(db)
    await sql`
      CREATE TABLE reports (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
        reason TEXT NOT NULL,
        words TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`.execute(db)
    await sql`CREATE INDEX reports_post ON reports (post_id, seq)`.execute(db)
    await sql`
      CREATE TABLE moderation_log (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        action TEXT NOT NULL CHECK (action IN ('hide', 'show', 'dismiss', 'delete')),
        administrator_id TEXT NOT NULL,
        administrator_name TEXT NOT NULL,
        post_id TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`.execute(db)
  },
}
