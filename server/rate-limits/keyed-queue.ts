import { AppError, describedDetail } from '../errors/app-error.ts'
import { Semaphore } from '../tasks/semaphore.ts'
import { throwIfAbandoned } from '../tasks/shared-task.ts'
import { tooManyUploads, uploadRetrySeconds } from './body-budget.ts'

interface QueueOptions {
  /** Work of one key that runs at the same time. */
  readonly running: number
  /** Work of one key that waits. */
  readonly waiting: number
  /** Work of all keys that waits; no limit by default. */
  readonly waitingTotal?: number
  /** Time that work waits; no limit by default. */
  readonly timeoutMs?: number
  /** Creates the error of work that would exceed a limit of waiting. */
  readonly createError: () => AppError
}

/** Limits the running and waiting work of each key, in order of arrival. Keys without work take no memory. */
export class KeyedQueue {
  readonly #options: QueueOptions
  readonly #lines = new Map<string, Semaphore>()

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /** Work of all keys, and the number of these. */
  get load(): { readonly running: number; readonly waiting: number; readonly keys: number } {
    const lines = [...this.#lines.values()]
    return {
      running: lines.reduce((sum, line) => sum + line.running, 0),
      waiting: lines.reduce((sum, line) => sum + line.waiting, 0),
      keys: lines.length,
    }
  }

  /**
   * Runs work as soon as less than the limit of its key is running.
   * @throws AppError of `createError`; `canceled` if the signal is aborted
   */
  async run<Result>(
    key: string,
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    throwIfAbandoned(signal)
    const { running, waiting, waitingTotal = Infinity, timeoutMs, createError } = this.#options
    const line = this.#lines.get(key) ?? new Semaphore(running)
    const mustWait = line.running >= running
    if (mustWait && (line.waiting >= waiting || this.load.waiting >= waitingTotal)) throw createError()
    this.#lines.set(key, line)
    try {
      return await line.run(work, { signal, timeoutMs, createError })
    } finally {
      if (line.running === 0) this.#lines.delete(key)
    }
  }
}

/** Creates the queue of searches by client network. All that run share the database evenly. */
export function createSearchQueue(limits = { running: 4, waiting: 252 }): KeyedQueue {
  const createError = () => new AppError('busy', describedDetail('searches_busy'), { retryAfter: 2 })
  return new KeyedQueue({ ...limits, createError })
}

/** Creates the queue of uploads by user: one runs at a time. Those that wait hold their bytes in memory. */
export function createUploadQueue(limits = { waiting: 8, waitingTotal: 32 }): KeyedQueue {
  return new KeyedQueue({
    ...limits,
    running: 1,
    timeoutMs: uploadRetrySeconds * 1_000,
    createError: tooManyUploads,
  })
}
