import { expect, test } from 'vitest'
import { ResponseCache } from './public-reads.ts'
import { Representation } from './representation.ts'

const staying = () => new AbortController().signal
const response = new Representation(new Uint8Array([1]), {})

/** A renderer that resolves when the test calls `ends`. */
function slowRender() {
  const signals: AbortSignal[] = []
  const ends: ((made: Representation | null) => void)[] = []
  const make = (whileWanted: AbortSignal) => {
    signals.push(whileWanted)
    return new Promise<Representation | null>((resolve) => ends.push(resolve))
  }
  return { make, signals, ends }
}

test('continues rendering for others when the first client disconnects', async () => {
  const kept = new ResponseCache()
  const { make, signals, ends } = slowRender()
  const first = new AbortController()
  const left = kept.get('1', 'key', () => first.signal, make)
  const waiting = kept.get('1', 'key', staying, make)
  first.abort('gone')
  await expect(left).rejects.toMatchObject({ code: 'canceled' })
  ends[0]?.(response)
  expect(await waiting).toBe(response)
  expect(await kept.get('1', 'key', staying, make)).toBe(response)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('aborts rendering when all clients have disconnected, and renders again for the next', async () => {
  const kept = new ResponseCache()
  const { make, signals, ends } = slowRender()
  const leaving = new AbortController()
  const left = kept.get('1', 'key', () => leaving.signal, make)
  leaving.abort('gone')
  await expect(left).rejects.toMatchObject({ code: 'canceled' })
  const next = kept.get('1', 'key', staying, make)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  // The result of the aborted rendering is ignored.
  ends[0]?.(null)
  ends[1]?.(response)
  expect(await next).toBe(response)
  expect(await kept.get('1', 'key', staying, make)).toBe(response)
  expect(signals).toHaveLength(2)
})
