import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import {
  CompiledQuery,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { reportStorageError } from '../database-errors.ts'
import { storageFull, storageUnavailable } from '../../errors/app-error.ts'
import { Semaphore } from '../../tasks/semaphore.ts'

/** Two connections to one file, so that reads do not wait for writes. */
export interface Connections {
  readonly writer: SqliteDatabase.Database
  readonly reader: SqliteDatabase.Database
}

/** Shared state of all queries of one open file. */
interface OpenFile {
  readonly connections: Connections
  readonly writer: StatementCache
  readonly reader: StatementCache
  /** Admits one writer of this process at a time. */
  readonly writers: Semaphore
}

/** Time that a write waits for earlier writes of this process and of others. */
const busyTimeoutMs = 5_000

/** Longest interval between two attempts at a lock that another process holds. */
const maxRetryIntervalMs = 50

/**
 * SQLite dialect whose transactions take the write lock at once, whose reads do not wait for writes, and which waits for
 * locks without blocking the event loop. Kysely's own dialect uses one connection and lets SQLite block.
 */
export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #file: OpenFile

  constructor(connections: Connections) {
    super({ database: connections.writer })
    const { writer, reader } = connections
    this.#file = {
      connections,
      writer: new StatementCache(writer),
      reader: new StatementCache(reader),
      writers: new Semaphore(1),
    }
  }

  override createDriver(): Driver {
    const { reader, writer } = this.#file.connections
    return {
      init: async () => {},
      acquireConnection: async () => new SqliteConnection(this.#file),
      beginTransaction: (connection: SqliteConnection) => connection.begin(),
      commitTransaction: (connection: SqliteConnection) => connection.commit(),
      rollbackTransaction: (connection: SqliteConnection) => connection.rollback(),
      releaseConnection: async () => {},
      async destroy() {
        reader.close()
        // The last connection to close checkpoints the write-ahead log.
        writer.close()
      },
    }
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }
}

/**
 * Makes Kysely run all migrations in one transaction, which SQLite supports: an update is applied completely or not at
 * all, and a second process that starts meanwhile waits for it.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Connection of one query or transaction. SQLite would block the process while it waits for a lock; this retries instead,
 * so that other requests are served meanwhile.
 */
class SqliteConnection implements DatabaseConnection {
  readonly #file: OpenFile
  /** Held from the start of a transaction to its end. */
  #release: (() => void) | null = null

  constructor(file: OpenFile) {
    this.#file = file
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { writer, reader } = this.#file
    if (this.#release) return retryWhileBusy(() => run<Row>(writer, query), 0)
    const deadline = performance.now() + busyTimeoutMs
    if (SelectQueryNode.is(query.query)) return retryWhileBusy(() => run<Row>(reader, query), deadline)
    const release = await acquireWrite(this.#file, deadline)
    return retryWhileBusy(() => run<Row>(writer, query), deadline).finally(release)
  }

  /** Yields all rows at once: an open cursor would block the file's connection for other queries. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  /** Takes the write lock at once: a transaction that takes it later fails if another process wrote meanwhile. */
  async begin(): Promise<void> {
    const deadline = performance.now() + busyTimeoutMs
    const release = await acquireWrite(this.#file, deadline)
    try {
      const begin = CompiledQuery.raw('begin immediate')
      await retryWhileBusy(() => run(this.#file.writer, begin), deadline)
    } catch (error) {
      release()
      throw error
    }
    this.#release = release
  }

  async commit(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('commit'))
    this.#end()
  }

  /** Rolls back, unless SQLite already has: it does so itself after an error of the disk. */
  async rollback(): Promise<void> {
    try {
      if (this.#file.connections.writer.inTransaction) await this.executeQuery(CompiledQuery.raw('rollback'))
    } finally {
      this.#end()
    }
  }

  #end(): void {
    this.#release?.()
    this.#release = null
  }
}

/**
 * Repeats an attempt until no other process holds the lock, once if `deadline` is 0.
 * @throws AppError `storage_full`, `storage_unavailable`
 */
async function retryWhileBusy<Result>(attempt: () => Result, deadline: number): Promise<Result> {
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, maxRetryIntervalMs)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() + waitMs > deadline)
        throw reportStorageError(toStorageError(error))
    }
    await pause(waitMs)
  }
}

function run<Row>(statements: StatementCache, query: CompiledQuery): QueryResult<Row> {
  const statement = statements.prepare<Row>(query.sql)
  if (statement.reader) return { rows: statement.all(query.parameters) }
  const { changes, lastInsertRowid } = statement.run(query.parameters)
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
}

/** More than the number of distinct queries. */
const maxStatements = 200

/** Longer statements, which insert many rows, are not worth their memory. The longest list merges 60 index ranges. */
const maxStatementLength = 16_000

/** Other statements change the schema or a setting and run once. */
const isRepeated = /^(?:select|insert|update|delete)\b/i

/** Cache of prepared statements, since preparing one often takes longer than running it. */
export class StatementCache {
  readonly #connection: SqliteDatabase.Database
  readonly #statements = new LRUCache<string, SqliteDatabase.Statement>({ max: maxStatements })

  constructor(connection: SqliteDatabase.Database) {
    this.#connection = connection
  }

  prepare<Row>(sql: string): SqliteDatabase.Statement<unknown[], Row> {
    const cached = this.#statements.get(sql)
    const statement = cached ?? this.#connection.prepare(sql)
    if (!cached && sql.length <= maxStatementLength && isRepeated.test(sql))
      this.#statements.set(sql, statement)
    return statement as SqliteDatabase.Statement<unknown[], Row>
  }
}

/** Waits for earlier writers of this process, until a time of `performance.now()`. @throws AppError `storage_unavailable` */
function acquireWrite({ writers }: OpenFile, deadline: number): Promise<() => void> {
  return writers.acquire({
    timeoutMs: deadline - performance.now(),
    createError: () =>
      storageUnavailable(new Error('Earlier writes held the database for too long.'), lockRetrySeconds),
  })
}

/** SQLite's codes for errors of the disk, the file or the system, rather than of a statement. */
const diskErrorCode =
  /^SQLITE_(?:IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|PERM|AUTH|NOMEM|NOLFS|INTERRUPT)(?:_|$)/

/** `Retry-After` of an error of the disk. */
const diskRetrySeconds = 30

/** `Retry-After` while another process writes. */
const lockRetrySeconds = 5

/** Reports whether another process holds the lock that a statement needs; nothing was changed. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:BUSY|LOCKED)(?:_|$)/.test(error.code)
}

/** Maps an error of the disk or the file to `storage_full` or `storage_unavailable`; returns other errors unchanged. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error
  if (error.code === 'SQLITE_FULL') return storageFull(error)
  if (isBusy(error)) return storageUnavailable(error, lockRetrySeconds)
  return diskErrorCode.test(error.code) ? storageUnavailable(error, diskRetrySeconds) : error
}
