import { sql } from 'kysely'
import { dialectOf } from '../../db/dialect-of.ts'
import { msPerDay } from '../../db/gallery.ts'
import type { Database } from '../../db/open-database.ts'
import { utcDay } from '../../images/quota.ts'

type AccountKind = 'local' | 'clerk'

/** Counts the local accounts; with Clerk, the users who have been on the site. */
export async function countUsers(db: Database, kind: AccountKind): Promise<number> {
  const { users } = await db
    .selectFrom(kind === 'local' ? 'user' : 'known_users')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
  return users
}

/**
 * Counts the local accounts that were created on each day in UTC; with Clerk, the users who first came on it.
 *
 * @param firstDay `YYYY-MM-DD`
 */
export async function countNewUsers(
  db: Database,
  kind: AccountKind,
  firstDay: string,
): Promise<ReadonlyMap<string, number>> {
  if (kind === 'clerk') return countFirstVisits(db, Date.parse(firstDay))
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

async function countFirstVisits(db: Database, since: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('known_users')
    .select((eb) => [
      sql<number>`first_seen_at / ${sql.lit(msPerDay)}`.as('day'),
      eb.fn.countAll<number>().as('users'),
    ])
    .where('first_seen_at', '>=', since)
    .groupBy(sql`first_seen_at / ${sql.lit(msPerDay)}`)
    .execute()
  return new Map(rows.map(({ day, users }) => [utcDay(day * msPerDay), users]))
}
