import { accessSync, constants, mkdirSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Kysely } from 'kysely'
import { cannotOpen } from './database-error.ts'
import { grams } from './n-grams.ts'
import { ImmediateSqliteDialect } from './immediate-dialect.ts'
import type { Schema } from './schema.ts'
import { rejectAbortingBinding } from './sqlite-binding.ts'
import type { OpenFile } from './sqlite-connection.ts'
import { StatementCache } from './statement-cache.ts'
import { WriteLock } from './write-lock.ts'

/** How long opening waits for another process's write, in milliseconds. Nobody is answered yet, so it may stop us. */
const openingTimeout = 5_000

/**
 * Opens a SQLite file, whatever is in it.
 *
 * @param isNew whether it is made, with its folder, where it is missing
 * @throws StartError where the file can't be used, or SQLite would abort the process
 */
export function openSqliteFile(file: string, isNew: 'may be new' | 'must exist'): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new ImmediateSqliteDialect(openFile(file, isNew)) })
}

function openFile(file: string, isNew: 'may be new' | 'must exist'): OpenFile {
  rejectAbortingBinding()
  try {
    const fileMustExist = isNew === 'must exist'
    if (!fileMustExist) mkdirSync(path.dirname(file), { recursive: true })
    const writer = new SqliteDatabase(file, { timeout: openingTimeout, fileMustExist })
    // SQLite itself opens what can only be read without a word.
    accessSync(file, constants.W_OK)
    writer.pragma('journal_mode = WAL')
    // An acknowledged post must survive a power cut, which WAL's usual NORMAL does not promise.
    writer.pragma('synchronous = FULL')
    writer.pragma('foreign_keys = ON')
    writer.function('grams', { deterministic: true }, (text) => grams(String(text)))
    const reader = new SqliteDatabase(file, { timeout: openingTimeout })
    reader.pragma('query_only = ON')
    // From now on waiting is the connection's business, which does not stop the process.
    for (const connection of [writer, reader]) connection.pragma('busy_timeout = 0')
    const statements = { writer: new StatementCache(writer), reader: new StatementCache(reader) }
    return { writer, reader, statements, writeLock: new WriteLock() }
  } catch (cause) {
    throw cannotOpen(file, cause)
  }
}
