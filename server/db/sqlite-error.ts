import SqliteDatabase from 'better-sqlite3'
import { storageFull, storageUnavailable } from '../errors/app-error.ts'

/** What SQLite calls a fault of the disk, the file or the system, rather than of a statement. */
const diskError =
  /^SQLITE_(?:IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|PERM|AUTH|NOMEM|NOLFS|INTERRUPT)(?:_|$)/

/** Seconds after which a failing disk may have been mended. */
const repairTime = 30

/** Seconds after which another process's write may be over. */
const lockTime = 5

/** Whether another process holds the lock that a statement needs; nothing was changed. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:BUSY|LOCKED)(?:_|$)/.test(error.code)
}

/** A fault of the disk or of the file as `storage_full` or `storage_unavailable`; any other error as it is. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error
  if (error.code === 'SQLITE_FULL') return storageFull(error)
  if (isBusy(error)) return storageUnavailable(error, lockTime)
  return diskError.test(error.code) ? storageUnavailable(error, repairTime) : error
}

/** The fault of a write whose turn did not come in time. */
export function waitedTooLong(): Error {
  return storageUnavailable(new Error('Earlier writes held the database for too long.'), lockTime)
}
