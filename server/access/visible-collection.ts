import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '../../shared/viewer.ts'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'

/** Who looks at collections; null for a visitor. */
export type CollectionViewer = Pick<Viewer, 'id' | 'role'> | null

export function collectionNotFound(): AppError {
  return new AppError('not_found', describedDetail('collection_not_found'))
}

/** Creates the condition that a user has joined a row of `collections`, unless only its owner contributes. */
export function hasJoined(viewer: { readonly id: string }): RawBuilder<boolean> {
  return sql<boolean>`(collections.contributors <> 'owner' AND EXISTS (
    SELECT 1 FROM collection_contributors AS joined
    WHERE joined.collection_id = collections.id AND joined.user_id = ${viewer.id}))`
}

/**
 * Creates the condition that a row of `collections` is seen by a viewer: private ones by the owner and those who joined, hidden ones by
 * the owner and moderators.
 */
function isSeenBy(viewer: CollectionViewer): RawBuilder<boolean> {
  const isReachable = sql<boolean>`(collections.hidden_at IS NULL AND collections.visibility <> 'private')`
  if (!viewer) return isReachable
  const isModerated = viewer.role === 'member' ? sql`false` : sql`collections.hidden_at IS NOT NULL`
  return sql<boolean>`(${isReachable} OR collections.owner_id = ${viewer.id} OR ${isModerated}
    OR (collections.hidden_at IS NULL AND ${hasJoined(viewer)}))`
}

export function selectVisibleCollection(
  db: Database,
  id: string | RawBuilder<string>,
  viewer: CollectionViewer,
) {
  return db.selectFrom('collections').where('collections.id', '=', id).where(isSeenBy(viewer))
}

/** Requires that a viewer sees a collection. @throws AppError `not_found` */
export async function requireVisibleCollection(
  db: Database,
  id: string,
  viewer: CollectionViewer,
): Promise<void> {
  const found = await selectVisibleCollection(db, id, viewer).select('collections.id').executeTakeFirst()
  if (!found) throw collectionNotFound()
}

/**
 * Selects the numbers of the posts of a collection that a viewer sees, as `seq`, with their `position`, highest first: the listed ones,
 * and the viewer's own. Each is a range of an index, so that the cost does not depend on how many others there are.
 *
 * @param collectionId an id, or a reference to one
 * @param below position that they come after
 * @param from position of the last one at most
 */
export function firstPostsOf(
  collectionId: RawBuilder<unknown>,
  viewer: { readonly id: string } | null,
  {
    limit,
    below = Number.MAX_SAFE_INTEGER,
    from = 0,
  }: { limit: number; below?: number | undefined; from?: number | undefined },
): RawBuilder<{ seq: number; position: number }> {
  const order = sql`ORDER BY position DESC LIMIT ${limit}`
  const isWithin = sql`entries.position < ${below} AND entries.position >= ${from}`
  const ranges = visibleRanges(viewer).map(
    (range) => sql`SELECT * FROM (
      SELECT posts.seq, entries.position FROM collection_posts AS entries JOIN posts ON posts.id = entries.post_id
      WHERE entries.collection_id = ${collectionId} AND ${isWithin} AND ${range} ${order}) AS visible`,
  )
  return sql`SELECT seq, position FROM (${sql.join(ranges, sql` UNION ALL `)}) AS ranges ${order}`
}

/** Selects the number of a post of a row of `collections`, if a viewer sees it there. */
export function visibleEntry(
  postId: RawBuilder<unknown>,
  viewer: { readonly id: string } | null,
): RawBuilder<number> {
  const isVisible = sql.join(visibleRanges(viewer), sql` OR `)
  return sql`SELECT posts.seq FROM collection_posts AS entries JOIN posts ON posts.id = entries.post_id
    WHERE entries.collection_id = collections.id AND entries.post_id = ${postId} AND (${isVisible})`
}

/** Selects the number of the post that shows a row of `collections`: the one that its owner chose, or else the first that a viewer sees. */
export function coverOf(viewer: { readonly id: string } | null): RawBuilder<number | null> {
  const chosen = visibleEntry(sql`collections.cover_post_id`, viewer)
  const first = firstPostsOf(sql`collections.id`, viewer, { limit: 1 })
  return sql<number | null>`coalesce((${chosen}), (SELECT seq FROM (${first}) AS found))`
}

export function visiblePostCount(viewer: { readonly id: string } | null): RawBuilder<number> {
  if (!viewer) return sql<number>`collections.listed_posts`
  return sql<number>`(collections.listed_posts + (
    SELECT count(*) FROM collection_posts AS entries JOIN posts ON posts.id = entries.post_id
    WHERE entries.collection_id = collections.id AND ${ownRange(viewer)}))`
}

/** The conditions repeat what `listed` says, which is there for the index. */
function visibleRanges(viewer: { readonly id: string } | null): RawBuilder<unknown>[] {
  return [sql`entries.listed = 1 AND ${isListed()}`, ...(viewer ? [ownRange(viewer)] : [])]
}

function ownRange(viewer: { readonly id: string }) {
  return sql`entries.listed = 0 AND entries.author_id = ${viewer.id}
    AND posts.hidden_at IS NULL AND posts.trashed_visibility IS NULL`
}
