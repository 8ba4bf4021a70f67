import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGenerationQueue } from './generation-queue.ts'

/** Creates a queue whose jobs the test ends, and records started and moved jobs. */
function openQueue(concurrency: number) {
  const ends = new Map<string, () => void>()
  const started: string[] = []
  const moves: string[] = []
  const queue = createGenerationQueue<string>(
    concurrency,
    (job) => {
      started.push(job)
      return new Promise((resolve) => ends.set(job, resolve))
    },
    (job, position) => moves.push(`${job} to ${position}`),
  )
  async function end(job: string): Promise<void> {
    ends.get(job)?.()
    await setImmediate()
  }
  return { queue, started, moves, end }
}

test('runs jobs in order, at most `concurrency` at once', async () => {
  const { queue, started, end } = openQueue(2)
  for (const job of ['a', 'b', 'c', 'd', 'e']) queue.add(job)
  expect(started).toEqual(['a', 'b'])
  expect(queue.waiting).toBe(3)
  await end('b')
  expect(started).toEqual(['a', 'b', 'c'])
  await end('a')
  await end('c')
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(queue.waiting).toBe(0)
})

test('reports the position of a waiting job, and each change', async () => {
  const { queue, moves, end } = openQueue(1)
  for (const job of ['a', 'b', 'c', 'd']) queue.add(job)
  expect(['a', 'b', 'c', 'd', 'x'].map((job) => queue.position(job))).toEqual([null, 0, 1, 2, null])
  expect(moves).toEqual([])
  await end('a')
  expect(moves).toEqual(['c to 0', 'd to 1'])
  expect(queue.position('b')).toBe(null)
})

test('never runs a withdrawn job, and moves up only the jobs behind it', async () => {
  const { queue, started, moves, end } = openQueue(1)
  for (const job of ['a', 'b', 'c', 'd']) queue.add(job)
  expect(queue.withdraw('c')).toBe(true)
  expect(moves).toEqual(['d to 1'])
  expect(queue.withdraw('c')).toBe(false)
  expect(queue.withdraw('a')).toBe(false)
  for (const job of ['a', 'b', 'd']) await end(job)
  expect(started).toEqual(['a', 'b', 'd'])
})

test('is idle when no job runs or waits, including jobs added while waiting', async () => {
  const { queue, end } = openQueue(1)
  await queue.idle()
  queue.add('a')
  queue.add('b')
  let idle = false
  const whenIdle = queue.idle().then(() => (idle = true))
  await end('a')
  queue.add('c')
  await end('b')
  expect(idle).toBe(false)
  await end('c')
  expect(await whenIdle).toBe(true)
})

test('runs all jobs if jobs end immediately', async () => {
  const started: number[] = []
  const queue = createGenerationQueue<number>(
    3,
    async (job) => void started.push(job),
    () => {},
  )
  for (let job = 0; job < 50; job += 1) queue.add(job)
  await queue.idle()
  expect(started).toEqual(Array.from({ length: 50 }, (_, job) => job))
})
