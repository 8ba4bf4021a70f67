import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import { databaseName, type PostgresConfig } from '../../db/database-config.ts'
import type { Database } from '../../db/open-database.ts'
import { compareMigrations, type SchemaVersion, type UnusableSchema } from '../../db/schema-version.ts'
import { openReadOnly } from '../../db/sqlite/open-file.ts'
import { StartError } from '../../errors/app-error.ts'
import { systemCode } from '../../files/disk-files.ts'
import { openSiteStorage, type Mismatch, type SiteStorage } from '../site-storage.ts'
import { checkQuota } from './folders.ts'
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
  const state = readDatabase(database.file)
  return {
    lines: await orDenied(checkSqlite(config, database.file, state)),
    accounts: state.kind === 'rangoli' ? state.content.accounts : 0,
  }
}

/** Numbers of rows. */
type DatabaseContent = Record<'posts' | 'images' | 'accounts' | 'administrators', number>

function describeContent(database: string, content: DatabaseContent): Line {
  const { posts, images, accounts, administrators } = content
  return ok(
    `${database} holds ${count(posts, 'post')}, ${count(images, 'image')} and ${count(accounts, 'account')}, ${count(administrators, 'administrator')} among them.`,
  )
}

/** Magic numbers of network file systems. @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
])

async function checkSqlite(config: Config, file: string, state: DatabaseState): Promise<Line[]> {
  const place = await checkPlace(file)
  const otherFile = 'set DATABASE_URL to another file'
  switch (state.kind) {
    case 'missing':
      return [
        ok(`The first start creates the database ${file}.`),
        ...(await checkStorage(config, file, state)),
        ...place,
      ]
    case 'empty':
      return [
        ok(`The database ${file} is empty; the next start creates its tables.`),
        ...(await checkStorage(config, file, state)),
        ...place,
      ]
    case 'unreadable':
      return [
        problem(
          `The database ${file} cannot be read (${state.reason}).`,
          `Give the user that runs the server read access, restore a copy of it, or ${otherFile}.`,
        ),
      ]
    case 'foreign':
      return [problem(`The database ${file} belongs to another program.`, `To keep both, ${otherFile}.`)]
    case 'unusable':
      return [problem(`The database ${file} ${state.reason}.`, `${capitalize(state.fix)}.`)]
    case 'rangoli':
      return [...checkRangoliDatabase(file, state), ...(await checkStorage(config, file, state)), ...place]
  }
}

function checkRangoliDatabase(file: string, state: DatabaseState & { kind: 'rangoli' }): Line[] {
  const lines = [
    describeContent(`The database ${file}`, state.content),
    state.missing.length === 0
      ? ok('Its schema is up to date.')
      : note(
          `Its schema needs a migration (${state.missing.join(', ')}): the next start brings it up to date and keeps a copy.`,
        ),
  ]
  if (state.damage !== null) {
    lines.push(problem(`It is damaged (${state.damage}).`, 'Stop the server, and restore a copy.'))
  }
  if (!state.isWritable) {
    lines.push(
      problem('It cannot be written.', 'Give the file and its folder to the user that runs the server.'),
    )
  }
  return lines
}

/** Checks that the storage of images belongs to the database, or to none where there is no database yet. */
async function checkStorage(config: Config, file: string, state: DatabaseState): Promise<Line[]> {
  let storage: SiteStorage
  try {
    storage = await openSiteStorage(config)
  } catch (error) {
    // `checkFolders` reports a bucket that cannot be used.
    if (error instanceof StartError) return []
    throw error
  }
  try {
    return state.kind === 'rangoli'
      ? await compareContent(config, file, storage, state)
      : mismatchLines(await storage.compare(null))
  } finally {
    storage.close()
  }
}

async function compareContent(
  config: Config,
  file: string,
  storage: SiteStorage,
  { damage, missing }: DatabaseState & { kind: 'rangoli' },
): Promise<Line[]> {
  if (damage !== null) return []
  const db = openReadOnly(file)
  try {
    const lines = mismatchLines(await storage.compare(db))
    const { kind, maxBytes } = config.storage
    if (kind === 'disk' || maxBytes === null || missing.length > 0) return lines
    const { bytes } = await db.selectFrom('bucket_usage').select('bytes').executeTakeFirstOrThrow()
    return [...lines, checkQuota(bytes, maxBytes)]
  } finally {
    await db.destroy()
  }
}

function mismatchLines(mismatch: Mismatch | null): Line[] {
  return mismatch ? [problem(`${capitalize(mismatch.what)}.`, mismatch.fix)] : []
}

