import { accessSync, constants, statSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { compareWithOurs } from '../db/schema-version.ts'
import { systemCode } from '../storage/disk-fault.ts'

/** How much is in a database. */
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
      /** What SQLite says is broken in it; null: nothing, or it is too large to be read through. */
      readonly damage: string | null
      readonly content: DatabaseContent
    }

/** How long another process's lock is waited for, in milliseconds. */
const patience = 5_000

/** The largest file that is read through, in bytes: a larger one would keep people waiting. */
const readThroughMax = 256 * 1024 ** 2

/** Looks at a database as one that only reads it, beside a server or without one, and brings nothing up to date. */
export function readDatabase(file: string): DatabaseState {
  try {
    const size = sizeOf(file)
    if (size === null) return { kind: 'missing' }
    const db = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: patience })
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

/** Bytes of a file; null where there is none. */
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
  const { unknown, pending: missing } = compareWithOurs(applied)
  if (unknown !== undefined) return { kind: 'newer', migration: unknown }
  const number = (table: string, condition = 'true') =>
    tables.includes(table)
      ? (db.prepare<[], number>(`SELECT count(*) FROM ${table} WHERE ${condition}`).pluck().get() ?? 0)
      : 0
  return {
    kind: 'ours',
    missing,
    isWritable: isWritable(file),
    damage: size <= readThroughMax ? findDamage(db) : null,
    content: {
      posts: number('posts'),
      pictures: number('images', 'folder IS NOT NULL'),
      accounts: number('user'),
      // The column came later than the table.
      administrators: missing.includes('0003-account-roles') ? 0 : number('user', "role = 'administrator'"),
    },
  }
}

function findDamage(db: SqliteDatabase.Database): string | null {
  const found = String(db.pragma('quick_check(1)', { simple: true }))
  // A heading stands above what it found.
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
