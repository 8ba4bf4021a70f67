import type { Kysely } from 'kysely'
import { AppError } from '../errors/app-error.ts'
import { cannotOpen } from './database-error.ts'
import type { Schema } from './schema.ts'
import { readSchemaVersion, type SchemaVersion } from './schema-version.ts'
import { openSqliteFile } from './sqlite-file.ts'

interface OpenedAsItIs extends SchemaVersion {
  readonly db: Kysely<Schema>
}

/**
 * Does work with a database that is there, leaves it at the version that it has, and closes it.
 *
 * @throws StartError where the file can't be used or was written by a newer version; and whatever the work throws
 */
export async function withDatabaseAsItIs<Result>(
  file: string,
  work: (opened: OpenedAsItIs) => Promise<Result>,
): Promise<Result> {
  const db = openSqliteFile(file, 'must exist')
  try {
    return await work({ db, ...(await versionOf(db, file)) })
  } finally {
    await db.destroy()
  }
}

async function versionOf(db: Kysely<Schema>, file: string): Promise<SchemaVersion> {
  try {
    return await readSchemaVersion(db, file)
  } catch (error) {
    throw error instanceof AppError ? cannotOpen(file, error.cause) : error
  }
}
