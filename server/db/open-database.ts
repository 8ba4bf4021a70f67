import { Migrator, type Kysely } from 'kysely'
import { AppError } from '../errors/app-error.ts'
import { StartError } from '../errors/start-error.ts'
import { copyBeforeMigrating } from './copy-before-migrating.ts'
import { cannotOpen, reasonOf } from './database-error.ts'
import { migrations } from './migrations/migrations.ts'
import type { Schema } from './schema.ts'
import { readSchemaVersion } from './schema-version.ts'
import { openSqliteFile } from './sqlite-file.ts'

export type Database = Kysely<Schema>

/**
 * Opens the SQLite file, made with its folder where missing, and brings it to this version's schema. Of an older one a
 * copy is kept beside it.
 *
 * @throws StartError where the file can't be used, can't be copied, or was written by a newer version
 */
export async function openDatabase(file: string): Promise<Database> {
  const db = openSqliteFile(file, 'may be new')
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
