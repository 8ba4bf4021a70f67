import { sql } from 'kysely'
import { dialectOf } from '../../db/dialect-of.ts'
import type { Database } from '../../db/open-database.ts'

/** Counts the local accounts. */
export async function countAccounts(db: Database): Promise<number> {
  const { rows } = await sql<{ users: number }>`SELECT count(*) AS users FROM "user"`.execute(db)
  return rows[0]?.users ?? 0
}

/**
 * Counts the local accounts that were created on each day in UTC.
 *
 * @param firstDay `YYYY-MM-DD`
 */
export async function countNewAccounts(db: Database, firstDay: string): Promise<ReadonlyMap<string, number>> {
  // SQLite has texts in ISO 8601.
  const day =
    dialectOf(db) === 'postgres'
      ? sql`to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
      : sql`substr("createdAt", 1, 10)`
  const since =
    dialectOf(db) === 'postgres'
      ? sql`"createdAt" >= ${firstDay}::date::timestamp AT TIME ZONE 'UTC'`
      : sql`"createdAt" >= ${firstDay}`
  const { rows } = await sql<{ day: string; users: number }>`
    SELECT ${day} AS day, count(*) AS users FROM "user" WHERE ${since} GROUP BY 1`.execute(db)
  return new Map(rows.map(({ day: name, users }) => [name, users]))
}
