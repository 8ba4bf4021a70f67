import { setTimeout as pause } from 'node:timers/promises'
import type { AppError } from '../../errors/app-error.ts'
import { isStorageError } from '../../errors/app-error.ts'

/** The first and the longest pause between two attempts, in milliseconds. */
const pauseMin = 250
const pauseMax = 15_000

interface Waiting {
  /** Milliseconds after which the fault is thrown after all. */
  readonly patience: number
  /** Ends the waiting; its reason is thrown. */
  readonly signal: AbortSignal
  /** Told of the first fault, for the log. */
  readonly failed: (fault: AppError) => void
}

/** Repeats what the disk or the database refuses until it succeeds. */
export async function retryStorage<Result>(
  attempt: () => Promise<Result>,
  { patience, signal, failed }: Waiting,
): Promise<Result> {
  const deadline = performance.now() + patience
  for (let wait = pauseMin; ; wait = Math.min(wait * 2, pauseMax)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isStorageError(error) || performance.now() + wait > deadline) throw error
      if (wait === pauseMin) failed(error)
    }
    await passed(wait, signal)
  }
}

/** Waits; rejects with the signal's own reason, which a timer would wrap. */
async function passed(wait: number, signal: AbortSignal): Promise<void> {
  await pause(wait, undefined, { signal }).catch(() => signal.throwIfAborted())
}
