import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import { throwIfAbandoned } from '../../errors/abandoned.ts'

/** One for the whole process: SQLite stops it while it works. */
const oneAtATime = pLimit(1)

/**
 * Runs a long statement when it is its turn, so that requests of every kind are answered between two of them.
 *
 * @throws AppError `cancelled` when the caller has left by then
 */
export function runInTurn<Result>(
  signal: AbortSignal | undefined,
  statement: () => Promise<Result>,
): Promise<Result> {
  return oneAtATime(() => {
    throwIfAbandoned(signal)
    return statement()
  })
}

/**
 * Rounds of the event loop after a long statement. Each accepts one new connection, so that a visitor's does not wait
 * behind a statement for each of the others that came at the same time. A round with nothing to do takes microseconds.
 */
const turnsBetween = 16

/** The same, after which everything else gets its turn in any case. */
export function runInTurnAlone<Result>(
  signal: AbortSignal | undefined,
  statement: () => Promise<Result>,
): Promise<Result> {
  return runInTurn(signal, async () => {
    const result = await statement()
    for (let turn = 0; turn < turnsBetween; turn += 1) await nextTurn()
    return result
  })
}
