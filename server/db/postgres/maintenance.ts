import { sql } from 'kysely'
import { storageUnavailable } from '../../errors/app-error.ts'
import type { Database } from '../open-database.ts'

/** `Retry-After` of a standby, until it is promoted. */
const standbyRetrySeconds = 5

/** Verifies that the database can be reached and accepts writes. @throws AppError `storage_unavailable` */
export async function requireWritable(db: Database): Promise<void> {
  const { rows } = await sql<{ read_only: string }>`
    SELECT current_setting('transaction_read_only') AS read_only`.execute(db)
  if (rows[0]?.read_only === 'off') return
  throw storageUnavailable(new Error('The database accepts no writes.'), standbyRetrySeconds)
}

/** Returns the bytes that the database takes on the disk of its server. */
export async function databaseBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database()) AS bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}
