import { describe, expect, test } from 'vitest'
import { createGate } from '../../test/support/gate.ts'
import { eventually } from '../../test/support/generations.ts'
import { oncePerBatch } from '../tasks/repeatable.ts'
import { inTime } from './content-version.ts'

describe('oncePerBatch', () => {
  test('runs once for calls that wait, and again for calls that arrive meanwhile', async () => {
    const gates = [createGate(), createGate(), createGate()]
    let runs = 0
    const read = oncePerBatch(async () => {
      const run = (runs += 1)
      await gates[run - 1]?.opened
      return run
    })
    const first = read()
    const second = [read(), read(), read()]
    expect(runs).toBe(1)
    gates[0]?.open()
    expect(await first).toBe(1)
    await eventually(() => runs).toBe(2)
    const third = [read(), read()]
    gates[1]?.open()
    expect(await Promise.all(second)).toEqual([2, 2, 2])
    gates[2]?.open()
    expect(await Promise.all(third)).toEqual([3, 3])
    expect(await read()).toBe(4)
  })

  test('fails only the calls of a batch that fails', async () => {
    let runs = 0
    const read = oncePerBatch(async () => {
      runs += 1
      if (runs <= 2) throw new Error(`run ${runs}`)
      return runs
    })
    const outcomes = await Promise.allSettled([read(), read(), read()])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
      'Error: run 1',
      'Error: run 2',
      'Error: run 2',
    ])
    expect(await read()).toBe(3)
  })

  test('fails with Retry-After when the database does not answer, and asks again for the next call', async () => {
    let runs = 0
    const answer = () => {
      runs += 1
      return runs === 1 ? new Promise<number>(() => {}) : Promise.resolve(runs)
    }
    const read = oncePerBatch(() => inTime(answer, 20))
    const waiting = [read(), read()]
    await expect(waiting[0]).rejects.toMatchObject({ code: 'storage_unavailable', retryAfter: 5 })
    expect(await waiting[1]).toBe(2)
  })
})
