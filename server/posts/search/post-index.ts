import { LRUCache } from 'lru-cache'
import type { GalleryState } from '../../db/gallery.ts'
import type { Rank } from '../../db/pagination.ts'
import { SharedTask } from '../../tasks/shared-task.ts'

/** Part of the listed posts that is searched. */
export interface PostFilter {
  readonly authorId?: string | undefined
  /** First day of their creation, counted from 1970 in UTC. */
  readonly since?: number | undefined
  /** Values of `facet` of `post_stats`, one of which its image has. */
  readonly facets?: readonly string[] | undefined
}

/** Posts by their `seq`: greater than `after`, at most `upTo`. */
export interface PostRange extends PostFilter {
  readonly after: number
  readonly upTo: number
}

/** Search index of the listed posts. Terms are folded and not empty. */
export interface PostIndex {
  /** Finds the newest posts of a range that contain a term, and returns their `seq`, newest first. */
  findMatches(term: string, range: PostRange, limit: number, signal?: AbortSignal): Promise<number[]>

  /** Finds the most liked posts of a range below a rank that contain a term, and returns their `seq`, most liked first. */
  findTopMatches(
    term: string,
    range: PostRange,
    before: Rank | null,
    limit: number,
    signal?: AbortSignal,
  ): Promise<number[]>

  countMatches(term: string, range: PostRange, signal?: AbortSignal): Promise<number>

  /** Runs another query that takes milliseconds, such that searches and other requests are served fairly. */
  runLongQuery<Result>(signal: AbortSignal | undefined, query: () => Promise<Result>): Promise<Result>
}

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
   * Counts the matches of a term in a state that was read just before.
   * @throws AppError `canceled` when the caller has disconnected
   */
  count(
    term: string,
    { authorId, since, facets }: PostFilter,
    state: GalleryState,
    signal?: AbortSignal,
  ): Promise<number> {
    const key = JSON.stringify([term, authorId, since, facets])
    const cached = this.#counts.get(key)
    const isUsable =
      cached?.state.changes === state.changes &&
      cached.state.newest <= state.newest &&
      !cached.count.isAbandoned
    const count = new SharedTask((shared) =>
      this.#countFrom(term, { authorId, since, facets }, isUsable ? cached : null, state, shared),
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
