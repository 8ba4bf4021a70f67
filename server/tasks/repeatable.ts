/** Combines concurrent calls: those that arrive while work runs wait for its next run. Failures reach the calls of their run only. */
export function oncePerBatch<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  let next: Promise<Result> | null = null
  function start(): Promise<Result> {
    next = null
    const run = work().finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }
  return () => (running ? (next ??= running.then(start, start)) : start())
}

/** Work that runs once at a time, and once more if it was requested while it ran. */
export class Repeatable {
  /** Resolves when the work has run completely after the call. */
  readonly run: () => Promise<void>
  #latest = Promise.resolve()

  /** @param onError called with errors of the work, which callers do not get */
  constructor(work: () => Promise<void>, onError: (error: unknown) => void) {
    const run = oncePerBatch(() => work().catch(onError))
    this.run = () => (this.#latest = run())
  }

  /** Resolves when the work does not run. */
  async idle(): Promise<void> {
    await this.#latest
  }
}
