import { chmod } from 'node:fs/promises'
import { sql, type Kysely } from 'kysely'
import { syncFile } from '../storage/durable-files.ts'
import type { Schema } from './schema.ts'

/**
 * Writes a database as it is at this moment into a new file, durably. Others read and write meanwhile; what was deleted
 * leaves no trace in the copy.
 *
 * @param mode the copy's permissions
 */
export async function copyDatabase(db: Kysely<Schema>, file: string, mode: number): Promise<void> {
  await sql`VACUUM INTO ${file}`.execute(db)
  await chmod(file, mode)
  // SQLite leaves this to us.
  await syncFile(file)
}

/** How many bytes a database takes. */
export async function databaseSize(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size`.execute(db)
  return rows[0]?.bytes ?? 0
}
