import { abandoned } from './shared-task.ts'

interface WaitOptions {
  /** True for work that starts before all work that is not urgent. */
  readonly isUrgent?: boolean
  /** Time that the work waits; no limit by default. */
  readonly timeoutMs?: number | undefined
  /** Creates the error after that time. */
  readonly createError?: () => Error
  /** Ends the waiting, with AppError `canceled`. */
  readonly signal?: AbortSignal | undefined
}

/** Limits how much work runs at the same time. The rest waits, in order of arrival. */
export class Semaphore {
  readonly #limit: number
  readonly #urgent = new Set<() => void>()
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get running(): number {
    return this.#running
  }

  /** Number of waiting work that is not urgent. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Waits for its turn, and returns a function that ends it, to be called once. */
  async acquire(options: WaitOptions = {}): Promise<() => void> {
    if (this.#running < this.#limit) this.#running += 1
    else await this.#wait(options)
    return () => this.#release()
  }

  async run<Result>(work: () => Promise<Result>, options?: WaitOptions): Promise<Result> {
    const release = await this.acquire(options)
    try {
      return await work()
    } finally {
      release()
    }
  }

  async #wait({ isUrgent, timeoutMs, createError = abandoned, signal }: WaitOptions): Promise<void> {
    const queue = isUrgent ? this.#urgent : this.#waiting
    let leave: (error: Error) => void = () => {}
    const started = new Promise<void>((resolve, reject) => {
      queue.add(resolve)
      leave = (error) => {
        queue.delete(resolve)
        reject(error)
      }
    })
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => leave(createError()), timeoutMs)
    const cancel = () => leave(abandoned())
    signal?.addEventListener('abort', cancel, { once: true })
    await started.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    })
  }

  /** Passes the turn on to the work that has waited longest. */
  #release(): void {
    const [next] = this.#urgent.size > 0 ? this.#urgent : this.#waiting
    if (!next) {
      this.#running -= 1
      return
    }
    this.#urgent.delete(next)
    this.#waiting.delete(next)
    next()
  }
}
