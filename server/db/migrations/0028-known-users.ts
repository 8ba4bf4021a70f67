import { sql, type Kysely } from 'kysely'
import { dialectOf } from '../dialect-of.ts'
import type { SharedMigration } from './migrations.ts'

/**
 * Adds the directory of users: when they were last seen and, for a hosted sign-in service, their names. Local accounts get the
 * folded name by which they are searched. Both directories are read in the order of creation.
 */
export const knownUsers: SharedMigration = {
  sqlite: {
    async up(db: Kysely<never>) {
      await sql`
        CREATE TABLE known_users (
          user_id TEXT NOT NULL PRIMARY KEY,
          name TEXT,
          search_name TEXT NOT NULL,
          image_url TEXT,
          first_seen_at INTEGER NOT NULL,
          last_seen_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID`.execute(db)
      await sql`ALTER TABLE "user" ADD COLUMN "searchName" TEXT NOT NULL DEFAULT ''`.execute(db)
      await fill(db)
    },
  },
  postgres: {
    async up(db: Kysely<never>) {
      const text = sql.raw('text COLLATE "C"')
      await sql`
        CREATE TABLE known_users (
          user_id ${text} PRIMARY KEY,
          name ${text},
          search_name ${text} NOT NULL,
          image_url ${text},
          first_seen_at bigint NOT NULL,
          last_seen_at bigint NOT NULL
        )`.execute(db)
      await sql`ALTER TABLE "user" ADD COLUMN "searchName" text NOT NULL DEFAULT ''`.execute(db)
      await fill(db)
    },
  },
}

async function fill(db: Kysely<never>): Promise<void> {
  await foldNames(db)
  await addLocalUsers(db)
  await addUsersOfClerk(db)
  await sql`CREATE INDEX user_created ON "user" ("createdAt", id)`.execute(db)
  await sql`CREATE INDEX known_users_first ON known_users (first_seen_at, user_id)`.execute(db)
  await sql`CREATE INDEX known_users_last ON known_users (last_seen_at)`.execute(db)
}

async function foldNames(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`SELECT id, name FROM "user"`.execute(db)
  for (const { id, name } of rows) {
    await sql`UPDATE "user" SET "searchName" = ${fold(name)} WHERE id = ${id}`.execute(db)
  }
}

/** Takes the time of the latest session, which better-auth extends once a day. */
async function addLocalUsers(db: Kysely<never>): Promise<void> {
  const ms = (column: string) =>
    dialectOf(db) === 'postgres'
      ? sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::bigint`
      : sql`CAST(unixepoch(${sql.ref(column)}, 'subsec') * 1000 AS INTEGER)`
  await sql`
    INSERT INTO known_users (user_id, search_name, first_seen_at, last_seen_at)
    SELECT "userId", '', min(${ms('session.createdAt')}), max(${ms('session.updatedAt')})
    FROM session GROUP BY "userId"`.execute(db)
}

/** Takes the name of the latest post; later sign-ins replace it. Local accounts have other ids. */
async function addUsersOfClerk(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ id: string; first: number; last: number; name: string | null }>`
    SELECT owner_id AS id, min(created_at) AS first, max(created_at) AS last,
      (SELECT name FROM posts WHERE author_id = owner_id ORDER BY seq DESC LIMIT 1) AS name
    FROM images WHERE owner_id LIKE 'user!_%' ESCAPE '!' GROUP BY owner_id`.execute(db)
  for (const { id, first, last, name } of rows) {
    const shown = name ?? 'User'
    await sql`
      INSERT INTO known_users (user_id, name, search_name, first_seen_at, last_seen_at)
      VALUES (${id}, ${shown}, ${fold(shown)}, ${first}, ${last})`.execute(db)
  }
}

/** Frozen copy of `fold` in posts/search/normalize.ts. */
function fold(text: string): string {
  const folded = text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase()
  return folded
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(/i\p{M}+/gu, (letter) => letter.replaceAll('\u0307', ''))
    .normalize('NFC')
}
