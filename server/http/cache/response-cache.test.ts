import { expect, test } from 'vitest'
import { ResponseCache } from './response-cache.ts'
import { Representation } from './representation.ts'

const staying = () => new AbortController().signal
const answer = new Representation(new Uint8Array([1]), {})

/** Something to make that takes until the test says so. */
function slowMake() {
  const signals: AbortSignal[] = []
  const ends: ((made: Representation | null) => void)[] = []
  const make = (whileWanted: AbortSignal) => {
    signals.push(whileWanted)
    return new Promise<Representation | null>((resolve) => ends.push(resolve))
  }
  return { make, signals, ends }
}

test('goes on making an answer for others when the one who asked first has left', async () => {
  const kept = new ResponseCache()
  const { make, signals, ends } = slowMake()
  const first = new AbortController()
  const left = kept.get(1, 'key', () => first.signal, make)
  const waiting = kept.get(1, 'key', staying, make)
  first.abort('gone')
  await expect(left).rejects.toMatchObject({ code: 'canceled' })
  ends[0]?.(answer)
  expect(await waiting).toBe(answer)
  expect(await kept.get(1, 'key', staying, make)).toBe(answer)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('stops making an answer when everyone has left, and makes it again for the next', async () => {
  const kept = new ResponseCache()
  const { make, signals, ends } = slowMake()
  const leaving = new AbortController()
  const left = kept.get(1, 'key', () => leaving.signal, make)
  leaving.abort('gone')
  await expect(left).rejects.toMatchObject({ code: 'canceled' })
  const next = kept.get(1, 'key', staying, make)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  // What the abandoned one ends with is nobody's answer.
  ends[0]?.(null)
  ends[1]?.(answer)
  expect(await next).toBe(answer)
  expect(await kept.get(1, 'key', staying, make)).toBe(answer)
  expect(signals).toHaveLength(2)
})
