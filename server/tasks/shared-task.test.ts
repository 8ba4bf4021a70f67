import { expect, test } from 'vitest'
import { SharedTask } from './shared-task.ts'

function startTask() {
  let end: { resolve: (result: string) => void; reject: (error: Error) => void } | undefined
  let signal: AbortSignal | undefined
  const task = new SharedTask<string>((given) => {
    signal = given
    return new Promise((resolve, reject) => {
      end = { resolve, reject }
    })
  })
  return {
    task,
    resolve: (result: string) => end?.resolve(result),
    reject: (error: Error) => end?.reject(error),
    isAborted: () => signal?.aborted,
  }
}

test('returns its result to all waiting callers', async () => {
  const { task, resolve, isAborted } = startTask()
  const results = [task.join(), task.join(new AbortController().signal)]
  resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done'])
  expect(await task.join()).toBe('done')
  expect([task.isSettled, task.isAbandoned, isAborted()]).toEqual([true, false, false])
})

test('continues while a caller waits and is aborted when the last one disconnects', async () => {
  const { task, isAborted } = startTask()
  const [one, two] = [new AbortController(), new AbortController()]
  const waiting = [task.join(one.signal), task.join(two.signal)]
  one.abort('gone')
  await expect(waiting[0]).rejects.toMatchObject({ code: 'canceled' })
  expect(isAborted()).toBe(false)
  two.abort('gone')
  await expect(waiting[1]).rejects.toMatchObject({ code: 'canceled' })
  expect([task.isAbandoned, isAborted()]).toEqual([true, true])
})

test('is aborted if its only caller disconnected before it started', async () => {
  const { task, isAborted } = startTask()
  await expect(task.join(AbortSignal.abort('gone'))).rejects.toMatchObject({ code: 'canceled' })
  expect(isAborted()).toBe(true)
})

test('throws its error to all waiting callers', async () => {
  const { task, reject } = startTask()
  const waiting = [task.join(), task.join()]
  reject(new Error('The disk is gone.'))
  for (const one of waiting) await expect(one).rejects.toThrow('The disk is gone.')
  expect([task.isSettled, task.isAbandoned]).toEqual([true, false])
})
