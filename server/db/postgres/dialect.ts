import {
  PostgresDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { DatabaseError } from 'pg'
import { isConflict, reportStorageError, conflictCode } from '../database-errors.ts'
import { libraryCode, storageFull, storageUnavailable } from '../../errors/app-error.ts'

/** Kysely's PostgreSQL dialect, whose errors are mapped to `storage_full` and `storage_unavailable`. */
export class PooledPostgresDialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    return {
      init: () => driver.init(),
      acquireConnection: async () =>
        new PooledConnection(await withReports(() => driver.acquireConnection())),
      async beginTransaction(connection: PooledConnection, settings) {
        connection.isInTransaction = true
        await driver.beginTransaction(connection, settings)
      },
      commitTransaction: (connection) => driver.commitTransaction(connection),
      rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
      releaseConnection: (connection: PooledConnection) => driver.releaseConnection(connection.pooled),
      destroy: () => driver.destroy(),
    }
  }
}

class PooledConnection implements DatabaseConnection {
  readonly pooled: DatabaseConnection
  isInTransaction = false

  constructor(pooled: DatabaseConnection) {
    this.pooled = pooled
  }

  executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    const query = { ...compiled, parameters: compiled.parameters.map(withoutNul) }
    return withReports(async () => {
      try {
        return await this.pooled.executeQuery<Row>(query)
      } catch (error) {
        // In a transaction, the statements before it are lost, too; see `inTransaction`.
        if (this.isInTransaction || !isConflict(error)) throw error
        return await this.pooled.executeQuery<Row>(query)
      }
    })
  }

  /** Yields all rows at once, as for SQLite. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }
}

/**
 * Replaces U+0000, which PostgreSQL rejects in texts, as unpaired surrogates are replaced. Texts that are stored contain
 * none; a search or an id from a caller may.
 */
function withoutNul(parameter: unknown): unknown {
  return typeof parameter === 'string' && parameter.includes('\0')
    ? parameter.replaceAll('\0', '\ufffd')
    : parameter
}

/** @throws AppError `storage_full`, `storage_unavailable` */
async function withReports<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw reportStorageError(toStorageError(error))
  }
}

/** `Retry-After` of a server that is stopping, starting, unreachable or out of connections. */
const serverRetrySeconds = 5

/** `Retry-After` of a failing disk, a damaged table or missing rights. */
const diskRetrySeconds = 30

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const diskFull = '53100'

/** Input or output, damaged tables, and rights that were revoked. */
const diskCode = /^(?:58|XX00[12]|42501|28)/

/**
 * Lost connections, too few resources, a shutdown, a standby (25006), a transaction that was idle for too long (25P03), a
 * lock (55P03) or a statement (57014) that took too long, and a database that was dropped (3D000) or accepts no
 * connections (55000).
 */
const serverCode = /^(?:08|53|57P0|25006|25P03|55000|55P03|57014|3D000)/

/** Maps an error of the server or the connection to `storage_full` or `storage_unavailable`; returns others unchanged. */
function toStorageError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const code = error.code ?? ''
    if (code === diskFull) return storageFull(error)
    if (diskCode.test(code)) return storageUnavailable(error, diskRetrySeconds)
    return serverCode.test(code) || conflictCode.test(code)
      ? storageUnavailable(error, serverRetrySeconds)
      : error
  }
  return isConnectionError(error) ? storageUnavailable(error, serverRetrySeconds) : error
}

/** Detects errors of a connection: a code of the system or of TLS, or a plain Error, which pg throws for a lost connection. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false
  return libraryCode(error) !== undefined || Object.getPrototypeOf(error) === Error.prototype
}
