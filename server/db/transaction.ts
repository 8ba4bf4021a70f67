import { sql, type Kysely } from 'kysely'
import { isConflict } from './database-errors.ts'
import { dialectOf } from './dialect-of.ts'
import type { Database } from './open-database.ts'

/**
 * Runs work in a transaction, and once more if another transaction was preferred to it. The work must have no effects
 * outside of the transaction.
 *
 * @throws AppError `storage_unavailable` if the second attempt conflicts, too; errors of the work
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const attempt = () => db.transaction().execute(work)
  try {
    return await attempt()
  } catch (error) {
    if (!isConflict(error)) throw error
    return attempt()
  }
}

/**
 * Waits until no other transaction claims generations of an engine. Call it first in the transaction: the snapshot of a
 * statement is older than a lock that it takes. SQLite has one writing transaction at a time anyway.
 */
export async function lockClaims<Tables>(transaction: Kysely<Tables>, engine: string): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(1, hashtext(${engine}))`.execute(transaction)
}

/**
 * Serializes the transactions in which administrators change what users may do, or the site: two administrators who demote each
 * other would leave none. Call it before `lockUser`.
 */
export async function lockAdministration<Tables>(transaction: Kysely<Tables>): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(3, 0)`.execute(transaction)
}

/**
 * Serializes the write transactions about a user: what one reads is not changed by another before it ends. The first
 * statement of the transaction, since later ones see what earlier holders of the lock wrote. On SQLite, transactions have
 * the write lock anyway.
 */
export async function lockUser<Tables>(transaction: Kysely<Tables>, userId: string): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(2, hashtext(${userId}))`.execute(transaction)
}
