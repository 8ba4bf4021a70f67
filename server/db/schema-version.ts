import { type Kysely, Migrator } from 'kysely'
import { AppError, StartError } from '../errors/app-error.ts'
import { cannotOpen, reasonOf } from './database-errors.ts'
import { dialectOf, hasTable, type DatabaseDialect } from './dialect-of.ts'
import { baselineName, lastFormerMigration, migrationsFor } from './migrations.ts'
import type { Schema } from './schema.ts'
import { openSqliteFile } from './sqlite/open-file.ts'

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
 * Runs work with an existing SQLite file, which is not migrated.
 * @throws StartError if it cannot be used, or a newer version wrote it
 */
export async function withExistingDatabase<Result>(
  file: string,
  work: (opened: ExistingDatabase) => Promise<Result>,
): Promise<Result> {
  const db = openSqliteFile(file, 'must exist')
  try {
    const version = await readSchemaVersion(db, file).catch((error: unknown) => {
      throw error instanceof AppError ? cannotOpen(file, error.cause) : error
    })
    return await work({ db, ...version })
  } finally {
    await db.destroy()
  }
}

/**
 * Reads the migrations of a database named so in messages.
 * @throws StartError for one of a newer version, or from before the baseline
 */
export async function readSchemaVersion(db: Kysely<Schema>, name: string): Promise<SchemaVersion> {
  const version = compareMigrations(await recordedMigrations(db), dialectOf(db))
  if ('reason' in version) {
    throw new StartError(`DATABASE_URL: the database ${name} ${version.reason}; ${version.fix}.`)
  }
  return version
}

/**
 * Compares the migrations that a database has with those of this version. To a database with every former migration, the
 * baseline is pending: it is recorded in their place.
 *
 * @returns for one that it cannot use, why, and what to do, without the start and the end of a sentence
 */
export function compareMigrations(
  applied: readonly string[],
  dialect: DatabaseDialect,
): SchemaVersion | { readonly reason: string; readonly fix: string } {
  const former = applied.filter((name) => name <= lastFormerMigration && name !== baselineName)
  if (former.length > 0 && !former.includes(lastFormerMigration)) {
    return {
      reason: 'was written by an older version of Rangoli',
      fix: 'start it once with commit 4cc01976, then with this version',
    }
  }
  const migrations = migrationsFor(dialect)
  const unknown = applied.find((name) => !(name in migrations) && !former.includes(name))
  if (unknown !== undefined) {
    return {
      reason: `was written by a newer version of Rangoli (it has the migration ${unknown})`,
      fix: 'start that version, or restore an older copy',
    }
  }
  return { applied, pending: Object.keys(migrations).filter((name) => !applied.includes(name)) }
}

type Migrations = { readonly kysely_migration: { readonly name: string } }

async function recordedMigrations(db: Kysely<Schema>): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return []
  const rows = await db
    .withTables<Migrations>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Records the baseline in place of the former migrations. */
async function recordBaseline(db: Kysely<Schema>): Promise<void> {
  if (!(await recordedMigrations(db)).includes(lastFormerMigration)) return
  await db
    .withTables<Migrations>()
    .transaction()
    .execute(async (trx) => {
      await trx
        .updateTable('kysely_migration')
        .set({ name: baselineName })
        .where('name', '=', lastFormerMigration)
        .execute()
      await trx.deleteFrom('kysely_migration').where('name', '<', baselineName).execute()
    })
}

/** Migrates a database to this version's schema, completely or not at all. @throws StartError */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  await recordBaseline(db)
  const migrations = migrationsFor(dialectOf(db))
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error instanceof AppError) throw error
  if (error)
    throw new StartError(`DATABASE_URL: the database can't be brought up to date (${reasonOf(error)}).`, {
      cause: error,
    })
}
