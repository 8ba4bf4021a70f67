import { access, constants, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import { databaseName, type PostgresConfig } from '../../db/database-config.ts'
import type { Database } from '../../db/open-database.ts'
import { readSchemaVersion, type ExistingDatabase } from '../../db/schema-version.ts'
import { openReadOnly } from '../../db/sqlite/open-file.ts'
import { StartError } from '../../errors/app-error.ts'
import { nullIfMissing, systemCode } from '../../files/disk-files.ts'
import { openSiteStorage, type SiteStorage } from '../site-storage.ts'
import { checkQuota, codeOf } from './folders.ts'
import { capitalize, count, note, ok, orDenied, problem, type Line } from './report.ts'

interface DatabaseReport {
  readonly lines: readonly Line[]
  /** Number of accounts. */
  readonly accounts: number
}

/** Reports what the configured database contains and whether this version can use it. */
export async function checkDatabase(config: Config): Promise<DatabaseReport> {
  const { database } = config
  if (database.kind === 'postgres') return checkPostgres(database)
  try {
    return await checkSqlite(config, database.file)
  } catch (error) {
    return { lines: [describeSqliteError(database.file, error)], accounts: 0 }
  }
}

/** Reads a database without changing it, with or without a server running. */
async function checkSqlite(config: Config, file: string): Promise<DatabaseReport> {
  const size = (await nullIfMissing(stat(file)))?.size
  if (size === undefined) {
    return withoutContent(config, file, `The first start creates the database ${file}.`)
  }
  const db = openReadOnly(file)
  try {
    const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`.execute(
      db,
    )
    if (rows.length > 0 && !rows.some(({ name }) => name === 'kysely_migration')) {
      const fix = 'To keep both, set DATABASE_URL to another file.'
      return { lines: [problem(`The database ${file} belongs to another program.`, fix)], accounts: 0 }
    }
    const opened = { db, ...(await readSchemaVersion(db, file)) }
    if (opened.applied.length === 0) {
      return await withoutContent(
        config,
        file,
        `The database ${file} is empty; the next start creates its tables.`,
      )
    }
    const { accounts, lines } = await checkContent(opened, `The database ${file}`, (text) =>
      note(`${text} and keeps a copy.`),
    )
    const damage = size <= fullCheckMaxBytes ? await findDamage(db) : null
    return {
      accounts,
      lines: [
        ...lines,
        ...(damage === null
          ? await orDenied(checkStorage(config, opened))
          : [problem(`It is damaged (${damage}).`, 'Stop the server, and restore a copy.')]),
        ...(await checkWritable(file)),
        ...(await checkPlace(file)),
      ],
    }
  } finally {
    await db.destroy()
  }
}

async function withoutContent(config: Config, file: string, text: string): Promise<DatabaseReport> {
  const lines = [ok(text), ...(await orDenied(checkStorage(config, null))), ...(await checkPlace(file))]
  return { lines, accounts: 0 }
}

function describeSqliteError(file: string, error: unknown): Line {
  if (error instanceof StartError) return problemOf(error)
  const reason = error instanceof SqliteDatabase.SqliteError ? error.message : systemCode(error)
  if (reason === undefined) throw error
  return problem(
    `The database ${file} cannot be read (${reason}).`,
    'Give the user that runs the server read access, restore a copy of it, or set DATABASE_URL to another file.',
  )
}

/** Maximum size of a database that is checked completely: a larger one would take too long. */
const fullCheckMaxBytes = 256 * 1024 ** 2

/** @returns damage that SQLite finds; null for none */
async function findDamage(db: Database): Promise<string | null> {
  const { rows } = await sql<{ quick_check: string }>`PRAGMA quick_check(1)`.execute(db)
  const found = rows[0]?.quick_check ?? 'no answer'
  // The first line is a heading.
  return found === 'ok' ? null : (found.split('\n').at(-1) ?? found)
}

async function checkWritable(file: string): Promise<Line[]> {
  if ((await codeOf(access(file, constants.W_OK))) === null) return []
  return [problem('It cannot be written.', 'Give the file and its folder to the user that runs the server.')]
}

/** Numbers of rows. */
type DatabaseContent = Record<'posts' | 'images' | 'accounts' | 'administrators', number>

/**
 * @param name of the database, at the beginning of a sentence
 * @param describeMigration completes the sentence about a migration that the next start runs
 */
async function checkContent(
  { db, applied, pending }: ExistingDatabase,
  name: string,
  describeMigration: (text: string) => Line,
): Promise<DatabaseReport> {
  if (applied.length === 0) {
    return { lines: [ok('It has no tables yet; the first start creates them.')], accounts: 0 }
  }
  const { rows } = await sql<DatabaseContent>`
    SELECT (SELECT count(*) FROM posts) AS posts,
      (SELECT count(*) FROM images WHERE folder IS NOT NULL) AS images,
      (SELECT count(*) FROM "user") AS accounts,
      (SELECT count(*) FROM user_access WHERE role = 'administrator') AS administrators`.execute(db)
  const [content] = rows
  if (!content) throw new Error('The database returned no counts.')
  const { posts, images, accounts, administrators } = content
  const migration = `Its schema needs a migration (${pending.join(', ')}): the next start brings it up to date`
  return {
    accounts,
    lines: [
      ok(
        `${name} holds ${count(posts, 'post')}, ${count(images, 'image')} and ${count(accounts, 'account')}, ${count(administrators, 'administrator')} among them.`,
      ),
      pending.length === 0 ? ok('Its schema is up to date.') : describeMigration(migration),
    ],
  }
}

/** Checks that the storage of images belongs to the database, or to none where there is no database yet. */
async function checkStorage(config: Config, opened: ExistingDatabase | null): Promise<Line[]> {
  let storage: SiteStorage
  try {
    storage = await openSiteStorage(config)
  } catch (error) {
    // `checkFolders` reports a bucket that cannot be used.
    if (error instanceof StartError) return []
    throw error
  }
  try {
    const mismatch = await storage.compare(opened?.db ?? null)
    if (mismatch) return [problem(`${capitalize(mismatch.what)}.`, mismatch.fix)]
  } finally {
    storage.close()
  }
  const { kind, maxBytes } = config.storage
  if (kind === 'disk' || maxBytes === null || opened?.pending.length !== 0) return []
  const { bytes } = await opened.db.selectFrom('bucket_usage').select('bytes').executeTakeFirstOrThrow()
  return [checkQuota(bytes, maxBytes)]
}

/** Magic numbers of network file systems. @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
])

/** Warns of a database on a network file system. */
async function checkPlace(file: string): Promise<Line[]> {
  const folder = await nullIfMissing(statfs(path.dirname(file)))
  const system = networkFileSystems.get(folder?.type ?? 0)
  if (system === undefined) return []
  return [
    note(
      `The database is on a network file system (${system}), on which SQLite can lose data.`,
      'Keep it on a disk of this machine.',
    ),
  ]
}

/** Checks that a PostgreSQL database can be used, without changing it. */
export async function checkPostgres(config: PostgresConfig): Promise<DatabaseReport> {
  const { receivesNotifications, withPostgres } = await import('../../db/postgres/open-postgres.ts')
  const quiet = { warn: () => undefined }
  try {
    return await withPostgres(config, quiet, async (opened) => {
      const server = await readServer(opened.db)
      const { lines, accounts } = await checkContent(opened, 'It', (text) =>
        note(`${text}.`, 'Dump it before with pg_dump.'),
      )
      return {
        lines: [
          ok(`The database ${databaseName(config)} can be used (PostgreSQL ${server.version}).`),
          ...lines,
          ...checkRights(server),
          checkConnections(config, server),
          await checkNotifications(receivesNotifications(config, opened.db)),
        ],
        accounts,
      }
    })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return { lines: [problemOf(error)], accounts: 0 }
  }
}

/** Splits the error of a start, whose last sentence is the fix. */
function problemOf({ message }: StartError): Line {
  const [, text = message, fix = 'Correct DATABASE_URL.'] =
    /^(?:DATABASE_URL: )?(.*?[.;]) (\S.*)$/.exec(message) ?? []
  return problem(capitalize(text.replace(/;$/, '.')), capitalize(fix))
}

/** Checks that processes can notify each other. */
async function checkNotifications(arrive: Promise<boolean>): Promise<Line> {
  try {
    if (await arrive) return ok('Notifications between processes arrive.')
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return problemOf(error)
  }
  return problem(
    'Notifications between processes get lost, as behind a connection pooler in transaction mode.',
    'Set DATABASE_LISTEN_URL to the URL of PostgreSQL itself.',
  )
}

interface Server {
  readonly version: string
  readonly user: string
  readonly schema: string | null
  readonly can_create: boolean | null
  /** Connections for ordinary users. */
  readonly connections: number
}

async function readServer(db: Database): Promise<Server> {
  const { rows } = await sql<Server>`
    SELECT current_setting('server_version') AS version,
      current_user::text AS user,
      current_schema()::text AS schema,
      has_schema_privilege(current_schema(), 'CREATE') AS can_create,
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer AS connections`.execute(db)
  const [server] = rows
  if (!server) throw new Error('PostgreSQL returned no settings.')
  return server
}

function checkRights({ user, schema, can_create }: Server): Line[] {
  if (can_create === true) return []
  return [
    problem(
      schema === null
        ? `The user ${user} has no schema to create tables in.`
        : `The user ${user} may not create tables in the schema ${schema}.`,
      `Make ${user} the owner of the database, or grant CREATE on a schema of its search_path.`,
    ),
  ]
}

/** Compares the connections of a process, one of which listens, with those of the server. */
function checkConnections({ maxConnections }: PostgresConfig, { connections }: Server): Line {
  const perProcess = maxConnections + 1
  const processes = Math.floor(connections / perProcess)
  const text = `Each process uses up to ${perProcess} of the server's ${connections} connections`
  return processes === 0
    ? problem(`${text}.`, 'Lower DATABASE_CONNECTIONS, or raise max_connections.')
    : ok(`${text}: enough for ${count(processes, 'process', 'processes')}.`)
}
