import { sql, type Kysely } from 'kysely'
import type { SharedMigration } from './migrations.ts'

/**
 * Adds the table of better-auth's passkeys, with the time of the last sign-in. A credential belongs to one account: a second
 * one with its id would decide who signs in with it.
 */
export const passkeys: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE passkey (
          id TEXT NOT NULL PRIMARY KEY,
          name TEXT,
          publicKey TEXT NOT NULL,
          userId TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
          credentialID TEXT NOT NULL,
          counter INTEGER NOT NULL,
          deviceType TEXT NOT NULL,
          backedUp INTEGER NOT NULL,
          transports TEXT,
          createdAt DATE,
          aaguid TEXT,
          lastUsedAt DATE
        )`.execute(db)
      await sql`CREATE INDEX passkey_userId_idx ON passkey (userId)`.execute(db)
      await sql`CREATE UNIQUE INDEX passkey_credentialID_idx ON passkey (credentialID)`.execute(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE "passkey" (
          "id" text NOT NULL PRIMARY KEY,
          "name" text,
          "publicKey" text NOT NULL,
          "userId" text NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
          "credentialID" text NOT NULL,
          "counter" bigint NOT NULL,
          "deviceType" text NOT NULL,
          "backedUp" boolean NOT NULL,
          "transports" text,
          "createdAt" timestamptz,
          "aaguid" text,
          "lastUsedAt" timestamptz
        )`.execute(db)
      await sql`CREATE INDEX "passkey_userId_idx" ON "passkey" ("userId")`.execute(db)
      await sql`CREATE UNIQUE INDEX "passkey_credentialID_idx" ON "passkey" ("credentialID")`.execute(db)
    },
  },
}
