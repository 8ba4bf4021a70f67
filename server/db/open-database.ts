import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { DatabaseConfig } from './database-config.ts'
import { AppError } from '../errors/app-error.ts'
import { realFile } from '../files/disk-files.ts'
import { cannotOpen } from './database-errors.ts'
import { readSchemaVersion, withExistingDatabase, type ExistingDatabase, migrate } from './schema-version.ts'
import type { Schema } from './schema.ts'
import { copyBeforeMigrating } from './sqlite/copy-before-migrating.ts'
import { openSqliteFile } from './sqlite/open-file.ts'

export type Database = Kysely<Schema>

/**
 * Opens a database, creating a SQLite file that is missing, and the tables of a PostgreSQL database after `beforeCreation`, and
 * migrates it.
 * @throws StartError if it cannot be used, or a newer version wrote it
 */
export async function openDatabase(
  config: DatabaseConfig,
  log: Logger,
  beforeCreation?: () => Promise<void>,
): Promise<Database> {
  if (config.kind === 'sqlite') return openDatabaseFile(config.file)
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(config, log, beforeCreation)
}

/**
 * Runs work with an existing database, which is not migrated.
 * @throws StartError if it cannot be used, or a newer version wrote it
 */
export async function withDatabase<Result>(
  config: DatabaseConfig,
  log: Logger,
  work: (opened: ExistingDatabase) => Promise<Result>,
): Promise<Result> {
  if (config.kind === 'sqlite') return withExistingDatabase(config.file, work)
  const { withPostgres } = await import('./postgres/open-postgres.ts')
  return withPostgres(config, log, work)
}

/**
 * Opens or creates a SQLite file and migrates it; an older one is copied first.
 * @throws StartError if it cannot be used or copied, or is newer
 */
export async function openDatabaseFile(file: string): Promise<Database> {
  const db = openSqliteFile(file, 'create')
  try {
    const { applied, pending } = await readSchemaVersion(db, file)
    const version = applied.at(-1)
    if (version !== undefined && pending.length > 0)
      await copyBeforeMigrating(db, await realFile(file), version)
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error instanceof AppError ? cannotOpen(file, error.cause) : error
  }
}
