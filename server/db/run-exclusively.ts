import { sql } from 'kysely'
import { dialectOf } from './dialect-of.ts'
import type { Database } from './open-database.ts'

/** First key of the advisory locks of `runExclusively`. */
const lockClass = 3

/**
 * Runs work in one process at a time. A lock of the session is held meanwhile on PostgreSQL, which takes a connection of
 * the pool and ends with the process; a SQLite database has one server anyway.
 *
 * @param name of the work
 * @returns false if another process is at it; the work was not run
 */
export async function runExclusively(
  db: Database,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (dialectOf(db) === 'sqlite') {
    await work()
    return true
  }
  return db.connection().execute(async (connection) => {
    const lock = sql`${sql.lit(lockClass)}, hashtext(${name})`
    const { rows } = await sql<{ acquired: boolean }>`
      SELECT pg_try_advisory_lock(${lock}) AS acquired`.execute(connection)
    if (!rows[0]?.acquired) return false
    try {
      await work()
      return true
    } finally {
      await sql`SELECT pg_advisory_unlock(${lock})`.execute(connection)
    }
  })
}
