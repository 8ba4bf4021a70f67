import { sql, type Kysely, type Migration } from 'kysely'

/** Tokens by which programs act as a person, and who may make none for a while. */
export const personalTokens: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      CREATE TABLE personal_tokens (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        person_id TEXT NOT NULL,
        name TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE,
        person_name TEXT NOT NULL,
        person_image TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        last_used_at INTEGER
      ) STRICT`.execute(db)
    await sql`CREATE INDEX personal_tokens_person ON personal_tokens (person_id, seq)`.execute(db)
    await sql`
      CREATE TABLE token_bars (
        person_id TEXT PRIMARY KEY,
        created_at INTEGER NOT NULL
      ) STRICT`.execute(db)
  },
}
