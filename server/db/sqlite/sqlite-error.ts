import SqliteDatabase from 'better-sqlite3'
import { storageFull, storageUnavailable } from '../../errors/app-error.ts'

/** SQLite's codes for errors of the disk, the file or the system, rather than of a statement. */
const diskErrorCode =
  /^SQLITE_(?:IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|PERM|AUTH|NOMEM|NOLFS|INTERRUPT)(?:_|$)/

/** `Retry-After` of an error of the disk. */
const diskRetrySeconds = 30

/** `Retry-After` while another process writes. */
const lockRetrySeconds = 5

/** Reports whether another process holds the lock that a statement needs; nothing was changed. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:BUSY|LOCKED)(?:_|$)/.test(error.code)
}

/** Maps an error of the disk or the file to `storage_full` or `storage_unavailable`; returns other errors unchanged. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error
  if (error.code === 'SQLITE_FULL') return storageFull(error)
  if (isBusy(error)) return storageUnavailable(error, lockRetrySeconds)
  return diskErrorCode.test(error.code) ? storageUnavailable(error, diskRetrySeconds) : error
}

/** Creates the error of a write that waited too long for earlier ones. */
export function waitedTooLong(): Error {
  return storageUnavailable(new Error('Earlier writes held the database for too long.'), lockRetrySeconds)
}
