import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { inject, onTestFinished } from 'vitest'
import { dialectOf } from '../../server/db/dialect-of.ts'
import { openDatabase, type Database } from '../../server/db/open-database.ts'
import { createEmptyDatabase } from './empty-database.ts'
import { tempFolder } from './folder.ts'

/** PostgreSQL database without rows that others are copied from, since running the migrations takes longer. */
export const templateName = 'rangoli_template'

/** A database on the PostgreSQL server of the tests. */
export interface PostgresTestDatabase {
  readonly url: string
  /** Removes all rows and leaves the database to later tests. */
  readonly release: () => Promise<void>
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

/** Databases in use, by the name that tests gave them. */
const used = new Map<string, PostgresTestDatabase>()
/** Names of databases without rows. Creating a database takes ten times as long as removing the rows of a test. */
const unused: string[] = []
let administration: Pool | undefined

/**
 * Provides a database without rows on the PostgreSQL server of the tests.
 *
 * @param name returns the same database for the same name until it is released
 * @returns null where tests use SQLite
 */
export async function createPostgresDatabase(
  name = randomBytes(8).toString('hex'),
): Promise<PostgresTestDatabase | null> {
  const server = inject('postgresUrl')
  if (server === undefined) return null
  const existing = used.get(name)
  if (existing) return existing
  // Only where it is used, as in the server.
  const pg = await import('pg')
  const pool = (administration ??= new pg.Pool({
    connectionString: `${server}/postgres`,
    max: maxConnections,
    allowExitOnIdle: true,
  }))
  const id = unused.pop() ?? `test_${randomBytes(8).toString('hex')}`
  const database = {
    url: `${server}/${id}`,
    async release() {
      if (!used.delete(name)) return
      await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [id])
      const client = new pg.Client({ connectionString: database.url })
      let isEmptied = false
      try {
        await client.connect()
        await client.query(removeRows)
        isEmptied = true
      } catch (error) {
        // A test has dropped the database, or changed its schema.
        if (!(error instanceof pg.DatabaseError)) throw error
      } finally {
        await client.end()
      }
      if (isEmptied) unused.push(id)
      else await database.drop()
    },
    async drop() {
      await pool.query(`DROP DATABASE IF EXISTS "${id}" WITH (FORCE)`)
    },
  }
  used.set(name, database)
  const { rowCount } = await pool.query('SELECT FROM pg_database WHERE datname = $1', [id])
  if (rowCount === 0) await pool.query(`CREATE DATABASE "${id}" TEMPLATE ${templateName}`)
  return database
}

/** Number of objects and of migrations, by which a changed schema is recognized. */
const schemaSize = `(
  (SELECT count(*) FROM pg_class) + (SELECT count(*) FROM pg_attribute WHERE NOT attisdropped)
    + (SELECT count(*) FROM pg_trigger) + (SELECT count(*) FROM pg_proc) + (SELECT count(*) FROM pg_constraint)
    + (SELECT count(*) FROM kysely_migration)
)`

/** Stores the size of the schema in the template. */
export const rememberSchema = `DO $$ BEGIN
  EXECUTE format('COMMENT ON SCHEMA public IS %L', ${schemaSize});
END $$`

/** Leaves what the migrations insert. Each site has an id of its own, by which its uploads folder recognizes it. */
const removeRows = `DO $$
DECLARE
  name regclass;
  is_used boolean;
BEGIN
  IF obj_description('public'::regnamespace) <> ${schemaSize}::text THEN
    RAISE EXCEPTION 'The schema was changed.';
  END IF;
  FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT IN ('site', 'gallery', 'bucket_usage') AND relname NOT LIKE 'kysely%' LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', name) INTO is_used;
    IF is_used THEN
      EXECUTE format('TRUNCATE %s CASCADE', name);
    END IF;
  END LOOP;
  FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' LOOP
    EXECUTE format('ALTER SEQUENCE %s RESTART', name);
  END LOOP;
  DELETE FROM site;
  INSERT INTO site (singleton, id, created_at)
  VALUES (1, md5(random()::text), (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  UPDATE gallery SET posts = 0, newest = 0, changes = 0;
  UPDATE bucket_usage SET bytes = 0, swept_at = 0;
END $$`

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

/** Creates a database without rows for several connections: PostgreSQL where tests use it, otherwise a SQLite file. */
export async function createTestDatabase() {
  const database = await createPostgresDatabase()
  if (database) onTestFinished(database.release)
  const config = database
    ? ({ kind: 'postgres', url: database.url, listenUrl: database.url, maxConnections } as const)
    : ({ kind: 'sqlite', file: path.join(await tempFolder(), 'rangoli.db') } as const)
  if (config.kind === 'sqlite') await createEmptyDatabase(config.file)
  /** Opens a connection until the end of the test. */
  async function open(): Promise<Database> {
    const db = await openDatabase(config, pino({ level: 'silent' }))
    onTestFinished(() => db.destroy())
    return db
  }
  return { config, open }
}

/** Opens a database without rows for one test. */
export async function openTestDatabase(): Promise<Database> {
  return (await createTestDatabase()).open()
}
