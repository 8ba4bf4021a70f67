import { sql, type RawBuilder } from 'kysely'
import type { Database } from './open-database.ts'
import { dialectOf } from './dialect-of.ts'
import { nextPostSeq } from './sqlite/n-grams.ts'

/** Counters of the gallery at one moment. */
export interface GalleryState {
  /** `seq` of the newest post; on PostgreSQL, also if it was deleted. 0 without posts. */
  readonly newest: number
  readonly posts: number
  /** Changes with everything but new posts. */
  readonly changes: number
}

/** Milliseconds of a day of `post_stats`. */
export const msPerDay = 86_400_000

/** Returns the day of a time in milliseconds since 1970, counted from 1970 in UTC. */
export function dayOf(time: number): number {
  return Math.floor(time / msPerDay)
}

/** Creates the condition that a post is in the lists of everyone: public, and not hidden. */
export function isListed(table = 'posts'): RawBuilder<boolean> {
  const [hiddenAt, visibility] = [sql.ref(`${table}.hidden_at`), sql.ref(`${table}.visibility`)]
  return sql<boolean>`(${hiddenAt} IS NULL AND ${visibility} = 'public')`
}

/** Expression for `newest` in a query of `gallery`. */
export function newestSeq(db: Database): RawBuilder<number> {
  return dialectOf(db) === 'postgres'
    ? sql<number>`newest`
    : sql<number>`(select coalesce(max(seq), 0) from posts)`
}

export function readGalleryState(db: Database): Promise<GalleryState> {
  return db
    .selectFrom('gallery')
    .select(['posts', 'changes', newestSeq(db).as('newest')])
    .executeTakeFirstOrThrow()
}

/**
 * Outdates cached responses, as the triggers of posts do. In a transaction that changes collections, the first statement: on PostgreSQL,
 * changes of listed posts wait for its lock, too, so that none goes unnoticed.
 */
export async function outdateResponses(transaction: Database): Promise<void> {
  await transaction
    .updateTable('gallery')
    .set({ changes: sql`changes + 1` })
    .execute()
}

/** Returns `seq` of a new post. On PostgreSQL, other inserts wait from then until the transaction ends. */
export function postNumber(db: Database, searchText: string) {
  return dialectOf(db) === 'postgres' ? {} : { seq: nextPostSeq(searchText) }
}
