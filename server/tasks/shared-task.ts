import { AppError } from '../errors/app-error.ts'

/** Creates the error of work whose caller has disconnected. It is neither sent nor logged. */
export function abandoned(): AppError {
  return new AppError('canceled', 'The request was abandoned.')
}

/** @throws AppError `canceled` if the signal is aborted */
export function throwIfAbandoned(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abandoned()
}

/** Work that several callers share. It is aborted when the last of them has disconnected. */
export class SharedTask<Result> {
  /** The result, for code that does not count as a waiting caller. */
  readonly result: Promise<Result>
  readonly #controller = new AbortController()
  #waiting = 0
  #isSettled = false

  /** @param work starts at once; its signal is aborted when no caller waits any more */
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

  /** True if all callers disconnected before the end; such a task must not be joined. */
  get isAbandoned(): boolean {
    return this.#controller.signal.aborted
  }

  /** Waits for the result until the caller disconnects. @throws AppError `canceled` then */
  async join(signal?: AbortSignal): Promise<Result> {
    this.#waiting += 1
    try {
      return await (signal ? untilAborted(this.result, signal) : this.result)
    } catch (error) {
      throwIfAbandoned(signal)
      throw error
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0 && !this.#isSettled) this.#controller.abort()
    }
  }
}

/**
 * Creates a timeout for `AbortSignal.any`. Node.js 20 collects one to which only a combination refers, and the combination is
 * never aborted; it keeps one with a listener.
 *
 * @see https://github.com/nodejs/node/issues/54614
 */
export function timeoutSignal(milliseconds: number): AbortSignal {
  const signal = AbortSignal.timeout(milliseconds)
  signal.addEventListener('abort', () => {})
  return signal
}

/** Waits for a promise until a signal is aborted; the work continues. @throws the reason of the signal */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([aborted, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Waits for work until a time limit, and then calls `late` instead. The work continues. */
export function within<Result, Late>(
  timeoutMs: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs))).then(late)
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
