import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { toStorageError, isBusy } from './sqlite-error.ts'

/** Gives back what was taken; ends by itself with the process, however that ends. */
export type Release = () => void

/**
 * Takes a file, made empty where missing, for this process alone. Locks that go with their process are what SQLite has
 * and Node has not.
 *
 * @returns null where another process holds it
 */
export function holdFile(file: string): Release | null {
  return unlessBusy(file, { timeout: 0 }, (database) => database.exec('BEGIN EXCLUSIVE'))
}

/** Interval between two attempts at a file that another process holds, in milliseconds. */
const retryIntervalMs = 100

/**
 * Like `holdFile`, but waits for the other process.
 *
 * @param deadline of `performance.now()`
 * @param onWait called once, when another process holds the file
 * @returns null where another process still holds it at the deadline
 */
export async function holdFileBy(
  file: string,
  deadline: number,
  onWait: () => void,
): Promise<Release | null> {
  for (let attempt = 1; ; attempt += 1) {
    const release = holdFile(file)
    if (release || performance.now() >= deadline) return release
    if (attempt === 1) onWait()
    await pause(retryIntervalMs)
  }
}

/**
 * Keeps everybody else away from a database, and leaves it as one file without a log of writes beside it. Whoever has
 * it open, as a server has, keeps us away in turn.
 *
 * @returns null where somebody has it open
 * @throws AppError `storage_unavailable` for a file that is no database, or a damaged one
 */
export function claimDatabase(file: string): Release | null {
  return unlessBusy(file, { timeout: 0, fileMustExist: true }, (database) => {
    database.pragma('journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
  })
}

function unlessBusy(
  file: string,
  options: SqliteDatabase.Options,
  take: (database: SqliteDatabase.Database) => void,
): Release | null {
  let database: SqliteDatabase.Database | null = null
  try {
    const opened = new SqliteDatabase(file, options)
    database = opened
    take(opened)
    return () => void opened.close()
  } catch (error) {
    database?.close()
    if (isBusy(error)) return null
    throw toStorageError(error)
  }
}
