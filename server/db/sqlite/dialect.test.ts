import SqliteDatabase from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StatementCache, WriteLock } from './dialect.ts'

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

describe('WriteLock', () => {
  const soon = () => performance.now() + 10_000

  test('admits one writer at a time, in order of arrival', async () => {
    const lock = new WriteLock()
    const order: number[] = []
    let inside = 0
    await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const release = await lock.acquire(soon())
        inside += 1
        expect(inside).toBe(1)
        order.push(number)
        await Promise.resolve()
        inside -= 1
        release()
      }),
    )
    expect(order).toEqual([1, 2, 3, 4])
  })

  test('rejects a writer at its deadline and does not admit it later', async () => {
    const lock = new WriteLock()
    const release = await lock.acquire(soon())
    await expect(lock.acquire(performance.now() + 20)).rejects.toMatchObject({
      code: 'storage_unavailable',
      retryAfter: 5,
    })
    const next = lock.acquire(soon())
    release()
    ;(await next)()
    ;(await lock.acquire(soon()))()
  })
})
