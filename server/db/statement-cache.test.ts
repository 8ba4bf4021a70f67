import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { StatementCache } from './statement-cache.ts'

function openCache() {
  const connection = new SqliteDatabase(':memory:')
  onTestFinished(() => void connection.close())
  connection.exec('CREATE TABLE kites (colour TEXT)')
  return { connection, cache: new StatementCache(connection) }
}

test('a statement is understood once', () => {
  const { cache } = openCache()
  const sql = 'SELECT * FROM kites WHERE colour = ?'
  expect(cache.prepare(sql)).toBe(cache.prepare(sql))
})

test('a kept statement sees what the schema has become', () => {
  const { cache, connection } = openCache()
  const sql = 'SELECT * FROM kites'
  connection.exec("INSERT INTO kites VALUES ('red')")
  expect(cache.prepare(sql).all()).toEqual([{ colour: 'red' }])
  connection.exec('ALTER TABLE kites ADD COLUMN tail INTEGER')
  expect(cache.prepare(sql).all()).toEqual([{ colour: 'red', tail: null }])
})

test('the one used least recently is forgotten, and long ones and settings are not kept', () => {
  const { cache } = openCache()
  const first = cache.prepare('SELECT 1')
  const second = cache.prepare('SELECT 2')
  for (let number = 3; number <= 200; number += 1) cache.prepare(`SELECT ${number}`)
  expect(cache.prepare('SELECT 1')).toBe(first)
  cache.prepare('SELECT 201')
  expect(cache.prepare('SELECT 1')).toBe(first)
  expect(cache.prepare('SELECT 2')).not.toBe(second)
  for (const sql of [`SELECT '${'x'.repeat(10_000)}'`, 'PRAGMA data_version']) {
    expect(cache.prepare(sql)).not.toBe(cache.prepare(sql))
  }
})
