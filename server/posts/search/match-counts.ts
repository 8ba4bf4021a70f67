import { LRUCache } from 'lru-cache'
import type { GalleryState } from '../../db/gallery.ts'
import { SharedTask } from '../../tasks/shared-task.ts'
import type { PostFilter, PostIndex } from './post-index.ts'

/** Maximum number of cached counts. */
const maxCounts = 1_000

interface CachedCount {
  readonly state: GalleryState
  readonly count: SharedTask<number>
}

/**
 * Cache of the numbers of posts that contain a term. Counting continues from the cached number with the posts that are new
 * since; it starts over once a post was deleted or changed.
 */
export class MatchCounts {
  readonly #index: PostIndex
  readonly #counts = new LRUCache<string, CachedCount>({ max: maxCounts })

  constructor(index: PostIndex) {
    this.#index = index
  }

  /**
   * Counts the matches of a term. Counting is aborted once all callers that wait for it have disconnected.
   *
   * @param state read just before
   * @throws AppError `canceled` when `signal` is aborted first
   */
  count(
    term: string,
    { authorId, since }: PostFilter,
    state: GalleryState,
    signal?: AbortSignal,
  ): Promise<number> {
    const key = JSON.stringify([term, authorId, since])
    const cached = this.#counts.get(key)
    const isUsable =
      cached?.state.changes === state.changes &&
      cached.state.newest <= state.newest &&
      !cached.count.isAbandoned
    const count = new SharedTask((shared) =>
      this.#countFrom(term, { authorId, since }, isUsable ? cached : null, state, shared),
    )
    const entry = { state, count }
    this.#counts.set(key, entry)
    count.result.catch(() => {
      if (this.#counts.peek(key) === entry) this.#counts.delete(key)
    })
    return count.join(signal)
  }

  async #countFrom(
    term: string,
    filter: PostFilter,
    cached: CachedCount | null,
    { newest }: GalleryState,
    signal: AbortSignal,
  ): Promise<number> {
    const before = cached ? await cached.count.join(signal) : 0
    const range = { ...filter, after: cached?.state.newest ?? 0, upTo: newest }
    return before + (await this.#index.countMatches(term, range, signal))
  }
}
