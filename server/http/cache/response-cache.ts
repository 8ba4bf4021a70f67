import { SharedTask } from '../../tasks/shared-task.ts'
import type { Representation } from './representation.ts'

/** The most that is kept, in bytes before compression. */
const capacity = 16 * 1_024 * 1_024

/**
 * In bytes: more than a page of the gallery ever has, and less than a list of a thousand long prompts. `pageTextBytes`
 * bounds the texts of a page to 192 KB, but as HTML and as JSON one character may take ten bytes.
 */
const maxEntryBytes = 1.5 * 1_024 * 1_024

/** What an entry takes beside its body, in bytes; a great many small ones count as well. */
const overhead = 2 * 1_024

/**
 * Answers that hold for one version of the database. A request for one that is being made waits for it, so that a
 * change has it made once, however many ask. Making it ends when all of them have left.
 */
export class ResponseCache {
  #version: number | null = null
  #answers = new Map<string, SharedTask<Representation | null>>()
  #size = 0

  /**
   * Returns the answer for `key`, made by `make` where none is kept; null where there is nothing that may be kept.
   *
   * @param left the signal that the client has left, for which it is only asked where there is something to wait for
   * @throws AppError `cancelled` when the client has left
   */
  get(
    version: number,
    key: string,
    left: () => AbortSignal,
    make: (whileWanted: AbortSignal) => Promise<Representation | null>,
  ): Promise<Representation | null> {
    if (version !== this.#version) this.#forget()
    this.#version = version
    const kept = this.#answers.get(key)
    if (kept && !kept.isAbandoned) return kept.isSettled ? kept.result : kept.join(left())

    const task = new SharedTask(make)
    void this.#keep(this.#answers.set(key, task), key, task)
    return task.join(left())
  }

  /** Drops a task that ended without an answer to keep; those who wait for it are told of a failure. */
  async #keep(
    answers: Map<string, SharedTask<Representation | null>>,
    key: string,
    task: SharedTask<Representation | null>,
  ): Promise<void> {
    const made = await task.result.catch(() => null)
    if (made && made.body.byteLength <= maxEntryBytes) {
      if (answers === this.#answers) this.#count(overhead + key.length + made.body.byteLength)
    } else if (answers.get(key) === task) {
      answers.delete(key)
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
