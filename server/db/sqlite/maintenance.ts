import { access, chmod, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql, type Kysely } from 'kysely'
import { storageFull } from '../../errors/app-error.ts'
import { freeBytesOf, syncFile, nullIfMissing, realFile } from '../../files/disk-files.ts'
import type { Schema } from '../schema.ts'

/** Free space below which the database counts as not writable: more than the next write takes. */
const minFreeBytes = 1024 * 1024

/** Writes a durable snapshot of a database in use to a new file with permissions `mode`, without traces of deleted rows. */
export async function copyDatabase(db: Kysely<Schema>, file: string, mode: number): Promise<void> {
  await sql`VACUUM INTO ${file}`.execute(db)
  await chmod(file, mode)
  // SQLite does not sync the copy itself.
  await syncFile(file)
}

/** Returns the size of a database in bytes, without its write-ahead log. */
export async function databaseSize(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Returns the bytes on disk of a database's file and its write-ahead log. */
export async function databaseBytes(file: string): Promise<number> {
  const { size } = await stat(file)
  // There is no log while no process has the database open.
  const log = await nullIfMissing(stat(`${await realFile(file)}-wal`))
  return size + (log?.size ?? 0)
}

/** Runs SQLite's integrity check and returns its messages; none for a sound database. */
export async function integrityIssues(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(db)
  return rows.map(({ integrity_check: message }) => message).filter((message) => message !== 'ok')
}

/**
 * Verifies, without writing, the file's permissions, the space on its disk and the write lock.
 * @throws Error, AppError `storage_full`, `storage_unavailable`
 */
export async function requireWritable(db: Kysely<Schema>, file: string): Promise<void> {
  await access(file, constants.W_OK)
  const free = await freeBytesOf(path.dirname(await realFile(file)))
  if (free !== null && free < minFreeBytes) {
    throw storageFull(new Error(`The disk of ${file} has ${free} bytes left.`))
  }
  // A transaction takes the write lock when it begins; an empty one does not change the file.
  await db.transaction().execute(async () => {})
}
