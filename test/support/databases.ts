import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { inject, onTestFinished } from 'vitest'
import { dialectOf } from '../../server/db/dialect-of.ts'
import { openDatabase, openDatabaseFile, type Database } from '../../server/db/open-database.ts'
import { makeFolder, tempFolder } from './folder.ts'

/** PostgreSQL database without rows that others are copied from, since running the migrations takes longer. */
export const templateName = 'rangoli_template'

let migrated: Promise<Buffer> | undefined

/** Creates a migrated SQLite file without rows from a copy in memory, since running the migrations takes longer. */
export async function createEmptyDatabase(file: string): Promise<void> {
  migrated ??= migrate()
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, await migrated)
  // Each site has an id of its own, by which its uploads folder recognizes it.
  const db = new SqliteDatabase(file)
  db.exec('UPDATE site SET id = lower(hex(randomblob(16)))')
  db.close()
}

async function migrate(): Promise<Buffer> {
  const folder = await makeFolder()
  const file = path.join(folder, 'rangoli.db')
  await (await openDatabaseFile(file)).destroy()
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}

/** A database on the PostgreSQL server of the tests. */
export interface PostgresTestDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/** Connections of each test server and each worker. */
const maxConnections = 4

/** Environment variables of a server with a PostgreSQL database. */
export function postgresEnvironment(url: string) {
  return {
    DATABASE_URL: url,
    DATABASE_CONNECTIONS: String(maxConnections),
    AUTH_SECRET: 'a secret of tests, the same for all of them',
  }
}

let administration: Pool | undefined

/**
 * Creates a database without rows on the PostgreSQL server of the tests.
 *
 * @param name of the database, which is used again if it exists
 * @returns null where tests use SQLite
 */
export async function createPostgresDatabase(
  name = `test_${randomBytes(8).toString('hex')}`,
): Promise<PostgresTestDatabase | null> {
  const server = inject('postgresUrl')
  if (server === undefined) return null
  // Only where it is used, as in the server.
  const pg = await import('pg')
  const pool = (administration ??= new pg.Pool({
    connectionString: `${server}/postgres`,
    max: maxConnections,
    allowExitOnIdle: true,
  }))
  const { rowCount } = await pool.query('SELECT FROM pg_database WHERE datname = $1', [name])
  if (rowCount === 0) await pool.query(`CREATE DATABASE "${name}" TEMPLATE ${templateName}`)
  return {
    url: `${server}/${name}`,
    async drop() {
      await pool.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
    },
  }
}

/** Removes a table that others refer to. */
export async function dropTable(db: Database, table: string): Promise<void> {
  if (dialectOf(db) === 'sqlite') {
    await sql`PRAGMA foreign_keys = OFF`.execute(db)
    await sql`DROP TABLE ${sql.table(table)}`.execute(db)
  } else await sql`DROP TABLE ${sql.table(table)} CASCADE`.execute(db)
}

/** Lets every write of a kind to a table fail, until the returned function is called. */
export async function failWrites(
  db: Database,
  kind: 'INSERT' | 'DELETE',
  table: string,
): Promise<() => Promise<void>> {
  if (dialectOf(db) === 'sqlite') {
    await sql`
      CREATE TRIGGER stuck BEFORE ${sql.raw(kind)} ON ${sql.table(table)}
      BEGIN SELECT RAISE(ABORT, 'stuck'); END`.execute(db)
    return async () => void (await sql`DROP TRIGGER stuck`.execute(db))
  }
  await sql`
    CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'stuck'; END $$`.execute(db)
  await sql`
    CREATE TRIGGER stuck BEFORE ${sql.raw(kind)} ON ${sql.table(table)}
    FOR EACH ROW EXECUTE FUNCTION stuck()`.execute(db)
  return async () => void (await sql`DROP FUNCTION stuck CASCADE`.execute(db))
}

/** Opens a database without rows for one test. */
export async function openTestDatabase(): Promise<Database> {
  const database = await createPostgresDatabase()
  if (database) onTestFinished(database.drop)
  const file = path.join(await tempFolder(), 'rangoli.db')
  const db = await openDatabase(
    database
      ? { kind: 'postgres', url: database.url, listenUrl: database.url, maxConnections }
      : { kind: 'sqlite', file },
    pino({ level: 'silent' }),
  )
  onTestFinished(() => db.destroy())
  return db
}
