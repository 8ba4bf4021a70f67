import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { makeFolder } from '../../files/disk-files.ts'
import { cannotOpen } from '../database-errors.ts'
import type { Schema } from '../schema.ts'
import { ImmediateSqliteDialect, type Connections } from './dialect.ts'
import { nGrams } from './n-grams.ts'

/** Time that opening waits for another process's write. It blocks the process, which serves no requests yet. */
const openTimeoutMs = 5_000

/** Opens a SQLite file without looking at its schema, or creates it with its folder. @throws StartError if it cannot be used */
export function openSqliteFile(file: string, mode: 'create' | 'must exist'): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new ImmediateSqliteDialect(connect(file, mode)) })
}

/** Opens an existing database for queries only; a server may be using it. Closing it may empty its write-ahead log. @throws StartError if it cannot be opened */
export function openReadOnly(file: string): Kysely<Schema> {
  try {
    // A connection that is opened as read-only leaves the files of the write-ahead log when it closes.
    const database = new SqliteDatabase(file, { fileMustExist: true })
    database.pragma('query_only = ON')
    return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
  } catch (cause) {
    throw cannotOpen(file, cause)
  }
}

function connect(file: string, mode: 'create' | 'must exist'): Connections {
  try {
    const fileMustExist = mode === 'must exist'
    if (!fileMustExist) makeFolder(path.dirname(file))
    const writer = new SqliteDatabase(file, { timeout: openTimeoutMs, fileMustExist })
    // SQLite itself silently opens a file without write permission as read-only.
    accessSync(file, constants.W_OK)
    writer.pragma('journal_mode = WAL')
    // An acknowledged post must survive a power cut, which WAL with the usual NORMAL does not promise.
    writer.pragma('synchronous = FULL')
    writer.pragma('foreign_keys = ON')
    // The name that the triggers on posts call it by.
    writer.function('grams', { deterministic: true }, (text) => nGrams(String(text)))
    const reader = new SqliteDatabase(file, { timeout: openTimeoutMs })
    reader.pragma('query_only = ON')
    // From now on the dialect waits for locks, without blocking the process.
    for (const connection of [writer, reader]) connection.pragma('busy_timeout = 0')
    return { writer, reader }
  } catch (cause) {
    throw cannotOpen(file, cause)
  }
}
