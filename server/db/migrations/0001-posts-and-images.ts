import { sql, type Kysely, type Migration } from 'kysely'

/** Pictures, the posts that show them, and what each person used up on a day. */
export const postsAndImages: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      CREATE TABLE images (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner_id TEXT NOT NULL,
        source TEXT NOT NULL CHECK (source IN ('generated', 'uploaded')),
        prompt TEXT NOT NULL,
        engine TEXT,
        model TEXT,
        state TEXT NOT NULL CHECK (state IN ('generating', 'ready', 'failed', 'cancelled')),
        failure TEXT,
        request_key TEXT,
        counted_on TEXT,
        folder TEXT UNIQUE,
        sha256 TEXT,
        width INTEGER,
        height INTEGER,
        placeholder TEXT,
        created_at INTEGER NOT NULL,
        started_at INTEGER,
        finished_at INTEGER,
        CHECK (state <> 'ready' OR (folder IS NOT NULL AND sha256 IS NOT NULL AND width > 0 AND height > 0)),
        CHECK ((source = 'generated') = (engine IS NOT NULL))
      ) STRICT`.execute(db)
    await sql`CREATE INDEX images_owner ON images (owner_id, seq)`.execute(db)
    await sql`CREATE UNIQUE INDEX images_request_key ON images (owner_id, request_key)
      WHERE request_key IS NOT NULL`.execute(db)
    await sql`CREATE INDEX images_unfinished ON images (owner_id) WHERE state = 'generating'`.execute(db)
    await sql`CREATE INDEX images_durations ON images (engine, model, seq)
      WHERE state = 'ready' AND started_at IS NOT NULL`.execute(db)
    await sql`CREATE INDEX images_bytes ON images (owner_id, sha256) WHERE sha256 IS NOT NULL`.execute(db)
    await sql`
      CREATE TABLE posts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        author_id TEXT NOT NULL,
        image_id TEXT NOT NULL REFERENCES images (id),
        name TEXT NOT NULL,
        prompt TEXT NOT NULL,
        search_text TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`.execute(db)
    await sql`CREATE INDEX posts_image ON posts (image_id)`.execute(db)
    await sql`
      CREATE TABLE daily_usage (
        person_id TEXT NOT NULL,
        day TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('image', 'upload', 'blocked')),
        used INTEGER NOT NULL CHECK (used >= 0),
        PRIMARY KEY (person_id, day, kind)
      ) STRICT, WITHOUT ROWID`.execute(db)
  },
}
