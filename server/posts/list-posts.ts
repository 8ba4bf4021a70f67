import { sql } from 'kysely'
import type { PostPage } from '../../shared/posts.ts'
import { decodeCursor, encodeCursor, pageTextBytes, sizedRows, textBytes } from '../db/pagination.ts'
import type { Database } from '../db/open-database.ts'
import type { GalleryState, MatchCounts } from './search/match-counts.ts'
import { findMatches, type PostRange } from './search/post-matches.ts'
import { selectPosts, toPost } from './post-row.ts'
import { fold } from './search/normalize.ts'
import { runInTurnAlone } from './search/database-turns.ts'

export interface PostQuery {
  /** Part of an author's name or of a prompt; empty: all posts. */
  readonly search: string
  /** Only posts older than the place it stands for. */
  readonly cursor?: string | undefined
  /** And none older than this place: for a reader who knows where the next page begins. */
  readonly until?: string | undefined
  readonly limit: number
}

interface ListPostsServices {
  readonly db: Database
  readonly matchCounts: MatchCounts
}

/**
 * One page of the gallery, newest first, with the number of all matches. Posts that come while it is put together
 * belong to the next. A page ends early where its texts are long.
 *
 * @param signal aborted when the caller has left
 * @throws AppError `bad_input` for a place that is none, `cancelled` when the caller has left
 */
export async function listPosts(
  services: ListPostsServices,
  query: PostQuery,
  signal?: AbortSignal,
): Promise<PostPage> {
  const { db, matchCounts } = services
  const before = query.cursor === undefined ? null : decodeCursor('post', query.cursor)
  const oldest = query.until === undefined ? 1 : decodeCursor('post', query.until)
  const term = fold(query.search).toWellFormed()
  const state = await readState(db)
  const upTo = before === null ? state.newest : Math.min(before - 1, state.newest)
  const range = { after: oldest - 1, upTo }
  const found = term ? await findMatches(db, term, range, query.limit + 1, signal) : null
  const candidates = found ? postsOf(db, found) : newestPosts(db, range, query.limit + 1)
  const read = () => readPage(db, candidates, query.limit)
  const { posts, nextCursor } = await (query.limit < longPage ? read() : runInTurnAlone(signal, read))
  if (!found) return { posts, nextCursor, total: state.posts }
  const isWhole = found.length <= query.limit && before === null && query.until === undefined
  const total = isWhole ? found.length : await matchCounts.count(term, state, signal)
  return { posts, nextCursor, total: Math.max(total, posts.length) }
}

/** From this many rows on, reading them takes as long as a statement of a search, and waits for its turn like one. */
const longPage = 100

async function readState(db: Database): Promise<GalleryState> {
  return db
    .selectFrom('gallery')
    .select(['posts', 'changes', sql<number>`(select coalesce(max(seq), 0) from posts)`.as('newest')])
    .executeTakeFirstOrThrow()
}

/** Posts that may come onto a page, with the size of their texts. */
function selectCandidates(db: Database) {
  return db
    .selectFrom('posts')
    .select(['seq', textBytes('name', 'prompt').as('bytes')])
    .where('hidden_at', 'is', null)
}

function newestPosts(db: Database, { after, upTo }: PostRange, limit: number) {
  return selectCandidates(db)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq', 'desc')
    .limit(limit)
}

function postsOf(db: Database, seqs: readonly number[]) {
  return selectCandidates(db).where(
    'seq',
    'in',
    sql<number>`(select value from json_each(${JSON.stringify(seqs)}))`,
  )
}

/** At most `limit` of some posts, newest first: as many as their texts leave room for, at least one. */
async function readPage(
  db: Database,
  posts: ReturnType<typeof selectCandidates>,
  limit: number,
): Promise<Pick<PostPage, 'posts' | 'nextCursor'>> {
  const rows = await selectPosts(db)
    .innerJoin(sizedRows(db, posts).as('sized'), 'sized.seq', 'posts.seq')
    .select('sized.found')
    .where('sized.bytesBefore', '<', pageTextBytes(limit))
    .orderBy('posts.seq', 'desc')
    .limit(limit)
    .execute()
  const last = rows.at(-1)
  return {
    posts: rows.map(toPost),
    nextCursor: last && last.found > rows.length ? encodeCursor('post', last.seq) : null,
  }
}
