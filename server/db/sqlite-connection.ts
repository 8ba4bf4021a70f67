import { setTimeout as pause } from 'node:timers/promises'
import type SqliteDatabase from 'better-sqlite3'
import { CompiledQuery, SelectQueryNode, type DatabaseConnection, type QueryResult } from 'kysely'
import { toStorageError, isBusy } from './sqlite-error.ts'
import type { StatementCache } from './statement-cache.ts'
import { reportError } from './report-errors.ts'
import type { Release, WriteLock } from './write-lock.ts'

/** The open file, twice: what is read does not stand in line behind what is written. */
export interface OpenFile {
  readonly writer: SqliteDatabase.Database
  readonly reader: SqliteDatabase.Database
  readonly statements: { readonly writer: StatementCache; readonly reader: StatementCache }
  readonly writeLock: WriteLock
}

/** How long a write waits for its turn and for other processes, in milliseconds. */
const patience = 5_000

/** Between two attempts at a lock that another process holds, in milliseconds. */
const pauseMax = 50

/**
 * What one query or transaction uses. SQLite would wait for a lock by stopping the whole process; here the attempt
 * is repeated instead, and everybody else is answered meanwhile.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #file: OpenFile
  /** Held from the beginning of a transaction to its end. */
  #release: Release | null = null

  constructor(file: OpenFile) {
    this.#file = file
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { writeLock } = this.#file
    const { reader, writer } = this.#file.statements
    if (this.#release) return patiently(() => run<Row>(writer, query), 0)
    const deadline = performance.now() + patience
    if (SelectQueryNode.is(query.query)) return patiently(() => run<Row>(reader, query), deadline)
    const release = await writeLock.take(deadline)
    try {
      return await patiently(() => run<Row>(writer, query), deadline)
    } finally {
      release()
    }
  }

  /** An open cursor would keep the file's connection from everybody else, so the rows come at once. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  /** Takes the write lock at once: a transaction that takes it late fails where another process wrote meanwhile. */
  async begin(): Promise<void> {
    const deadline = performance.now() + patience
    const release = await this.#file.writeLock.take(deadline)
    try {
      await patiently(() => run(this.#file.statements.writer, CompiledQuery.raw('begin immediate')), deadline)
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

  /** SQLite itself has rolled back already what a full or failing disk ended. */
  async rollback(): Promise<void> {
    try {
      if (this.#file.writer.inTransaction) await this.executeQuery(CompiledQuery.raw('rollback'))
    } finally {
      this.#end()
    }
  }

  #end(): void {
    this.#release?.()
    this.#release = null
  }
}

/** Repeats an attempt that meets another process's lock until `deadline`, and says faults in our own words. */
async function patiently<Result>(attempt: () => Result, deadline: number): Promise<Result> {
  for (let wait = 1; ; wait = Math.min(wait * 2, pauseMax)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() + wait > deadline) throw noted(toStorageError(error))
    }
    await pause(wait)
  }
}

function noted(fault: unknown): unknown {
  reportError(fault)
  return fault
}

function run<Row>(statements: StatementCache, query: CompiledQuery): QueryResult<Row> {
  const statement = statements.prepare<Row>(query.sql)
  if (statement.reader) return { rows: statement.all(query.parameters) }
  const { changes, lastInsertRowid } = statement.run(query.parameters)
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
}
