import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGate } from '../../test/support/gate.ts'
import { createSearchQueue, createUploadQueue, type KeyedQueue } from './keyed-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Runs everything that is due without a timer. */
const settle = () => vi.advanceTimersByTimeAsync(0)

/** Starts work that runs until `finish` is called. */
function start(queue: KeyedQueue, key = 'here', signal?: AbortSignal) {
  const gate = createGate()
  let isRunning = false
  const ended = queue.run(key, signal, async () => {
    isRunning = true
    await gate.opened
  })
  ended.catch(() => {})
  async function finish() {
    gate.open()
    await settle()
  }
  return { ended, finish, isRunning: () => isRunning }
}

const empty = { running: 0, waiting: 0, keys: 0 }

test('runs a limited number of searches per network, first in, first out', async () => {
  const queue = createSearchQueue({ running: 2, waiting: 10 })
  const work = [1, 2, 3, 4].map(() => start(queue))
  const [first, second, third, fourth] = work
  const elsewhere = start(queue, 'elsewhere')
  const running = () => work.map(({ isRunning }) => isRunning())
  await settle()
  expect([...running(), elsewhere.isRunning()]).toEqual([true, true, false, false, true])
  expect(queue.load).toEqual({ running: 3, waiting: 2, keys: 2 })
  await second?.finish()
  expect(running()).toEqual([true, true, true, false])
  await third?.finish()
  expect(running()).toEqual([true, true, true, true])
  for (const one of [first, fourth, elsewhere]) await one?.finish()
  expect(queue.load).toEqual(empty)
})

test('rejects a search if too many of its network wait, without those that were abandoned', async () => {
  const queue = createSearchQueue({ running: 1, waiting: 1 })
  const leaving = new AbortController()
  const [first, left] = [start(queue), start(queue, 'here', leaving.signal)]
  await expect(start(queue).ended).rejects.toMatchObject({ code: 'busy', retryAfter: 2 })
  leaving.abort('gone')
  const next = start(queue)
  await first.finish()
  for (const gone of [left, start(queue, 'here', leaving.signal)])
    await expect(gone.ended).rejects.toMatchObject({ code: 'canceled' })
  expect([left.isRunning(), next.isRunning()]).toEqual([false, true])
  await next.finish()
  expect(queue.load).toEqual(empty)
})

test('starts the next work after one has failed', async () => {
  const queue = createUploadQueue()
  const failing = queue.run('here', undefined, () => Promise.reject(new Error('The disk is gone.')))
  const next = start(queue)
  await expect(failing).rejects.toThrow('The disk is gone.')
  await settle()
  expect(next.isRunning()).toBe(true)
})

const tooMany = {
  code: 'too_many_unfinished',
  retryAfter: 10,
  message: 'Too many of your images are being processed at once. Try again in 10 seconds.',
}

test('rejects an upload after 10 seconds in the queue and continues with the next', async () => {
  const queue = createUploadQueue()
  const [first, second] = [start(queue), start(queue)]
  await vi.advanceTimersByTimeAsync(5_000)
  const third = start(queue)
  await vi.advanceTimersByTimeAsync(4_999)
  await first.finish()
  expect(second.isRunning()).toBe(true)
  await vi.advanceTimersByTimeAsync(5_001)
  await expect(third.ended).rejects.toMatchObject(tooMany)
  await second.finish()
  const next = start(queue)
  await settle()
  expect([third.isRunning(), next.isRunning()]).toEqual([false, true])
  await next.finish()
  expect([queue.load, vi.getTimerCount()]).toEqual([empty, 0])
})

test('queues at most eight uploads of a user and 32 of all, and still runs the first one of each', async () => {
  const queue = createUploadQueue()
  const users = ['asha', 'ravi', 'meera', 'kamala']
  const own = Array.from({ length: 9 }, () => start(queue, 'asha'))
  await expect(start(queue, 'asha').ended).rejects.toMatchObject(tooMany)
  for (const user of users.slice(1)) for (let upload = 0; upload < 9; upload += 1) start(queue, user)
  const late = [start(queue, 'omar'), start(queue, 'omar')]
  await expect(late[1]?.ended).rejects.toMatchObject(tooMany)
  expect(late[0]?.isRunning()).toBe(true)
  for (const upload of own) {
    await settle()
    expect(upload.isRunning()).toBe(true)
    await upload.finish()
  }
})
