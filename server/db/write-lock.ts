import { waitedTooLong } from './sqlite-error.ts'

/** Gives the lock back; may be called once. */
export type Release = () => void

/** Lets one writer of this process at a time to the database, in the order they came. */
export class WriteLock {
  #isHeld = false
  readonly #waiting: (() => void)[] = []

  /**
   * Waits for the lock, at the latest until `deadline` (of `performance.now()`).
   *
   * @throws AppError `storage_unavailable`
   */
  take(deadline: number): Promise<Release> {
    if (!this.#isHeld) {
      this.#isHeld = true
      return Promise.resolve(() => this.#pass())
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve(() => this.#pass())
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(waitedTooLong())
      }, deadline - performance.now())
      this.#waiting.push(enter)
    })
  }

  #pass(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isHeld = false
  }
}
