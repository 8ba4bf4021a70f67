import {
  PostgresAdapter,
  PostgresDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Pool } from 'pg'
import { isConflict, reportStorageError } from '../database-errors.ts'
import { toStorageError } from './storage-error.ts'

/** Kysely's PostgreSQL dialect, whose errors are mapped to `storage_full` and `storage_unavailable`. */
export class PooledPostgresDialect implements Dialect {
  readonly #postgres: PostgresDialect

  constructor(pool: Pool) {
    this.#postgres = new PostgresDialect({ pool })
  }

  createDriver(): Driver {
    return new PooledPostgresDriver(this.#postgres.createDriver())
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter()
  }

  createQueryCompiler(): QueryCompiler {
    return this.#postgres.createQueryCompiler()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return this.#postgres.createIntrospector(db)
  }
}

class PooledPostgresDriver implements Driver {
  readonly #driver: Driver

  constructor(driver: Driver) {
    this.#driver = driver
  }

  init(): Promise<void> {
    return this.#driver.init()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new PooledConnection(await withReports(() => this.#driver.acquireConnection()))
  }

  async beginTransaction(connection: PooledConnection, settings: TransactionSettings): Promise<void> {
    connection.isInTransaction = true
    await this.#driver.beginTransaction(connection, settings)
  }

  commitTransaction(connection: PooledConnection): Promise<void> {
    return this.#driver.commitTransaction(connection)
  }

  rollbackTransaction(connection: PooledConnection): Promise<void> {
    return this.#driver.rollbackTransaction(connection)
  }

  releaseConnection(connection: PooledConnection): Promise<void> {
    return this.#driver.releaseConnection(connection.pooled)
  }

  destroy(): Promise<void> {
    return this.#driver.destroy()
  }
}

/** Connection of one query or transaction. */
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
    const reported = toStorageError(error)
    reportStorageError(reported)
    throw reported
  }
}
