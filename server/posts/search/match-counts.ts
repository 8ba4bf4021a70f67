import type { Database } from '../../db/open-database.ts'
import { SharedTask } from '../../tasks/shared-task.ts'
import { countMatches } from './post-matches.ts'

/** What the gallery was when a search began. */
export interface GalleryState {
  /** The `seq` of its newest post, 0 without any. */
  readonly newest: number
  /** All posts that are shown. */
  readonly posts: number
  /** Another number after anything but a new post. */
  readonly changes: number
}

/** How many terms are remembered, the ones asked for last. */
const termsMax = 1_000

interface Remembered {
  readonly state: GalleryState
  readonly count: SharedTask<number>
}

/**
 * How many posts hold a term. A count is remembered, so that the next page, and everybody who looks for the same,
 * waits for the posts that are new since then only; once a post goes or changes, all are counted anew.
 */
export class MatchCounts {
  readonly #db: Database
  readonly #remembered = new Map<string, Remembered>()

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * The count in a state of the gallery that was read just before. Counting ends when everyone who waits for it has left.
   *
   * @throws AppError `cancelled` when `signal` is aborted first
   */
  count(term: string, state: GalleryState, signal?: AbortSignal): Promise<number> {
    const earlier = this.#remembered.get(term)
    const isOfUse =
      earlier?.state.changes === state.changes &&
      earlier.state.newest <= state.newest &&
      !earlier.count.isAbandoned
    const count = new SharedTask((whileWanted) =>
      this.#countOn(term, isOfUse ? earlier : null, state, whileWanted),
    )
    this.#remember(term, { state, count })
    return count.join(signal)
  }

  async #countOn(
    term: string,
    earlier: Remembered | null,
    { newest }: GalleryState,
    signal: AbortSignal,
  ): Promise<number> {
    const before = earlier ? await earlier.count.join(signal) : 0
    const range = { after: earlier?.state.newest ?? 0, upTo: newest }
    return before + (await countMatches(this.#db, term, range, signal))
  }

  #remember(term: string, entry: Remembered): void {
    this.#remembered.delete(term)
    this.#remembered.set(term, entry)
    const [oldest] = this.#remembered.keys()
    if (oldest !== undefined && this.#remembered.size > termsMax) this.#remembered.delete(oldest)
    entry.count.result.catch(() => {
      if (this.#remembered.get(term) === entry) this.#remembered.delete(term)
    })
  }
}
