import { expect, onTestFinished, test, vi } from 'vitest'
import { createGate } from '../../test/support/gate.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { openDatabaseFile, type Database } from './open-database.ts'
import { afterCommit, inTransaction } from './transaction.ts'

async function open() {
  const db = await openDatabaseFile(`${await tempFolder()}/rangoli.db`)
  onTestFinished(() => db.destroy())
  return { db, log: { error: vi.fn() } }
}

const setBytes = (db: Database, bytes: number) => db.updateTable('bucket_usage').set({ bytes }).execute()
const readBytes = async (db: Database) =>
  (await db.selectFrom('bucket_usage').select('bytes').executeTakeFirstOrThrow()).bytes

test('runs work after the commit, before the caller goes on', async () => {
  const { db, log } = await open()
  const seen: number[] = []
  const result = await inTransaction(db, async (transaction) => {
    await setBytes(transaction, 5)
    afterCommit(transaction, log, 'looking', async () => void seen.push(await readBytes(db)))
    expect(seen).toEqual([])
    return 'done'
  })
  expect([result, seen]).toEqual(['done', [5]])
})

test('runs no work after a transaction that failed', async () => {
  const { db, log } = await open()
  const work = vi.fn(() => Promise.resolve())
  const failure = new Error('The work failed.')
  const run = inTransaction(db, (transaction) => {
    afterCommit(transaction, log, 'nothing', work)
    return Promise.reject(failure)
  })
  await expect(run).rejects.toBe(failure)
  expect(work).not.toHaveBeenCalled()
})

test('runs the work of the last attempt only if another transaction was preferred', async () => {
  const { db, log } = await open()
  const attempts: number[] = []
  let attempt = 0
  await inTransaction(db, (transaction) => {
    const current = (attempt += 1)
    afterCommit(transaction, log, 'counting', () => Promise.resolve(void attempts.push(current)))
    const conflict = Object.assign(new Error('A conflict.'), { code: '40001' })
    return current === 1 ? Promise.reject(conflict) : Promise.resolve()
  })
  expect(attempts).toEqual([2])
})

test.each([
  ['rejects', () => Promise.reject(new Error('The disk failed.'))],
  [
    'throws',
    () => {
      throw new Error('The disk failed.')
    },
  ],
])('logs the error of work that %s, and runs the other work', async (_, fail) => {
  const { db, log } = await open()
  const other = vi.fn(() => Promise.resolve())
  await inTransaction(db, (transaction) => {
    afterCommit(transaction, log, 'removing files', fail)
    afterCommit(transaction, log, 'other work', other)
    return setBytes(transaction, 7)
  })
  expect(await readBytes(db)).toBe(7)
  expect(other).toHaveBeenCalledOnce()
  expect(log.error.mock.calls).toEqual([[{ err: new Error('The disk failed.') }, 'removing files failed']])
})

test.each([
  ['after five seconds', {}, 5_000],
  ['at once if it asks for that', { isAwaited: false }, 0],
])('lets the caller go on %s', async (_, options, timeoutMs) => {
  const { db, log } = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const gate = createGate()
  const ended = vi.fn()
  const started = createGate()
  const running = inTransaction(db, (transaction) => {
    const work = async () => {
      started.open()
      await gate.opened
    }
    afterCommit(transaction, log, 'slow work', work, options)
    return setBytes(transaction, 1)
  }).then(ended)
  await started.opened
  if (timeoutMs > 0) {
    await vi.advanceTimersByTimeAsync(timeoutMs - 1)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
  }
  await running
  gate.open()
})