/** Warns of a database on a network file system. */
async function checkPlace(file: string): Promise<Line[]> {
  const folder = path.dirname(file)
  if (!existsSync(folder)) return []
  const system = networkFileSystems.get((await statfs(folder)).type)
  if (system === undefined) return []
  return [
    note(
      `The database is on a network file system (${system}), on which SQLite can lose data.`,
      'Keep it on a disk of this machine.',
    ),
  ]
}

/** State of a database file. */
type DatabaseState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** Without any table, or with tables of another program. */
  | { readonly kind: 'empty' | 'foreign' }
  /** Of a newer version, or of one before the baseline. */
  | ({ readonly kind: 'unusable' } & UnusableSchema)
  | {
      readonly kind: 'rangoli'
      /** Migrations that the next start runs. */
      readonly missing: readonly string[]
      readonly isWritable: boolean
      /** Damage that SQLite finds; null for none, or for a database too large to check. */
      readonly damage: string | null
      readonly content: DatabaseContent
    }

/** Maximum size of a database that is checked completely: a larger one would take too long. */
const fullCheckMaxBytes = 256 * 1024 ** 2

/** Reads a database without changing it, with or without a server running. */
function readDatabase(file: string): DatabaseState {
  try {
    const size = sizeOf(file)
    if (size === null) return { kind: 'missing' }
    const db = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5_000 })
    try {
      return stateOf(db, file, size)
    } finally {
      db.close()
    }
  } catch (error) {
    const code = systemCode(error)
    if (code !== undefined) return { kind: 'unreadable', reason: code }
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error
    return { kind: 'unreadable', reason: error.message }
  }
}

/** @returns bytes; null for a missing file */
function sizeOf(file: string): number | null {
  try {
    return statSync(file).size
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null
    throw error
  }
}

function stateOf(db: SqliteDatabase.Database, file: string, size: number): DatabaseState {
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
  if (tables.length === 0) return { kind: 'empty' }
  if (!tables.includes('kysely_migration')) return { kind: 'foreign' }
  const applied = db.prepare<[], string>('SELECT name FROM kysely_migration').pluck().all()
  const version = compareMigrations(applied, 'sqlite')
  if ('reason' in version) return { kind: 'unusable', ...version }
  if (applied.length === 0) return { kind: 'empty' }
  const number = (table: string, condition = 'true') =>
    db.prepare<[], number>(`SELECT count(*) FROM ${table} WHERE ${condition}`).pluck().get() ?? 0
  return {
    kind: 'rangoli',
    missing: version.pending,
    isWritable: isWritable(file),
    damage: size <= fullCheckMaxBytes ? findDamage(db) : null,
    content: {
      posts: number('posts'),
      images: number('images', 'folder IS NOT NULL'),
      accounts: number('user'),
      administrators: number('user_access', "role = 'administrator'"),
    },
  }
}

function findDamage(db: SqliteDatabase.Database): string | null {
  const found = String(db.pragma('quick_check(1)', { simple: true }))
  // The first line is a heading.
  return found === 'ok' ? null : (found.split('\n').at(-1) ?? found)
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Checks that a PostgreSQL database can be used, without changing it. */
export async function checkPostgres(config: PostgresConfig): Promise<DatabaseReport> {
  const { receivesNotifications, withPostgres } = await import('../../db/postgres/open-postgres.ts')
  const quiet = { warn: () => undefined }
  try {
    return await withPostgres(config, quiet, async ({ db, ...version }) => {
      const server = await readServer(db)
      const { lines, accounts } = await checkContent(db, version)
      return {
        lines: [
          ok(`The database ${databaseName(config)} can be used (PostgreSQL ${server.version}).`),
          ...lines,
          ...checkRights(server),
          checkConnections(config, server),
          await checkNotifications(receivesNotifications(config, db)),
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

async function checkContent(db: Database, { applied, pending }: SchemaVersion): Promise<DatabaseReport> {
  if (applied.length === 0) {
    return { lines: [ok('It has no tables yet; the first start creates them.')], accounts: 0 }
  }
  const { rows } = await sql<DatabaseContent>`
    SELECT (SELECT count(*) FROM posts) AS posts,
      (SELECT count(*) FROM images WHERE folder IS NOT NULL) AS images,
      (SELECT count(*) FROM "user") AS accounts,
      (SELECT count(*) FROM user_access WHERE role = 'administrator') AS administrators`.execute(db)
  const [content] = rows
  if (!content) throw new Error('PostgreSQL returned no counts.')
  return {
    lines: [
      describeContent('It', content),
      pending.length === 0
        ? ok('Its schema is up to date.')
        : note(
            `Its schema needs a migration (${pending.join(', ')}): the next start brings it up to date.`,
            'Dump it before with pg_dump.',
          ),
    ],
    accounts: content.accounts,
  }
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
