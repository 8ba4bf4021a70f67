/**
 * Names given in the last while, by a clock that nobody sets: a file's own time looks an hour old when the
 * system's clock is put forward by one.
 */
export class RecentNames {
  readonly #keptFor: number
  readonly #names = new Map<string, number>()

  /** @param keptFor milliseconds after which a name is forgotten */
  constructor(keptFor: number) {
    this.#keptFor = keptFor
  }

  add(name: string): void {
    const now = performance.now()
    for (const [earlier, givenAt] of this.#names) {
      if (givenAt > now - this.#keptFor) break
      this.#names.delete(earlier)
    }
    this.#names.set(name, now)
  }

  /** Whether a name was given within the last `age` milliseconds. */
  has(name: string, age: number): boolean {
    const givenAt = this.#names.get(name)
    return givenAt !== undefined && givenAt > performance.now() - age
  }
}
