import { abandoned, throwIfAbandoned } from '../errors/abandoned.ts'

/** Work that several callers wait for. It is abandoned when the last of them has left. */
export class SharedTask<Result> {
  /** The result, for whoever does not count as waiting for it. */
  readonly result: Promise<Result>
  readonly #controller = new AbortController()
  #waiting = 0
  #isSettled = false

  /** @param work begins at once; its signal is aborted when nobody waits any more */
  constructor(work: (signal: AbortSignal) => Promise<Result>) {
    this.result = work(this.#controller.signal)
    const settle = () => {
      this.#isSettled = true
    }
    this.result.then(settle, settle)
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Whether all who waited left before the end; such a task must not be joined. */
  get isAbandoned(): boolean {
    return this.#controller.signal.aborted
  }

  /**
   * Waits for the result until the caller leaves.
   *
   * @throws AppError `cancelled` when `signal` is aborted first
   */
  async join(signal?: AbortSignal): Promise<Result> {
    this.#waiting += 1
    let leave: (() => void) | undefined
    try {
      throwIfAbandoned(signal)
      const left = new Promise<never>((_, reject) => {
        leave = () => reject(abandoned())
        signal?.addEventListener('abort', leave)
      })
      return await Promise.race([this.result, left])
    } finally {
      if (leave) signal?.removeEventListener('abort', leave)
      this.#waiting -= 1
      if (this.#waiting === 0 && !this.#isSettled) this.#controller.abort()
    }
  }
}
