import { sql } from 'kysely'
import type { PostPage } from '../../shared/posts.ts'
import { decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/open-database.ts'
import type { GalleryState, MatchCounts } from './match-counts.ts'
import { findMatches, type PostRange } from './post-matches.ts'
import { selectPosts, toPost } from './post-row.ts'
import { fold } from './search-text.ts'

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
 * belong to the next.
 *
 * @throws AppError `bad_input` for a place that is none
 */
export async function listPosts(services: ListPostsServices, query: PostQuery): Promise<PostPage> {
  const { db, matchCounts } = services
  const before = query.cursor === undefined ? null : decodeCursor('post', query.cursor)
  const oldest = query.until === undefined ? 1 : decodeCursor('post', query.until)
  const term = fold(query.search).toWellFormed()
  const state = await readState(db)
  const upTo = before === null ? state.newest : Math.min(before - 1, state.newest)
  const range = { after: oldest - 1, upTo }
  if (!term) {
    const rows = await newestPosts(db, range, query.limit + 1)
    return toPage(rows.slice(0, query.limit), rows.length > query.limit, state.posts)
  }

  const found = await findMatches(db, term, range, query.limit + 1)
  const isMore = found.length > query.limit
  const isPart = isMore || before !== null || query.until !== undefined
  const total = isPart ? await matchCounts.count(term, state) : found.length
  return toPage(await postsOf(db, found.slice(0, query.limit)), isMore, total)
}

async function readState(db: Database): Promise<GalleryState> {
  return db
    .selectFrom('gallery')
    .select(['posts', 'changes', sql<number>`(select coalesce(max(seq), 0) from posts)`.as('newest')])
    .executeTakeFirstOrThrow()
}

function newestPosts(db: Database, { after, upTo }: PostRange, limit: number) {
  return selectPosts(db)
    .where('posts.hidden_at', 'is', null)
    .where('posts.seq', '>', after)
    .where('posts.seq', '<=', upTo)
    .orderBy('posts.seq', 'desc')
    .limit(limit)
    .execute()
}

function postsOf(db: Database, seqs: readonly number[]) {
  return selectPosts(db)
    .where('posts.seq', 'in', sql<number>`(select value from json_each(${JSON.stringify(seqs)}))`)
    .where('posts.hidden_at', 'is', null)
    .orderBy('posts.seq', 'desc')
    .execute()
}

function toPage(rows: Awaited<ReturnType<typeof postsOf>>, isMore: boolean, total: number): PostPage {
  const last = rows.at(-1)
  return {
    posts: rows.map(toPost),
    total: Math.max(total, rows.length),
    nextCursor: last && isMore ? encodeCursor('post', last.seq) : null,
  }
}
