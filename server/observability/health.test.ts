import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Readiness } from './health.ts'

const log = pino({ level: 'silent' })
const works = () => Promise.resolve()

beforeEach(() => {
  vi.useFakeTimers()
  // lru-cache takes a start at 0 for none.
  vi.advanceTimersByTime(1)
})
afterEach(() => void vi.useRealTimers())

test('checks each part at most once a second', async () => {
  const database = vi.fn(works)
  const readiness = new Readiness(log, { database, uploads: works })
  const crowd = () => Promise.all(Array.from({ length: 500 }, () => readiness.reasons()))
  expect(new Set((await crowd()).map((because) => because.join()))).toEqual(new Set(['']))
  await crowd()
  expect(database).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1_001)
  await crowd()
  expect(database).toHaveBeenCalledTimes(2)
})

test('times out after two seconds, and does not repeat a check that hangs', async () => {
  let answer = () => {}
  const database = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)))
  const readiness = new Readiness(log, { database, uploads: works })
  for (let second = 0; second < 10; second += 1) {
    const checks = Promise.all([readiness.reasons(), readiness.reasons()])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await checks).toEqual([['database'], ['database']])
    vi.advanceTimersByTime(1_001)
  }
  expect(database).toHaveBeenCalledTimes(1)
  answer()
  await vi.advanceTimersByTimeAsync(0)
  database.mockImplementation(works)
  expect(await readiness.reasons()).toEqual([])
  // Not one of each check. What earlier files of the worker have left may set timers, too.
  expect(vi.getTimerCount()).toBeLessThan(10)
})

test('names a failing part, and logs its cause once', async () => {
  const lines: string[] = []
  const recordingLog = pino({ base: null }, { write: (line: string) => void lines.push(line) })
  const broken = { isSo: true }
  const uploads = () => (broken.isSo ? Promise.reject(new Error('The disk is gone.')) : works())
  const readiness = new Readiness(recordingLog, { database: works, uploads })
  for (let time = 0; time < 3; time += 1) {
    expect(await readiness.reasons()).toEqual(['uploads'])
    vi.advanceTimersByTime(1_001)
  }
  broken.isSo = false
  expect(await readiness.reasons()).toEqual([])
  expect(lines).toEqual([
    expect.stringContaining('The disk is gone.'),
    expect.stringContaining('the server is ready again'),
  ])
})
