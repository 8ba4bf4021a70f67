import type { Kysely } from 'kysely'
import { AppError, StartError } from '../errors/app-error.ts'
import { cannotOpen } from './database-errors.ts'
import { migrations } from './migrations/migrations.ts'
import type { Schema } from './schema.ts'
import { openSqliteFile } from './sqlite/open-file.ts'

/** Migrations of a database. */
export interface SchemaVersion {
  /** Names of the migrations that were applied, in order; none for a new database. */
  readonly applied: readonly string[]
  /** Names of the migrations that this version would apply next. */
  readonly pending: readonly string[]
}

interface ExistingDatabase extends SchemaVersion {
  readonly db: Kysely<Schema>
}

/**
 * Opens an existing database without migrating it, runs work with it and closes it.
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

/** @throws StartError for a database that a newer version wrote */
export async function readSchemaVersion(db: Kysely<Schema>, file: string): Promise<SchemaVersion> {
  const applied = await appliedMigrations(db)
  const { unknown, pending } = compareMigrations(applied)
  if (unknown !== undefined) {
    throw new StartError(
      `DATABASE_URL: the database ${file} was written by a newer version of Rangoli (it knows ${unknown}); start that version, or restore an older copy.`,
    )
  }
  return { applied, pending }
}

/** Finds the first applied migration that this version does not know, and the ones that it would apply next. */
export function compareMigrations(applied: readonly string[]): {
  readonly unknown: string | undefined
  readonly pending: readonly string[]
} {
  return {
    unknown: applied.find((name) => !(name in migrations)),
    pending: Object.keys(migrations).filter((name) => !applied.includes(name)),
  }
}

async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
