import { sql, type Kysely, type Migration } from 'kysely'

/**
 * Replaces the states `generating`, `ready` and `cancelled` by `queued`, `running`, `succeeded` and `canceled`.
 *
 * SQLite can't change a CHECK in place, so `images` is rebuilt. It is the parent of `posts`, and a migration can't turn
 * foreign keys off inside its transaction: they are deferred, and inserting the rows again resolves every violation
 * that dropping the table counted.
 *
 * @see https://www.sqlite.org/foreignkeys.html#fk_schemacommands
 */
export const imageStates: Migration = {
  async up(db: Kysely<never>) {
    await sql`PRAGMA defer_foreign_keys = ON`.execute(db)
    await sql`CREATE TABLE images_copy AS SELECT * FROM images`.execute(db)
    const { rows } = await sql<{ seq: number }>`
      SELECT seq FROM sqlite_sequence WHERE name = 'images'`.execute(db)
    await sql`DROP TABLE images`.execute(db)
    await sql`
      CREATE TABLE images (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner_id TEXT NOT NULL,
        source TEXT NOT NULL CHECK (source IN ('generated', 'uploaded')),
        prompt TEXT NOT NULL,
        engine TEXT,
        model TEXT,
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
        failure TEXT,
        request_key TEXT,
        counted_on TEXT,
        folder TEXT UNIQUE,
        sha256 TEXT,
        upload_sha256 TEXT,
        width INTEGER,
        height INTEGER,
        placeholder TEXT,
        created_at INTEGER NOT NULL,
        started_at INTEGER,
        finished_at INTEGER,
        hidden_at INTEGER,
        withdrawn_at INTEGER,
        CHECK (state <> 'succeeded' OR (folder IS NOT NULL AND sha256 IS NOT NULL AND width > 0 AND height > 0)),
        CHECK ((source = 'generated') = (engine IS NOT NULL))
      ) STRICT`.execute(db)
    await sql`
      INSERT INTO images (seq, id, owner_id, source, prompt, engine, model, state, failure, request_key, counted_on,
        folder, sha256, upload_sha256, width, height, placeholder, created_at, started_at, finished_at, hidden_at,
        withdrawn_at)
      SELECT seq, id, owner_id, source, prompt, engine, model,
        CASE state
          WHEN 'generating' THEN CASE WHEN started_at IS NULL THEN 'queued' ELSE 'running' END
          WHEN 'ready' THEN 'succeeded'
          WHEN 'cancelled' THEN 'canceled'
          ELSE state
        END,
        failure, request_key, counted_on, folder, sha256, upload_sha256, width, height, placeholder, created_at,
        started_at, finished_at, hidden_at, withdrawn_at
      FROM images_copy ORDER BY seq`.execute(db)
    await sql`DROP TABLE images_copy`.execute(db)
    // Numbers of deleted images are not used again.
    if (rows[0])
      await sql`UPDATE sqlite_sequence SET seq = max(seq, ${rows[0].seq}) WHERE name = 'images'`.execute(db)

    await sql`CREATE INDEX images_owner ON images (owner_id, seq)`.execute(db)
    await sql`CREATE UNIQUE INDEX images_request_key ON images (owner_id, request_key)
      WHERE request_key IS NOT NULL`.execute(db)
    await sql`CREATE INDEX images_unfinished ON images (owner_id) WHERE state IN ('queued', 'running')`.execute(
      db,
    )
    await sql`CREATE INDEX images_durations ON images (engine, model, seq)
      WHERE state = 'succeeded' AND started_at IS NOT NULL`.execute(db)
    await sql`CREATE INDEX images_bytes ON images (owner_id, sha256) WHERE sha256 IS NOT NULL`.execute(db)
    await sql`CREATE INDEX images_upload ON images (owner_id, upload_sha256)
      WHERE upload_sha256 IS NOT NULL`.execute(db)
  },
}
