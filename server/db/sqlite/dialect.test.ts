import SqliteDatabase from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StatementCache, toStorageError } from './dialect.ts'

describe('StatementCache', () => {
  function openCache() {
    const connection = new SqliteDatabase(':memory:')
    onTestFinished(() => void connection.close())
    connection.exec('CREATE TABLE kites (color TEXT)')
    return { connection, cache: new StatementCache(connection) }
  }

  test('prepares a statement once', () => {
    const { cache } = openCache()
    const sql = 'SELECT * FROM kites WHERE color = ?'
    expect(cache.prepare(sql)).toBe(cache.prepare(sql))
  })

  test('evicts the least recently used statement, and caches neither long ones nor settings', () => {
    const { cache } = openCache()
    const first = cache.prepare('SELECT 1')
    const second = cache.prepare('SELECT 2')
    for (let number = 3; number <= 200; number += 1) cache.prepare(`SELECT ${number}`)
    expect(cache.prepare('SELECT 1')).toBe(first)
    cache.prepare('SELECT 201')
    expect(cache.prepare('SELECT 1')).toBe(first)
    expect(cache.prepare('SELECT 2')).not.toBe(second)
    for (const sql of [`SELECT '${'x'.repeat(20_000)}'`, 'PRAGMA data_version']) {
      expect(cache.prepare(sql)).not.toBe(cache.prepare(sql))
    }
  })
})

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
