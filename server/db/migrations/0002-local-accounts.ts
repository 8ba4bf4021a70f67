import { sql, type Kysely, type Migration } from 'kysely'

/** The tables that better-auth asks for; a test compares them with what its version wants. */
export const localAccounts: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      CREATE TABLE user (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        email TEXT NOT NULL UNIQUE,
        emailVerified INTEGER NOT NULL,
        image TEXT,
        createdAt DATE NOT NULL,
        updatedAt DATE NOT NULL
      )`.execute(db)
    await sql`
      CREATE TABLE session (
        id TEXT NOT NULL PRIMARY KEY,
        expiresAt DATE NOT NULL,
        token TEXT NOT NULL UNIQUE,
        createdAt DATE NOT NULL,
        updatedAt DATE NOT NULL,
        ipAddress TEXT,
        userAgent TEXT,
        userId TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE
      )`.execute(db)
    await sql`CREATE INDEX session_userId_idx ON session (userId)`.execute(db)
    await sql`
      CREATE TABLE account (
        id TEXT NOT NULL PRIMARY KEY,
        accountId TEXT NOT NULL,
        providerId TEXT NOT NULL,
        userId TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
        accessToken TEXT,
        refreshToken TEXT,
        idToken TEXT,
        accessTokenExpiresAt DATE,
        refreshTokenExpiresAt DATE,
        scope TEXT,
        password TEXT,
        createdAt DATE NOT NULL,
        updatedAt DATE NOT NULL
      )`.execute(db)
    await sql`CREATE INDEX account_userId_idx ON account (userId)`.execute(db)
    await sql`
      CREATE TABLE verification (
        id TEXT NOT NULL PRIMARY KEY,
        identifier TEXT NOT NULL,
        value TEXT NOT NULL,
        expiresAt DATE NOT NULL,
        createdAt DATE NOT NULL,
        updatedAt DATE NOT NULL
      )`.execute(db)
    await sql`CREATE INDEX verification_identifier_idx ON verification (identifier)`.execute(db)
  },
}
