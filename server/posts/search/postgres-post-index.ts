import { sql, type RawBuilder } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import { isListed, msPerDay } from '../../db/gallery.ts'
import type { Database } from '../../db/open-database.ts'
import { isBelow } from '../../db/pagination.ts'
import { maxNGramLength, nGramNumbers } from '../../db/postgres/n-grams.ts'
import { AppError, describedDetail, libraryCode } from '../../errors/app-error.ts'
import { abandoned, throwIfAbandoned } from '../../tasks/shared-task.ts'
import type { PostFilter, PostIndex, PostRange } from './post-index.ts'

/** Newest posts that are compared with a term before the index is asked: most terms fill a page with them. */
const comparedPosts = 2_000

/** Concurrent index queries of a process. Together they leave connections of the pool to other requests. */
const maxConcurrentPages = 4
const maxConcurrentCounts = 2

/** `Retry-After` of a search that took too long. */
const retrySeconds = 10

/** SQLSTATE of a query that was canceled, by a request or by `statement_timeout`. */
const queryCanceled = '57014'

/**
 * Creates the index of all n-grams of one to three characters in a GIN index, over the expression `n_grams(search_text)`. Exact for
 * terms that are n-grams themselves; for longer ones the candidates are compared with the term.
 */
export function createPostgresPostIndex(db: Database): PostIndex {
  const pages = pLimit(maxConcurrentPages)
  const counts = pLimit(maxConcurrentCounts)
  const findPage = async (signal: AbortSignal | undefined, query: RawBuilder<{ seq: number }>) => {
    const rows = await runIndexQuery(db, pages, signal, query)
    return rows.map(({ seq }) => seq)
  }

  return {
    async findMatches(term, range, limit, signal) {
      throwIfAbandoned(signal)
      const { rows: recent } = await sql<{ seq: number }>`
        SELECT seq FROM (
          SELECT seq, search_text FROM posts
          WHERE ${isListed()} AND ${isInFilter(range)} AND seq > ${range.after} AND seq <= ${range.upTo}
          ORDER BY seq DESC LIMIT ${sql.lit(comparedPosts)}
        ) AS recent
        WHERE strpos(search_text, ${term}) > 0 ORDER BY seq DESC LIMIT ${limit}`.execute(db)
      if (recent.length === limit || isShort(range)) return recent.map(({ seq }) => seq)
      return findPage(
        signal,
        sql`${withMatches(term, range)} SELECT seq FROM matches ORDER BY seq DESC LIMIT ${limit}`,
      )
    },

    async findTopMatches(term, range, before, limit, signal) {
      throwIfAbandoned(signal)
      return findPage(
        signal,
        sql`
          ${withMatches(term, range)} SELECT seq FROM matches JOIN post_stats USING (seq) WHERE ${isBelow(before)}
          ORDER BY likes DESC, seq DESC LIMIT ${limit}`,
      )
    },

    async countMatches(term, range, signal) {
      throwIfAbandoned(signal)
      const { after, upTo } = range
      const [row] = isShort(range)
        ? (await sql<{ matches: number }>`${countCompared(term, range)} AND seq <= ${upTo}`.execute(db)).rows
        : await runIndexQuery(
            db,
            counts,
            signal,
            // Subtracts the posts that were added since: checking the number of each match takes longer.
            sql<{ matches: number }>`
              SELECT count(*) - (${countCompared(term, { ...range, after: upTo })}) AS matches FROM posts
              WHERE ${isMatch(term)} AND ${isInFilter(range)} AND ${isAfter(after)}`,
          )
      return row?.matches ?? 0
    },

    /** Runs the query at once: PostgreSQL does not block this process. */
    async runLongQuery(signal, query) {
      throwIfAbandoned(signal)
      return query()
    },
  }
}

/**
 * Runs a query with memory for a common term, until the caller disconnects.
 * @throws AppError `canceled` then, `busy` if it took too long
 */
function runIndexQuery<Row>(
  db: Database,
  limit: LimitFunction,
  signal: AbortSignal | undefined,
  query: RawBuilder<Row>,
): Promise<Row[]> {
  return limit(async () => {
    throwIfAbandoned(signal)
    try {
      return await db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ pid: number }>`
          SELECT pg_backend_pid() AS pid, set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
            set_config('max_parallel_workers_per_gather', '0', true)`.execute(transaction)
        return await untilDisconnected(db, signal, rows[0]?.pid, () => query.execute(transaction))
      })
    } catch (error) {
      throw toSearchError(error, signal)
    }
  })
}

async function untilDisconnected<Row>(
  db: Database,
  signal: AbortSignal | undefined,
  pid: number | undefined,
  run: () => Promise<{ rows: Row[] }>,
): Promise<Row[]> {
  throwIfAbandoned(signal)
  let canceling: Promise<unknown> | undefined
  const cancel = () => {
    canceling = sql`SELECT pg_cancel_backend(${pid})`.execute(db)
  }
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return (await run()).rows
  } finally {
    signal?.removeEventListener('abort', cancel)
    // The connection must not run another query while it may still be canceled. Without success the query just ends.
    await Promise.allSettled([canceling])
  }
}

/** Reports whether comparing all posts of a range takes no longer than asking the index. */
function isShort({ after, upTo }: PostRange): boolean {
  return upTo - after <= comparedPosts
}

/** Query that counts the posts after a number by comparing them. */
function countCompared(term: string, { after, ...filter }: Omit<PostRange, 'upTo'>) {
  return sql`
    SELECT count(*) AS matches FROM posts
    WHERE ${isListed()} AND ${isInFilter(filter)} AND seq > ${after} AND strpos(search_text, ${term}) > 0`
}

/** Condition on `posts`. */
function isInFilter({ authorId, since, facets }: PostFilter) {
  const isOfAuthor = authorId === undefined ? sql`true` : sql`author_id = ${authorId}`
  const hasFacet =
    facets &&
    sql`EXISTS (SELECT FROM post_stats WHERE post_stats.seq = posts.seq AND facet = any(${facets}::text[]))`
  return sql`${isOfAuthor} AND ${hasFacet ?? sql`true`} AND ${since === undefined ? sql`true` : sql`created_at >= ${since * msPerDay}`}`
}

/** Materialized, since a plan that reads all posts from the newest or most liked on would look cheap. */
function withMatches(term: string, { after, upTo, ...filter }: PostRange) {
  return sql`
    WITH matches AS MATERIALIZED (
      SELECT seq FROM posts
      WHERE ${isMatch(term)} AND ${isInFilter(filter)} AND ${isAfter(after)} AND seq + 0 <= ${upTo}
    )`
}

/** Condition on `posts`, which the index fulfills. */
function isMatch(term: string) {
  const hasNGrams = sql<boolean>`${isListed()} AND n_grams(search_text) @> ${nGramNumbers(term)}`
  return Array.from(term).length <= maxNGramLength
    ? hasNGrams
    : sql<boolean>`${hasNGrams} AND strpos(search_text, ${term}) > 0`
}

/** Condition on `posts`. The sum keeps the primary key out of the plan, which would compute the n-grams of each post. */
function isAfter(after: number) {
  return after === 0 ? sql<boolean>`true` : sql<boolean>`seq + 0 > ${after}`
}

function toSearchError(error: unknown, signal: AbortSignal | undefined): unknown {
  const cause = error instanceof AppError ? error.cause : error
  if (libraryCode(cause) !== queryCanceled) return error
  if (signal?.aborted) return abandoned()
  return new AppError('busy', describedDetail('search_too_long'), {
    cause,
    retryAfter: retrySeconds,
  })
}
