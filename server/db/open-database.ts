import { Migrator, type Kysely } from 'kysely'
import { AppError, StartError } from '../errors/app-error.ts'
import { cannotOpen, reasonOf } from './database-errors.ts'
import { migrations } from './migrations/migrations.ts'
import type { Schema } from './schema.ts'
import { readSchemaVersion } from './schema-version.ts'
import { copyBeforeMigrating } from './sqlite/copy-before-migrating.ts'
import { openSqliteFile } from './sqlite/open-file.ts'

export type Database = Kysely<Schema>

/**
 * Opens a SQLite file, created with its folder if it is missing, and migrates it to this version's schema. An older
 * database is copied first.
 *
 * @throws StartError if the file cannot be used or copied, or was written by a newer version
 */
export async function openDatabase(file: string): Promise<Database> {
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

async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error instanceof AppError) throw error
  if (error)
    throw new StartError(`DATABASE_URL: the database can't be brought up to date (${reasonOf(error)}).`, {
      cause: error,
    })
}
