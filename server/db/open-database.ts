import { accessSync, constants, mkdirSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, Migrator } from 'kysely'
import { AppError } from '../errors/app-error.ts'
import { StartError } from '../errors/start-error.ts'
import { grams } from './grams.ts'
import { ImmediateSqliteDialect } from './immediate-dialect.ts'
import { migrations } from './migrations/migrations.ts'
import type { Schema } from './schema.ts'
import type { OpenFile } from './sqlite-connection.ts'
import { StatementCache } from './statement-cache.ts'
import { WriteLock } from './write-lock.ts'

export type Database = Kysely<Schema>

/** How long opening waits for another process's write, in milliseconds. Nobody is answered yet, so it may stop us. */
const openingTimeout = 5_000

/**
 * Opens the SQLite file, made with its folder where missing, and brings it to this version's schema.
 *
 * @throws StartError where the file can't be used or was written by a newer version
 */
export async function openDatabase(file: string): Promise<Database> {
  const db = new Kysely<Schema>({ dialect: new ImmediateSqliteDialect(openFile(file)) })
  try {
    await refuseNewerSchema(db, file)
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error instanceof AppError ? cannotOpen(file, error.cause) : error
  }
}

function openFile(file: string): OpenFile {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    const writer = new SqliteDatabase(file, { timeout: openingTimeout })
    // SQLite itself opens what can only be read without a word.
    accessSync(file, constants.W_OK)
    writer.pragma('journal_mode = WAL')
    // An acknowledged post must survive a power cut, which WAL's usual NORMAL does not promise.
    writer.pragma('synchronous = FULL')
    writer.pragma('foreign_keys = ON')
    writer.function('grams', { deterministic: true }, (text) => grams(String(text)))
    const reader = new SqliteDatabase(file, { timeout: openingTimeout })
    reader.pragma('query_only = ON')
    // From now on waiting is the connection's business, which does not stop the process.
    for (const connection of [writer, reader]) connection.pragma('busy_timeout = 0')
    const statements = { writer: new StatementCache(writer), reader: new StatementCache(reader) }
    return { writer, reader, statements, writeLock: new WriteLock() }
  } catch (cause) {
    throw cannotOpen(file, cause)
  }
}

function cannotOpen(file: string, cause: unknown): StartError {
  return new StartError(`DATABASE_URL: the database ${file} can't be opened (${reason(cause)}).`, { cause })
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
  if (error instanceof AppError) throw error
  if (error)
    throw new StartError(`DATABASE_URL: the database can't be brought up to date (${reason(error)}).`, {
      cause: error,
    })
}

/** SQLite's own words, also where our connection has put them into ours. */
function reason(error: unknown): string {
  if (error instanceof AppError) return reason(error.cause)
  return error instanceof Error ? error.message : String(error)
}
