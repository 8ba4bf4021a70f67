import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { isBusy, toStorageError } from './dialect.ts'

/** Releases a lock. The lock also ends with the process. */
export type Release = () => void

const retryIntervalMs = 100

/**
 * Locks a file for this process, creating it if it is missing, by SQLite, since Node.js has no locks. Null if another
 * process holds it.
 */
export function acquireFileLock(file: string): Release | null {
  return openUnlessBusy(file, { timeout: 0 }, (database) => database.exec('BEGIN EXCLUSIVE'))
}

/**
 * Locks a file, waiting for another process until `deadline` of `performance.now()`; null then. Calls `onWait` once if
 * it has to wait.
 */
export async function waitForFileLock(
  file: string,
  deadline: number,
  onWait: () => void,
): Promise<Release | null> {
  for (let attempt = 1; ; attempt += 1) {
    const release = acquireFileLock(file)
    if (release || performance.now() >= deadline) return release
    if (attempt === 1) onWait()
    await pause(retryIntervalMs)
  }
}

/**
 * Locks a database, and merges its write-ahead log into the file; null while a process uses it.
 * @throws AppError `storage_unavailable` for a damaged one
 */
export function claimDatabase(file: string): Release | null {
  return openUnlessBusy(file, { timeout: 0, fileMustExist: true }, (database) => {
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
  })
}

/**
 * Reads from a database unless it is busy.
 * @throws AppError `storage_unavailable` for a folder, and for a file that is not a database
 */
export function probeDatabase(file: string): void {
  const options = { timeout: 0, fileMustExist: true }
  openUnlessBusy(file, options, (database) => database.pragma('schema_version'))?.()
}

function openUnlessBusy(
  file: string,
  options: SqliteDatabase.Options,
  lock: (database: SqliteDatabase.Database) => void,
): Release | null {
  let database: SqliteDatabase.Database | null = null
  try {
    const opened = new SqliteDatabase(file, options)
    database = opened
    lock(opened)
    return () => void opened.close()
  } catch (error) {
    database?.close()
    if (isBusy(error)) return null
    throw toStorageError(error)
  }
}
