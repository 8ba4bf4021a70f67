import type SqliteDatabase from 'better-sqlite3'

/** Enough for every query of ours in each of its shapes. */
const statementsMax = 200

/** A statement with many rows of values is longer, made once, and not worth its memory. */
const lengthMax = 10_000

/** Others change the schema or a setting, which is done once. */
const isAskedOften = /^(?:select|insert|update|delete)\b/i

/** Statements that SQLite has understood already, as understanding one often takes longer than running it. */
export class StatementCache {
  readonly #connection: SqliteDatabase.Database
  readonly #statements = new Map<string, SqliteDatabase.Statement>()

  constructor(connection: SqliteDatabase.Database) {
    this.#connection = connection
  }

  /** The statement of this SQL; the one used least recently is forgotten for it. */
  prepare<Row>(sql: string): SqliteDatabase.Statement<unknown[], Row> {
    const known = this.#statements.get(sql)
    const statement = known ?? this.#connection.prepare(sql)
    if (sql.length <= lengthMax && isAskedOften.test(sql)) {
      this.#statements.delete(sql)
      this.#statements.set(sql, statement)
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined && this.#statements.size > statementsMax) this.#statements.delete(oldest)
    }
    return statement as SqliteDatabase.Statement<unknown[], Row>
  }
}
