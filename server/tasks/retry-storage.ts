import { setTimeout as pause } from 'node:timers/promises'
import { isStorageError, type AppError } from '../errors/app-error.ts'

/** First and longest pause between two attempts, in milliseconds. */
const pauseMin = 250
const pauseMax = 15_000

interface RetryOptions {
  /** Time after which the last error is thrown. */
  readonly timeoutMs: number
  /** Ends the retries; its reason is thrown. */
  readonly signal: AbortSignal
  readonly onFirstError: (error: AppError) => void
}

/**
 * Retries an operation while storage fails.
 * @throws other errors at once; the last one after `timeoutMs`; the reason of `signal`
 */
export async function retryStorage<Result>(
  attempt: () => Promise<Result>,
  { timeoutMs, signal, onFirstError }: RetryOptions,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (let pauseMs = pauseMin; ; pauseMs = Math.min(pauseMs * 2, pauseMax)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isStorageError(error) || performance.now() + pauseMs > deadline) throw error
      if (pauseMs === pauseMin) onFirstError(error)
    }
    // Its AbortError wraps the reason of the signal.
    await pause(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
