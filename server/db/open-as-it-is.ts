import type { Kysely } from 'kysely'
import { AppError } from '../errors/app-error.ts'
import { cannotOpen } from './database-fault.ts'
import type { Schema } from './schema.ts'
import { readSchemaVersion, type SchemaVersion } from './schema-version.ts'
import { openSqliteFile } from './sqlite-file.ts'

/**
 * Opens a database that is there, and leaves it at the version that it has.
 *
 * @throws StartError where the file can't be used or was written by a newer version
 */
export async function openDatabaseAsItIs(file: string): Promise<SchemaVersion & { db: Kysely<Schema> }> {
  const db = openSqliteFile(file, 'must exist')
  try {
    return { db, ...(await readSchemaVersion(db, file)) }
  } catch (error) {
    await db.destroy()
    throw error instanceof AppError ? cannotOpen(file, error.cause) : error
  }
}
