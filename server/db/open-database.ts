import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { DatabaseConfig } from './database-config.ts'
import { AppError } from '../errors/app-error.ts'
import { cannotOpen } from './database-errors.ts'
import { readSchemaVersion, withExistingDatabase, type ExistingDatabase, migrate } from './schema-version.ts'
import type { Schema } from './schema.ts'
import { copyBeforeMigrating } from './sqlite/copy-before-migrating.ts'
import { openSqliteFile } from './sqlite/open-file.ts'

export type Database = Kysely<Schema>

/**
 * Opens a database and migrates it to this version's schema.
 *
 * @param beforeCreation runs before a database is created, or migrated that has no tables; its error prevents it
 * @throws StartError if the database cannot be used, or was written by a newer version
 */
export async function openDatabase(
  config: DatabaseConfig,
  log: Logger,
  beforeCreation?: () => Promise<void>,
): Promise<Database> {
  if (config.kind === 'sqlite') {
    if (!existsSync(config.file)) await beforeCreation?.()
    return openDatabaseFile(config.file)
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(config, log, beforeCreation)
}

/**
 * Opens an existing database without migrating it, runs work with it and closes it.
 *
 * @throws StartError if the database cannot be used, or was written by a newer version; errors of the work
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
 * Opens a SQLite file, created with its folder if it is missing, and migrates it to this version's schema. An older
 * database is copied first.
 *
 * @throws StartError if the file cannot be used or copied, or was written by a newer version
 */
export async function openDatabaseFile(file: string): Promise<Database> {
  const db = openSqliteFile(file, 'create')
  try {
    const { applied, pending } = await readSchemaVersion(db, file)
    const version = applied.at(-1)
    if (version !== undefined && pending.length > 0) await copyBeforeMigrating(db, file, version)
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error instanceof AppError ? cannotOpen(file, error.cause) : error
  }
}
