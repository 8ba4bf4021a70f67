import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { toStorageError } from './dialect.ts'

test.each([
  ['SQLITE_FULL', 'storage_full', undefined],
  ['SQLITE_IOERR', 'storage_unavailable', 30],
  ['SQLITE_READONLY', 'storage_unavailable', 30],
  ['SQLITE_CORRUPT', 'storage_unavailable', 30],
  ['SQLITE_NOTADB', 'storage_unavailable', 30],
  ['SQLITE_CANTOPEN', 'storage_unavailable', 30],
  ['SQLITE_BUSY', 'storage_unavailable', 5],
  ['SQLITE_BUSY_RECOVERY', 'storage_unavailable', 5],
  ['SQLITE_LOCKED', 'storage_unavailable', 5],
])('%s becomes %s', (code, reason, retryAfter) => {
  const cause = new SqliteDatabase.SqliteError('secret words of SQLite', code)
  const reported = toStorageError(cause)
  expect(reported).toMatchObject({ code: reason, retryAfter, cause })
  expect((reported as Error).message).not.toContain('secret')
})

test.each(['SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_MISUSE', 'SQLITE_RANGE', 'SQLITE_FULLER'])(
  '%s is an error of a statement and stays unchanged',
  (code) => {
    const error = new SqliteDatabase.SqliteError('no such table', code)
    expect(toStorageError(error)).toBe(error)
  },
)
