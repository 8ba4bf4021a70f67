/** Work that runs once at a time, and once more if it was requested while it ran. */
export class Repeatable {
  readonly #work: () => Promise<void>
  readonly #onError: (error: unknown) => void
  #isRequested = false
  #running: Promise<void> | null = null

  /** @param onError called with errors of the work, which callers do not get */
  constructor(work: () => Promise<void>, onError: (error: unknown) => void) {
    this.#work = work
    this.#onError = onError
  }

  /** Resolves when the work has run completely after this call. */
  run(): Promise<void> {
    this.#isRequested = true
    return (this.#running ??= this.#repeat())
  }

  /** Resolves when the work does not run. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #repeat(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false
      await this.#work().catch(this.#onError)
    }
    this.#running = null
  }
}
