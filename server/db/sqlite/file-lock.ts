import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { isBusy, toStorageError } from './dialect.ts'

/** Releases a lock. The lock also ends with the process. */
export type Release = () => void

/** Interval between two attempts at a file that another process holds. */
const retryIntervalMs = 100

/**
 * Locks a file for this process, creating it if it is missing. Uses SQLite's file locks, since Node.js has none.
 *
 * @returns null if another process holds the lock
 */
export function acquireFileLock(file: string): Release | null {
  return openUnlessBusy(file, { timeout: 0 }, (database) => database.exec('BEGIN EXCLUSIVE'))
}

/**
 * Locks a file for this process, waiting for another process that holds it.
 *
 * @param deadline of `performance.now()`
 * @param onWait called once if another process holds the lock
 * @returns null if another process still holds the lock at the deadline
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
 * Locks a database for this process and merges its write-ahead log into the file.
 *
 * @returns null if another process, such as a server, has the database open
 * @throws AppError `storage_unavailable` for a file that is not a database, or a damaged one
 */
export function claimDatabase(file: string): Release | null {
  return openUnlessBusy(file, { timeout: 0, fileMustExist: true }, (database) => {
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
  })
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
