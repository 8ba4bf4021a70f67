import { mkdirSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, Migrator } from 'kysely'
import { StartError } from '../errors/start-error.ts'
import { ImmediateSqliteDialect } from './immediate-dialect.ts'
import { migrations } from './migrations/migrations.ts'
import type { Schema } from './schema.ts'

export type Database = Kysely<Schema>

/** How long a statement waits for another process's write, in milliseconds. */
const busyTimeout = 5_000

/**
 * Opens the SQLite file, made with its folder where missing, and brings it to this version's schema.
 *
 * @throws StartError where the file can't be used or was written by a newer version
 */
export async function openDatabase(file: string): Promise<Database> {
  const db = new Kysely<Schema>({ dialect: new ImmediateSqliteDialect({ database: openFile(file) }) })
  try {
    await refuseNewerSchema(db, file)
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

function openFile(file: string): SqliteDatabase.Database {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    const connection = new SqliteDatabase(file, { timeout: busyTimeout })
    connection.pragma('journal_mode = WAL')
    // An acknowledged post must survive a power cut, which WAL's usual NORMAL does not promise.
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    return connection
  } catch (cause) {
    throw new StartError(`DATABASE_URL: the database ${file} can't be opened (${reason(cause)}).`, { cause })
  }
}

async function refuseNewerSchema(db: Database, file: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return
  const applied = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  const unknown = applied.find(({ name }) => !(name in migrations))
  if (unknown) {
    throw new StartError(
      `DATABASE_URL: the database ${file} was written by a newer version of Rangoli (it knows ${unknown.name}); start that version, or restore an older copy.`,
    )
  }
}

async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error)
    throw new StartError(`DATABASE_URL: the database can't be brought up to date (${reason(error)}).`, {
      cause: error,
    })
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
