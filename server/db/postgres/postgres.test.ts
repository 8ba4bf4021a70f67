import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { pino } from 'pino'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../test/support/command.ts'
import { createPostgresDatabase, openTestDatabase } from '../../../test/support/databases.ts'
import { linesOf } from '../../../test/support/doctor.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { eventually } from '../../../test/support/generations.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { parseConfig } from '../../config/config.ts'
import { checkDatabase, checkPostgres } from '../../ops/doctor/database.ts'
import { migrationsFor } from '../migrations.ts'
import { openDatabaseFile, type Database } from '../open-database.ts'
import { openPostgres } from './open-postgres.ts'

const log = pino({ level: 'silent' })

function open(url: string): Promise<Database> {
  return openPostgres({ kind: 'postgres', url, listenUrl: url, maxConnections: 2 }, log)
}

/** Creates a database of this test, without our tables if `template` is one without. */
async function databaseUrl(): Promise<string> {
  const database = await createPostgresDatabase()
  if (!database) throw new Error('These tests need PostgreSQL.')
  onTestFinished(database.release)
  return database.url
}

/** Creates a database without tables. */
async function emptyDatabaseUrl(options = ''): Promise<string> {
  const template = await databaseUrl()
  const name = `${new URL(template).pathname.slice(1)}_empty`
  const admin = await open(template)
  onTestFinished(() => admin.destroy())
  await sql`CREATE DATABASE ${sql.id(name)} TEMPLATE template0 ${sql.raw(options)}`.execute(admin)
  onTestFinished(async () => void (await sql`DROP DATABASE ${sql.id(name)} WITH (FORCE)`.execute(admin)))
  return `${inject('postgresUrl')}/${name}`
}

test('records the baseline in a database of commit 4cc01976', async () => {
  const url = await emptyDatabaseUrl()
  const before = await open(url)
  await sql`UPDATE kysely_migration SET name = '0034-webhook-secrets' WHERE name = '0034-baseline'`.execute(
    before,
  )
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('0033-webhooks', '2026-11-01')`.execute(
    before,
  )
  await before.destroy()
  const db = await open(url)
  onTestFinished(() => db.destroy())
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrationsFor('postgres')))
})

describe('the schema', () => {
  /** Tables of one database only: search indexes, and what several processes share. */
  const differentTables =
    /^(?:(?:posts|images)_(?:tri)?grams|sqlite_|image_previews$|rate_limits$|rateLimit$)/
  /** Columns of the counters, which number posts on PostgreSQL, and generated ones, which SQLite does not list. */
  const differentColumns = /^(?:gallery\.(?:singleton|newest)|images\.(?:list|month|shape))$/

  async function columnsOf(db: Database): Promise<string[]> {
    const tables = await db.introspection.getTables()
    return tables
      .filter(({ name }) => !differentTables.test(name))
      .flatMap(({ name: table, columns }) => columns.map(({ name }) => `${table}.${name}`))
      .filter((column) => !differentColumns.test(column))
      .toSorted()
  }

  test('has the tables and columns of SQLite', async () => {
    const sqlite = await openDatabaseFile(path.join(await tempFolder(), 'rangoli.db'))
    onTestFinished(() => sqlite.destroy())
    expect(await columnsOf(await openTestDatabase())).toEqual(await columnsOf(sqlite))
  })

  test('is created once by servers that start at the same time', async () => {
    const url = await emptyDatabaseUrl()
    const databases = await Promise.all([open(url), open(url), open(url)])
    const sites = await Promise.all(databases.map((db) => db.selectFrom('site').select('id').execute()))
    await Promise.all(databases.map((db) => db.destroy()))
    expect(new Set(sites.flat().map(({ id }) => id)).size).toBe(1)
  })
})

describe('starting', () => {
  test('names a missing database and a wrong password', async () => {
    const server = new URL(inject('postgresUrl') ?? '')
    await expect(open(`${server.href}/no_such_database`)).rejects.toThrow(
      /does not exist\)\. Create the database/,
    )
    server.password = 'hush'
    await expect(open(`${server.href}/no_such_database`)).rejects.toThrow(
      /\)\. Correct the user and the password\.$/,
    )
  })

  test('rejects a database of another encoding', async () => {
    const url = await emptyDatabaseUrl(`ENCODING 'LATIN1' LOCALE 'C'`)
    await expect(open(url)).rejects.toThrow(
      "DATABASE_URL: the database has the encoding LATIN1; create one with ENCODING 'UTF8'.",
    )
  })
})

test('starting leaves an empty database unchanged if the uploads folder belongs to another one', async () => {
  const folder = await tempFolder()
  const other = await startTestServer({ folder })
  const UPLOADS_DIR = path.join(folder, 'uploads')
  await other.stop()
  const url = await emptyDatabaseUrl()
  await expect(startTestServer({ env: { DATABASE_URL: url, UPLOADS_DIR } })).rejects.toThrow(
    /^UPLOADS_DIR and DATABASE_URL: the database \S+_empty is empty, but the uploads folder \S+ belongs to one\./,
  )
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")
  await client.end()
  expect(rows).toEqual([])
})

describe('a transaction that loses to another one', () => {
  /** Makes inserts of images fail as in a deadlock. */
  async function failInserts(db: Database, times: number): Promise<void> {
    // A sequence keeps its value when the transaction is rolled back.
    await sql`CREATE SEQUENCE failures`.execute(db)
    await sql`
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('failures') <= ${sql.lit(times)} THEN
          RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01';
        END IF;
        RETURN new;
      END $$`.execute(db)
    await sql`CREATE TRIGGER losing BEFORE INSERT ON images FOR EACH ROW EXECUTE FUNCTION lose()`.execute(db)
  }

  test('is repeated', async () => {
    const server = await startTestServer()
    const user = await server.signUp()
    await failInserts(server.services.db, 1)
    await user.generate('A lotus')
    expect(await user.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })

  test('fails with storage_unavailable the second time', async () => {
    const server = await startTestServer()
    const user = await server.signUp()
    await failInserts(server.services.db, 2)
    await expect(user.generate('A lotus')).rejects.toMatchObject({ data: { reason: 'storage_unavailable' } })
    expect(await user.trpc.images.quota.query()).toMatchObject({ used: 0 })
  })
})

describe('a connection', () => {
  test('that dies in a transaction fails that transaction only', async () => {
    const server = await startTestServer()
    const { db } = server.services
    const admin = await open(await databaseUrl())
    onTestFinished(() => admin.destroy())
    const broken = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction)
      await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(admin)
      // The server's message arrives while no query is running.
      await pause(100)
      await sql`SELECT 1`.execute(transaction)
    })
    await expect(broken).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect((await server.request('/readyz')).status).toBe(200)
    await server.signUp()
  })

  test('that dies during a statement fails with storage_unavailable', async () => {
    const db = await openTestDatabase()
    const slow = db.connection().execute(async (connection) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(connection)
      setTimeout(() => void sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(db), 50)
      await sql`SELECT pg_sleep(5)`.execute(connection)
    })
    await expect(slow).rejects.toMatchObject({ code: 'storage_unavailable' })
  })

  test('reads large numbers exactly, and rejects those that JavaScript cannot', async () => {
    const db = await openTestDatabase()
    const number = (text: string) => sql<{ n: number }>`SELECT ${text}::bigint AS n`.execute(db)
    expect((await number('9007199254740991')).rows).toEqual([{ n: 9_007_199_254_740_991 }])
    await expect(number('9007199254740993')).rejects.toThrow('too large')
  })
})

test('a database that is unreachable makes the server not ready until it is back', async () => {
  const server = await startTestServer()
  const user = await server.signUp()
  const { database } = server.services.config
  if (database.kind !== 'postgres') throw new Error('These tests need PostgreSQL.')
  const name = new URL(database.url).pathname.slice(1)
  const admin = await open(await databaseUrl())
  onTestFinished(() => admin.destroy())
  const allow = (isAllowed: boolean) =>
    sql`ALTER DATABASE ${sql.id(name)} ALLOW_CONNECTIONS ${sql.raw(String(isAllowed))}`.execute(admin)
  await allow(false)
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`.execute(admin)
  const ready = async () => {
    const response = await server.request('/readyz')
    return [response.status, await response.json()]
  }
  await eventually(ready).toEqual([503, { ready: false, because: ['database'] }])
  expect((await server.request('/healthz')).status).toBe(200)
  await expect(user.trpc.images.quota.query()).rejects.toMatchObject({
    data: { reason: 'storage_unavailable' },
  })
  const credentials = { email: 'asha@example.org', password: 'wrong horse' }
  expect((await server.postAccount('/sign-in/email', credentials)).status).toBe(503)
  await allow(true)
  await eventually(ready).toEqual([200, { ready: true }])
  expect(await user.trpc.images.quota.query()).toMatchObject({ used: 0 })
})

