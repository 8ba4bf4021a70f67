import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely, type Migration } from 'kysely'

/**
 * The identity of a site, by which its database and its uploads folder recognize each other. A database that holds images
 * already gets an id that follows from the moment of its creation: an operator who goes back to the copy that is kept
 * before an update, and updates again, must find the id that the uploads folder has.
 */
export const site: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      CREATE TABLE site (
        singleton INTEGER NOT NULL PRIMARY KEY CHECK (singleton = 1),
        id TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`.execute(db)
    const { rows } = await sql<{ first: string; has_images: number }>`
      SELECT min(timestamp) AS first, EXISTS (SELECT 1 FROM images) AS has_images FROM kysely_migration`.execute(
      db,
    )
    const { first, has_images: hasImages } = rows[0] ?? { first: new Date().toISOString(), has_images: 0 }
    const bytes = hasImages ? createHash('sha256').update(first).digest().subarray(0, 16) : randomBytes(16)
    await sql`
      INSERT INTO site (singleton, id, created_at)
      VALUES (1, ${bytes.toString('hex')}, ${Date.parse(first)})`.execute(db)
  },
}
