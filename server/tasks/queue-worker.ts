import { Repeatable } from './repeatable.ts'

/** Interval between two checks for entries that are due, in milliseconds. */
const usualCheckMs = 1_000

interface QueueWorkerOptions<Entry> {
  readonly maxConcurrent: number
  /** Claims the next due entry by a lease; null if none is due. */
  readonly claim: (processed: readonly Entry[]) => Promise<Entry | null>
  /**
   * Processes a claimed entry until the process can't wait any longer, and records the outcome. Never throws. With
   * `pause`, no other is claimed before the next check.
   */
  readonly process: (entry: Entry, signal: AbortSignal) => Promise<'pause' | void>
  /** Called with errors of `claim`, which is repeated by the next check. */
  readonly onError: (error: unknown) => void
  readonly onStopped?: () => void
}

/** Pause after the first failed attempt, doubled with each further one up to the longest. */
const firstRetryMs = 30_000
const longestRetryMs = 60 * 60_000

/** Returns the pause after a number of failed attempts, in milliseconds. */
export function retryPauseMs(attempts: number): number {
  return Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs)
}

/** Returns the users that occur at least `max` times. */
export function usersWith(max: number, userIds: readonly string[]): readonly string[] {
  return [...new Set(userIds)].filter((id) => userIds.filter((other) => other === id).length >= max)
}

/** Work of a process that lasts as long as the process. */
export type Worker = Pick<QueueWorker<never>, 'start' | 'stop'>

/** Processes the entries of a queue in the database. Several processes can do so for one queue. */
export class QueueWorker<Entry> {
  readonly #options: QueueWorkerOptions<Entry>
  readonly #checking: Repeatable
  readonly #processing = new Map<Entry, Promise<void>>()
  readonly #shutdown = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #isPaused = false
  #isStopping = false

  constructor(options: QueueWorkerOptions<Entry>) {
    this.#options = options
    this.#checking = new Repeatable(() => this.#processDue(), options.onError)
  }

  /** Processes entries from now on. */
  start(checkMs = usualCheckMs): void {
    const check = () => {
      this.#isPaused = false
      void this.#checking.run()
    }
    this.#timer = setInterval(check, checkMs).unref()
    check()
  }

  /** Waits up to `timeoutSeconds` for the entries that are being processed. */
  async stop(timeoutSeconds: number): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    const timer = setTimeout(() => this.#shutdown.abort(), timeoutSeconds * 1_000)
    await this.#checking.idle()
    await Promise.all(this.#processing.values())
    clearTimeout(timer)
    this.#options.onStopped?.()
  }

  async #processDue(): Promise<void> {
    const { claim, maxConcurrent } = this.#options
    while (!this.#isStopping && !this.#isPaused && this.#processing.size < maxConcurrent) {
      const entry = await claim([...this.#processing.keys()])
      if (entry === null) return
      this.#processing.set(entry, this.#process(entry))
    }
  }

  async #process(entry: Entry): Promise<void> {
    const result = await this.#options.process(entry, this.#shutdown.signal)
    this.#processing.delete(entry)
    if (result === 'pause') this.#isPaused = true
    else if (!this.#isStopping) void this.#checking.run()
  }
}
