import { sql } from 'kysely'
import { dialectOf } from '../../db/dialect-of.ts'
import type { Database } from '../../db/open-database.ts'
import type { Rank } from '../../db/pagination.ts'

/** Part of the listed posts that is searched. */
export interface PostFilter {
  readonly authorId?: string | undefined
  /** First day of their creation, counted from 1970 in UTC. */
  readonly since?: number | undefined
}

/** Posts by their `seq`: greater than `after`, at most `upTo`. */
export interface PostRange extends PostFilter {
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
   * Finds the most liked posts of a range that contain a term, and returns their `seq`, most liked first.
   *
   * @param before rank that they are below; null for none
   * @throws AppError `canceled` when the signal is aborted meanwhile
   */
  findTopMatches(
    term: string,
    range: PostRange,
    before: Rank | null,
    limit: number,
    signal?: AbortSignal,
  ): Promise<number[]>

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

/** Creates the condition that a column contains a term. */
export function contains(db: Database, column: string, term: string) {
  const position = dialectOf(db) === 'postgres' ? sql`strpos` : sql`instr`
  return sql<boolean>`${position}(${sql.ref(column)}, ${term}) > 0`
}