describe('commands', () => {
  test('check the database with doctor', async () => {
    const url = await databaseUrl()
    const config = { kind: 'postgres', url, listenUrl: url, maxConnections: 10 } as const
    expect(await linesOf(await checkPostgres(config))).toEqual([
      expect.stringMatching(
        /^ok: The database postgres:\/\/rangoli@\S+ can be used \(PostgreSQL \d+\.\d+.*\)\.$/,
      ),
      'ok: It holds 0 posts, 0 images and 0 accounts, 0 administrators among them.',
      'ok: Its schema is up to date.',
      'ok: Notifications between processes arrive.',
    ])
    const folder = await tempFolder()
    await mkdir(path.join(folder, 'uploads', 'x'.repeat(22)), { recursive: true })
    const site = parseConfig({ DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(32) }, folder)
    expect((await linesOf(checkDatabase(site))).at(-1)).toMatch(
      /^problem: The database \S+ lists none of the images in the uploads folder /,
    )
    const unreachable = await checkPostgres({ ...config, url: 'postgres://asha:hush@127.0.0.1:1/rangoli' })
    expect(await linesOf(unreachable)).toEqual([expect.stringMatching(/ECONNREFUSED.*\. → Start the server/)])
  })

  test('verify and repair the data', async () => {
    const server = await startTestServer()
    const asha = await server.signUp()
    await asha.share('A lotus')
    const { db, config } = server.services
    const verify = (...options: string[]) =>
      runCommand(server.directory, ['verify', ...options], { readConfig: () => config })
    expect(await verify()).toMatchObject({ error: null, exitCode: 0 })
    await db.updateTable('gallery').set({ posts: 7 }).execute()
    expect((await verify()).printed).toContain('The gallery counts 7 posts instead of 1.')
    expect(await verify('--fix')).toMatchObject({ error: null })
    expect(await verify()).toMatchObject({ error: null })
    await db.updateTable('post_stats').set({ likes: 9 }).execute()
    await db.deleteFrom('author_totals').execute()
    expect((await verify('--fix')).printed).toEqual([
      'The likes or the visibility of posts are counted wrongly (1): fixed.',
      'The posts of authors are counted wrongly (1): fixed.',
      '2 issues found and fixed.',
    ])
    expect(await verify()).toMatchObject({ error: null })
  })
})
