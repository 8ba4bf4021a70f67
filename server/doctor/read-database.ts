import { accessSync, constants, existsSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { migrations } from '../db/migrations/migrations.ts'

/** How much is in a database; null what its schema has no table for. */
export interface DatabaseContent {
  readonly posts: number
  readonly pictures: number
  readonly accounts: number
  readonly administrators: number
}

/** What a database file is. */
export type DatabaseState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** It has no table that is ours. */
  | { readonly kind: 'empty' | 'foreign' }
  /** It knows a migration that this version does not. */
  | { readonly kind: 'newer'; readonly migration: string }
  | {
      readonly kind: 'ours'
      /** Migrations that the next start runs. */
      readonly missing: readonly string[]
      readonly isWritable: boolean
      readonly content: DatabaseContent
    }

/** How long another process's lock is waited for, in milliseconds. */
const patience = 5_000

/** Looks at a database as one that only reads it, beside a server or without one, and brings nothing up to date. */
export function readDatabase(file: string): DatabaseState {
  if (!existsSync(file)) return { kind: 'missing' }
  try {
    const db = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: patience })
    try {
      return stateOf(db, file)
    } finally {
      db.close()
    }
  } catch (error) {
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error
    return { kind: 'unreadable', reason: error.message }
  }
}

function stateOf(db: SqliteDatabase.Database, file: string): DatabaseState {
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
  if (tables.length === 0) return { kind: 'empty' }
  if (!tables.includes('kysely_migration')) return { kind: 'foreign' }
  const applied = db.prepare<[], string>('SELECT name FROM kysely_migration').pluck().all()
  const unknown = applied.find((name) => !(name in migrations))
  if (unknown !== undefined) return { kind: 'newer', migration: unknown }
  const number = (table: string, condition = 'true') =>
    tables.includes(table)
      ? (db.prepare<[], number>(`SELECT count(*) FROM ${table} WHERE ${condition}`).pluck().get() ?? 0)
      : 0
  const missing = Object.keys(migrations).filter((name) => !applied.includes(name))
  return {
    kind: 'ours',
    missing,
    isWritable: isWritable(file),
    content: {
      posts: number('posts'),
      pictures: number('images', 'folder IS NOT NULL'),
      accounts: number('user'),
      // The column came later than the table.
      administrators: missing.includes('0003-account-roles') ? 0 : number('user', "role = 'administrator'"),
    },
  }
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}
