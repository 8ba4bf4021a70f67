import { isConflict } from './database-errors.ts'
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
