import { sql } from 'kysely'
import type { PostPage } from '../../shared/posts.ts'
import { decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/open-database.ts'
import { selectPosts, toPost } from './post-row.ts'
import { fold } from './search-text.ts'

export interface PostQuery {
  /** Part of an author's name or of a prompt; empty: all posts. */
  readonly search: string
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * One page of the gallery, newest first, with the number of all matches.
 *
 * @throws AppError `bad_input` for a cursor that is none
 */
export async function listPosts(services: { db: Database }, query: PostQuery): Promise<PostPage> {
  const before = query.cursor === undefined ? null : decodeCursor('post', query.cursor)
  const term = fold(query.search)
  const matches = sql<boolean>`instr(posts.search_text, ${term}) > 0`

  let page = selectPosts(services.db)
    .where('posts.hidden_at', 'is', null)
    .orderBy('posts.seq', 'desc')
    .limit(query.limit + 1)
  if (before !== null) page = page.where('posts.seq', '<', before)
  let count = services.db
    .selectFrom('posts')
    .where('posts.hidden_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('total'))
  if (term) {
    page = page.where(matches)
    count = count.where(matches)
  }

  const rows = await page.execute()
  const { total } = await count.executeTakeFirstOrThrow()
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    posts: shown.map(toPost),
    total,
    nextCursor: last && rows.length > shown.length ? encodeCursor('post', last.seq) : null,
  }
}
