import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Kysely, sql } from 'kysely'
import { Client, Pool, types, type CustomTypesConfig, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { databaseName, type PostgresConfig } from '../database-config.ts'
import { AppError, libraryCode, StartError } from '../../errors/app-error.ts'
import { reasonOf } from '../database-errors.ts'
import { readSchemaVersion, type ExistingDatabase, type SchemaVersion, migrate } from '../schema-version.ts'
import type { Schema } from '../schema.ts'
import { PooledPostgresDialect } from './dialect.ts'

const minVersion = 13

/** Times after which a query fails instead of holding its connection. */
const timeouts: PoolConfig = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
}

/** Time in which a notification arrives, if it does. */
const notificationTimeoutMs = 3_000

const bigintOid = 20

/** Parses bigint (times, `seq`, counts) to a number, which pg leaves as text. */
const ownTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === bigintOid && format !== 'binary'
      ? parseBigint
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
}

function parseBigint(value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The number ${value} of the database is too large.`)
  return number
}

/**
 * Connects to a PostgreSQL database, and migrates it; one without tables after `beforeCreation`.
 * @throws StartError see `withPostgres`
 */
export async function openPostgres(
  config: PostgresConfig,
  log: Logger,
  beforeCreation?: () => Promise<void>,
): Promise<Kysely<Schema>> {
  // On connections of its own, without time limits: an index of a large gallery takes minutes.
  await withPostgres(config, log, async ({ db, applied, pending }) => {
    if (pending.length === 0) return
    try {
      if (applied.length === 0) await beforeCreation?.()
    } catch (error) {
      // Another process may have migrated it meanwhile.
      if ((await examine(db, config)).applied.length === 0) throw error
    }
    await usable(config, () => migrate(db))
  })
  return connect(config, log, { ...timeouts, max: config.maxConnections })
}

/**
 * Runs work with a PostgreSQL database, which is not migrated, without time limits.
 * @throws StartError if it cannot be used, or is newer
 */
export async function withPostgres<Result>(
  config: PostgresConfig,
  log: Pick<Logger, 'warn'>,
  work: (connected: ExistingDatabase) => Promise<Result>,
): Promise<Result> {
  const db = connect(config, log, { max: 2 })
  try {
    return await work({ db, ...(await examine(db, config)) })
  } finally {
    await db.destroy()
  }
}

function examine(db: Kysely<Schema>, config: PostgresConfig): Promise<SchemaVersion> {
  return usable(config, async () => {
    await requireSuitable(db)
    return readSchemaVersion(db, databaseName(config))
  })
}

/** @throws StartError in place of other errors */
async function usable<Result>(config: PostgresConfig, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StartError ? error : cannotUse(config, error)
  }
}

/**
 * Checks that a notification of `db` reaches `listenUrl`: a pooler in transaction mode loses it, without an error.
 * @throws StartError if it cannot be used
 */
export async function receivesNotifications(config: PostgresConfig, db: Kysely<Schema>): Promise<boolean> {
  const channel = `rangoli_${randomUUID()}`
  const client = new Client({
    connectionString: config.listenUrl,
    connectionTimeoutMillis: 2_000,
    application_name: 'rangoli doctor',
  })
  try {
    await client.connect()
    await client.query(`LISTEN "${channel}"`)
    const signal = AbortSignal.timeout(notificationTimeoutMs)
    const arrival = once(client, 'notification', { signal }).then(
      () => true,
      (error: unknown) => {
        if (signal.aborted) return false
        throw error
      },
    )
    const [hasArrived] = await Promise.all([arrival, sql`SELECT pg_notify(${channel}, '')`.execute(db)])
    return hasArrived
  } catch (error) {
    throw cannotUse({ ...config, url: config.listenUrl }, error, 'DATABASE_LISTEN_URL')
  } finally {
    await client.end()
  }
}

/** Creates a pool; it connects when it is used. */
function connect({ url }: PostgresConfig, log: Pick<Logger, 'warn'>, settings: PoolConfig): Kysely<Schema> {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // A process whose start fails exits at once.
    allowExitOnIdle: true,
    application_name: 'rangoli',
    // Compiling a plan takes longer than running queries like these.
    options: '-c jit=off',
    types: ownTypes,
    ...settings,
  })
  const warn = (err: Error) => log.warn({ err }, 'a connection to the database was lost')
  pool.on('error', warn)
  // A connection that is lost while a transaction holds it emits its own event, which would end the process.
  pool.on('connect', (client) => client.on('error', warn))
  return new Kysely<Schema>({ dialect: new PooledPostgresDialect({ pool }) })
}

/** @throws StartError for a server that is too old, or a database of another encoding */
async function requireSuitable(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: string; number: number; encoding: string }>`
    SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::integer AS number,
      current_setting('server_encoding') AS encoding`.execute(db)
  const [server] = rows
  if (!server) throw new Error('PostgreSQL returned no settings.')
  if (server.number < minVersion * 10_000) {
    throw new StartError(
      `DATABASE_URL: the server is PostgreSQL ${server.version}; use version ${minVersion} or newer.`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new StartError(
      `DATABASE_URL: the database has the encoding ${server.encoding}; create one with ENCODING 'UTF8'.`,
    )
  }
}

/** Creates the error that ends a start, with the fix for each known cause. */
function cannotUse(config: PostgresConfig, error: unknown, variable = 'DATABASE_URL'): StartError {
  const cause = error instanceof AppError ? error.cause : error
  const code = libraryCode(cause) ?? ''
  const name = databaseName(config)
  // An attempt at several addresses has no message.
  const reason = reasonOf(cause) || code
  return new StartError(
    `${variable}: the database ${name} can't be used (${reason}). ${fixFor(code, reason)}`,
    { cause },
  )
}

function fixFor(code: string, reason: string): string {
  // PgBouncer by default. @see https://www.pgbouncer.org/config.html#ignore_startup_parameters
  if (reason.startsWith('unsupported startup parameter')) {
    return `In pgbouncer.ini, set ignore_startup_parameters = ${[...Object.keys(timeouts), 'options'].join(',')}.`
  }
  if (code.startsWith('28')) return 'Correct the user and the password.'
  if (code === '3D000') return 'Create the database, or correct its name.'
  if (code === '42501') return 'Make the user the owner of the database.'
  if (code.startsWith('53')) return 'Raise max_connections, or lower DATABASE_CONNECTIONS.'
  return 'Start the server, or correct the host and the port.'
}
