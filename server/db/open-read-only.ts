import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Schema } from './schema.ts'

/** Opens a database that exists to be read and nothing else, beside a server or without one. */
export function openReadOnly(file: string): Kysely<Schema> {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true })
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
}
