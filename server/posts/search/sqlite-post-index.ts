import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Database } from '../../db/open-database.ts'
import { isBelow, type Rank } from '../../db/pagination.ts'
import type { PostIndexTable } from '../../db/schema.ts'
import {
  blockBits,
  blockMark,
  blockOf,
  maxNGramLength,
  nGramToken,
  trigramQuery,
} from '../../db/sqlite/n-grams.ts'
import { throwIfAbandoned } from '../../tasks/shared-task.ts'
import type { PostFilter, PostIndex, PostRange } from './post-index.ts'

/** Milliseconds of searching after which other requests are served. */
const maxBusyMs = 1

/** Creates the index of two full-text tables (FTS5), searched in blocks, since SQLite blocks the process while a query runs. */
export function createSqlitePostIndex(db: Database): PostIndex {
  return {
    async findMatches(term, range, limit, signal) {
      const found: number[] = []
      await forEachBlock(range, signal, async (slice) => {
        const rows = await selectMatches(db, term, slice)
          .select('matches.rowid')
          .orderBy('matches.rowid', 'desc')
          .limit(limit - found.length)
          .execute()
        for (const { rowid } of rows) found.push(rowid)
        return found.length < limit
      })
      return found
    },

    async findTopMatches(term, range, before, limit, signal) {
      let found: Rank[] = []
      await forEachBlock(range, signal, async (slice) => {
        // SQLite keeps the order of the tables of a cross join: the index first.
        const rows = await selectMatches(db, term, slice)
          .crossJoin('post_stats as stats')
          .whereRef('stats.seq', '=', 'matches.rowid')
          .where(isBelow(before, 'stats'))
          .select(['stats.seq', 'stats.likes'])
          .orderBy('stats.likes', 'desc')
          .orderBy('stats.seq', 'desc')
          .limit(limit)
          .execute()
        found = [...found, ...rows].sort((a, b) => b.likes - a.likes || b.seq - a.seq).slice(0, limit)
        return true
      })
      return found.map(({ seq }) => seq)
    },

    async countMatches(term, range, signal) {
      let count = 0
      await forEachBlock(range, signal, async (slice) => {
        const { matches } = await selectMatches(db, term, slice)
          .select((eb) => eb.fn.countAll<number>().as('matches'))
          .executeTakeFirstOrThrow()
        count += matches
        return true
      })
      return count
    },

    /** Queues the query behind those of searches, and serves other requests after it. */
    runLongQuery: (signal, query) =>
      runQuery(signal, async () => {
        const result = await query()
        for (let tick = 0; tick < ticksAfterLongQuery; tick += 1) await nextTick()
        return result
      }),
  }
}

/** Visits the blocks of a range, newest first, until `visit` returns false. */
async function forEachBlock(
  range: PostRange,
  signal: AbortSignal | undefined,
  visit: (slice: PostRange) => Promise<boolean>,
): Promise<void> {
  let busySince = performance.now()
  for (let end = range.upTo; end > range.after;) {
    const slice = { ...range, after: Math.max(blockOf(end) * 2 ** blockBits - 1, range.after), upTo: end }
    const continues = await runQuery(signal, async () => {
      const result = await visit(slice)
      if (performance.now() - busySince > maxBusyMs) {
        await nextTick()
        busySince = performance.now()
      }
      return result
    })
    if (!continues) return
    end = slice.after
  }
}

/** Global, since SQLite blocks the whole process while a query runs. */
const oneAtATime = pLimit(1)

/** Queues a query behind those of other searches, so that requests are served between two of them. */
function runQuery<Result>(signal: AbortSignal | undefined, query: () => Promise<Result>): Promise<Result> {
  return oneAtATime(() => {
    throwIfAbandoned(signal)
    return query()
  })
}

/**
 * Iterations of the event loop after a long query. Each accepts one new connection, so that a visitor's does not wait for
 * one query per connection that arrived at the same time. An idle iteration takes microseconds.
 */
const ticksAfterLongQuery = 16

/**
 * Selects the matches in part of one block. Parameters reach SQLite as floating point, with which FTS5 cannot seek to a
 * row; the casts make them integers.
 */
function selectMatches(db: Database, term: string, { after, upTo, ...filter }: PostRange) {
  const { table, pattern, isExact } = indexQuery(term, blockOf(upTo))
  const index = sql.table(table)
  const matches = db
    .selectFrom(sql<PostIndexTable>`${index}`.as('matches'))
    .where(sql<boolean>`${index} match ${pattern}`)
    .where('matches.rowid', '>', sql<number>`cast(${after} as integer)`)
    .where('matches.rowid', '<=', sql<number>`cast(${upTo} as integer)`)
    .where(isInFilter(filter))
  return isExact ? matches : matches.where(containsTerm(term))
}

function isInFilter({ authorId, since, facets }: PostFilter) {
  if (authorId === undefined && since === undefined && facets === undefined) return sql<boolean>`true`
  return sql<boolean>`exists (
    select 1 from post_stats where seq = matches.rowid
      and ${authorId === undefined ? sql`true` : sql`author_id = ${authorId}`}
      and ${since === undefined ? sql`true` : sql`day >= ${since}`}
      and ${facets === undefined ? sql`true` : sql`facet in (select value from json_each(${JSON.stringify(facets)}))`}
  )`
}

/** Chooses the index and the pattern for a term. With `isExact` false, some of the rows found do not contain the term. */
function indexQuery(term: string, block: number) {
  const characters = Array.from(term)
  return characters.length <= maxNGramLength
    ? ({ table: 'posts_grams', pattern: nGramToken(characters), isExact: true } as const)
    : ({ table: 'posts_trigrams', ...trigramQuery(characters, blockMark(block)) } as const)
}

/** Compares a term with the text of the post itself. */
function containsTerm(term: string) {
  return sql<boolean>`(select instr(posts.search_text, ${term}) from posts where posts.seq = matches.rowid) > 0`
}
