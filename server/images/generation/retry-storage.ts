import { setTimeout as pause } from 'node:timers/promises'
import type { AppError } from '../../errors/app-error.ts'
import { isStorageError } from '../../errors/app-error.ts'

/** First and longest pause between two attempts, in milliseconds. */
const pauseMin = 250
const pauseMax = 15_000

interface RetryOptions {
  /** Time after which the error is thrown. */
  readonly timeoutMs: number
  /** Ends the retries; its reason is thrown. */
  readonly signal: AbortSignal
  /** Called with the first error. */
  readonly onFirstError: (error: AppError) => void
}

/** Retries an operation of the disk or the database until it succeeds. Other errors are thrown at once. */
export async function retryStorage<Result>(
  attempt: () => Promise<Result>,
  { timeoutMs, signal, onFirstError }: RetryOptions,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (let wait = pauseMin; ; wait = Math.min(wait * 2, pauseMax)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isStorageError(error) || performance.now() + wait > deadline) throw error
      if (wait === pauseMin) onFirstError(error)
    }
    await passed(wait, signal)
  }
}

/** Waits; rejects with the signal's own reason, which a timer would wrap. */
async function passed(wait: number, signal: AbortSignal): Promise<void> {
  await pause(wait, undefined, { signal }).catch(() => signal.throwIfAborted())
}
