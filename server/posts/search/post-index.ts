/** Posts by their `seq`: greater than `after`, at most `upTo`. */
export interface PostRange {
  readonly after: number
  readonly upTo: number
}

/** Search index of the listed posts. Terms are folded and not empty. */
export interface PostIndex {
  /**
   * Finds the newest posts of a range that contain a term, and returns their `seq`, newest first.
   *
   * @throws AppError `canceled` when the signal is aborted meanwhile
   */
  findMatches(term: string, range: PostRange, limit: number, signal?: AbortSignal): Promise<number[]>

  /**
   * Counts the posts of a range that contain a term.
   *
   * @throws AppError `canceled` when the signal is aborted meanwhile
   */
  countMatches(term: string, range: PostRange, signal?: AbortSignal): Promise<number>

  /**
   * Runs another query that takes milliseconds, such that searches and other requests are served fairly.
   *
   * @throws AppError `canceled` when the signal is aborted before the query starts
   */
  runLongQuery<Result>(signal: AbortSignal | undefined, query: () => Promise<Result>): Promise<Result>
}
