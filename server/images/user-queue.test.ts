import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGate } from '../../test/support/gate.ts'
import { UserQueue } from './upload-image.ts'

const tooMany = {
  code: 'too_many_unfinished',
  retryAfter: 10,
  message: 'Another upload of yours is still being processed. Try again in 10 seconds.',
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Runs everything that is due without a timer. */
const settle = () => vi.advanceTimersByTimeAsync(0)

/** Starts work that runs until `finish` is called. */
function start(queue: UserQueue, userId: string) {
  const gate = createGate()
  let isRunning = false
  const ended = queue.run(userId, async () => {
    isRunning = true
    await gate.opened
  })
  ended.catch(() => {})
  return { ended, finish: gate.open, isRunning: () => isRunning }
}

test('runs one upload per user at a time, in order of arrival, in parallel with other users', async () => {
  const queue = new UserQueue()
  const [first, second, third] = [start(queue, 'asha'), start(queue, 'asha'), start(queue, 'asha')]
  const other = start(queue, 'ravi')
  const running = () => [first, second, third, other].map(({ isRunning }) => isRunning())
  await settle()
  expect(running()).toEqual([true, false, false, true])
  first.finish()
  await settle()
  expect(running()).toEqual([true, true, false, true])
  second.finish()
  await settle()
  expect(running()).toEqual([true, true, true, true])
})

test('rejects an upload after 10 seconds in the queue and continues with the next', async () => {
  const queue = new UserQueue()
  const first = start(queue, 'asha')
  const second = start(queue, 'asha')
  await vi.advanceTimersByTimeAsync(5_000)
  const third = start(queue, 'asha')
  await vi.advanceTimersByTimeAsync(4_999)
  first.finish()
  await settle()
  expect(second.isRunning()).toBe(true)
  await vi.advanceTimersByTimeAsync(5_001)
  await expect(third.ended).rejects.toMatchObject(tooMany)
  second.finish()
  await settle()
  expect(third.isRunning()).toBe(false)
  const next = start(queue, 'asha')
  await settle()
  expect(next.isRunning()).toBe(true)
})

test('runs the next upload when one fails', async () => {
  const queue = new UserQueue()
  const failing = queue.run('asha', () => Promise.reject(new Error('out of paint')))
  const next = start(queue, 'asha')
  await expect(failing).rejects.toThrow('out of paint')
  await settle()
  expect(next.isRunning()).toBe(true)
})

test('rejects a ninth waiting upload of one user at once, but not those of other users', async () => {
  const queue = new UserQueue()
  const own = Array.from({ length: 9 }, () => start(queue, 'asha'))
  const tenth = start(queue, 'asha')
  await expect(tenth.ended).rejects.toMatchObject(tooMany)
  const [other, waitingOther] = [start(queue, 'ravi'), start(queue, 'ravi')]
  for (const upload of [...own, other, waitingOther]) {
    await settle()
    expect(upload.isRunning()).toBe(true)
    upload.finish()
  }
})

test('queues at most 32 uploads of all users and still runs the first one of each user', async () => {
  const queue = new UserQueue()
  const users = ['asha', 'ravi', 'meera', 'kamala']
  for (const user of users) for (let upload = 0; upload < 9; upload += 1) start(queue, user)
  const late = [start(queue, 'omar'), start(queue, 'omar')]
  await expect(late[1]?.ended).rejects.toMatchObject(tooMany)
  expect(late[0]?.isRunning()).toBe(true)
})

test('forgets users whose uploads have ended, were rejected or failed', async () => {
  const queue = new UserQueue()
  const held = start(queue, 'asha')
  for (let upload = 0; upload < 20; upload += 1) start(queue, 'asha')
  for (let user = 0; user < 1_000; user += 1) start(queue, `user ${user}`).finish()
  const failing = queue.run('ravi', () => Promise.reject(new Error('out of paint')))
  await expect(failing).rejects.toThrow('out of paint')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(queue.users).toBe(1)
  held.finish()
  await held.ended
  expect(queue.users).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
