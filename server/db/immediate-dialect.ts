import {
  SqliteAdapter,
  SqliteDialect,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
} from 'kysely'
import { SqliteConnection, type OpenFile } from './sqlite-connection.ts'

/**
 * SQLite with transactions that take the write lock at once, reads that wait for no write, and waiting that does not
 * stop the process.
 */
export class ImmediateSqliteDialect implements Dialect {
  readonly #file: OpenFile
  readonly #sqlite: SqliteDialect

  constructor(file: OpenFile) {
    this.#file = file
    this.#sqlite = new SqliteDialect({ database: file.writer })
  }

  createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#file)
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }

  createQueryCompiler(): QueryCompiler {
    return this.#sqlite.createQueryCompiler()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return this.#sqlite.createIntrospector(db)
  }
}

/**
 * Makes Kysely migrate in one transaction, which SQLite can do: an update happens whole or not at all, and a
 * second process that starts meanwhile waits for it.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class ImmediateSqliteDriver implements Driver {
  readonly #file: OpenFile

  constructor(file: OpenFile) {
    this.#file = file
  }

  async init(): Promise<void> {
    // The file is open already.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this.#file)
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(): Promise<void> {
    // It was made for one use.
  }

  async destroy(): Promise<void> {
    this.#file.reader.close()
    // The last to close clears the write-ahead log up.
    this.#file.writer.close()
  }
}
