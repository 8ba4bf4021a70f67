import { type Kysely, Migrator } from 'kysely'
import { AppError, StartError } from '../errors/app-error.ts'
import { cannotOpen, reasonOf } from './database-errors.ts'
import { dialectOf, hasTable, type DatabaseDialect } from './dialect-of.ts'
import { migrationsFor } from './migrations/migrations.ts'
import type { Schema } from './schema.ts'
import { openSqliteFile } from './sqlite/open-file.ts'

/** Migrations of a database. */
export interface SchemaVersion {
  /** Names of the migrations that were applied, in order; none for a new database. */
  readonly applied: readonly string[]
  /** Names of the migrations that this version would apply next. */
  readonly pending: readonly string[]
}

/** An open database, and the migrations that it has. */
export interface ExistingDatabase extends SchemaVersion {
  readonly db: Kysely<Schema>
}

/**
 * Opens an existing SQLite file without migrating it, runs work with it and closes it.
 *
 * @throws StartError if the file cannot be used or was written by a newer version; errors of the work
 */
export async function withExistingDatabase<Result>(
  file: string,
  work: (opened: ExistingDatabase) => Promise<Result>,
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

/**
 * @param name of the database, for the message
 * @throws StartError for a database that a newer version wrote
 */
export async function readSchemaVersion(db: Kysely<Schema>, name: string): Promise<SchemaVersion> {
  const applied = await appliedMigrations(db)
  const { unknown, pending } = compareMigrations(applied, dialectOf(db))
  if (unknown !== undefined) {
    throw new StartError(
      `DATABASE_URL: the database ${name} was written by a newer version of Rangoli (it knows ${unknown}); start that version, or restore an older copy.`,
    )
  }
  return { applied, pending }
}

/** Finds the first applied migration that this version does not know, and the ones that it would apply next. */
export function compareMigrations(
  applied: readonly string[],
  dialect: DatabaseDialect,
): { readonly unknown: string | undefined; readonly pending: readonly string[] } {
  const migrations = migrationsFor(dialect)
  return {
    unknown: applied.find((name) => !(name in migrations)),
    pending: Object.keys(migrations).filter((name) => !applied.includes(name)),
  }
}

async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return []
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/**
 * Migrates a database to this version's schema, completely or not at all.
 *
 * @throws StartError
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrations = migrationsFor(dialectOf(db))
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error instanceof AppError) throw error
  if (error)
    throw new StartError(`DATABASE_URL: the database can't be brought up to date (${reasonOf(error)}).`, {
      cause: error,
    })
}
