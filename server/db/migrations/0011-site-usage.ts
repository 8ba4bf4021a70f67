import { sql, type Kysely, type Migration } from 'kysely'

/**
 * Counts the images of the whole site per day. Not a sum over `daily_usage`: the rows of a deleted account go, and what
 * it generated still counts.
 */
export const siteUsage: Migration = {
  async up(db: Kysely<never>) {
    await sql`
      CREATE TABLE site_usage (
        day TEXT NOT NULL PRIMARY KEY,
        images INTEGER NOT NULL CHECK (images >= 0)
      ) STRICT, WITHOUT ROWID`.execute(db)
    await sql`
      INSERT INTO site_usage (day, images)
      SELECT day, sum(used) FROM daily_usage WHERE kind = 'image' GROUP BY day`.execute(db)
  },
}
