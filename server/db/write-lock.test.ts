import { expect, test } from 'vitest'
import { WriteLock } from './write-lock.ts'

const soon = () => performance.now() + 10_000

test('lets one in at a time, in the order they came', async () => {
  const lock = new WriteLock()
  const order: number[] = []
  let inside = 0
  await Promise.all(
    [1, 2, 3, 4].map(async (number) => {
      const release = await lock.take(soon())
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

test('who waited too long is told so, and is not let in later', async () => {
  const lock = new WriteLock()
  const release = await lock.take(soon())
  await expect(lock.take(performance.now() + 20)).rejects.toMatchObject({
    code: 'storage_unavailable',
    retryAfter: 5,
  })
  const next = lock.take(soon())
  release()
  ;(await next)()
  ;(await lock.take(soon()))()
})
