import type { Representation } from './representation.ts'

/** The most that is kept, in bytes before compression. */
const capacity = 16 * 1_024 * 1_024

/** More than a page of the gallery ever has, and less than a list of a thousand long prompts. */
const largestKept = 1_024 * 1_024

/** What an entry takes beside its body, in bytes; a great many small ones count as well. */
const overhead = 2 * 1_024

/**
 * Answers that hold for one version of the database. Who asks for one that is being made waits for it, so that a
 * change has it made once, however many ask.
 */
export class KeptAnswers {
  #version: number | null = null
  #answers = new Map<string, Promise<Representation | null>>()
  #size = 0

  /** The answer for `key`, made by `make` where none is kept; null where there is nothing that may be kept. */
  async get(
    version: number,
    key: string,
    make: () => Promise<Representation | null>,
  ): Promise<Representation | null> {
    if (version !== this.#version) this.#forget()
    this.#version = version
    const kept = this.#answers.get(key)
    if (kept) return kept

    const answers = this.#answers
    const making = make()
    answers.set(key, making)
    try {
      const made = await making
      if (!made || made.body.byteLength > largestKept) answers.delete(key)
      else if (answers === this.#answers) this.#count(overhead + key.length + made.body.byteLength)
      return made
    } catch (error) {
      answers.delete(key)
      throw error
    }
  }

  #count(size: number): void {
    this.#size += size
    // All at once, which is simple: what is asked for often is soon there again.
    if (this.#size > capacity) this.#forget()
  }

  #forget(): void {
    this.#answers = new Map()
    this.#size = 0
  }
}
