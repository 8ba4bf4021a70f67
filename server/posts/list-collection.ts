import { sql } from 'kysely'
import type { PostPage } from '../../shared/posts.ts'
import {
  firstPostsOf,
  requireVisibleCollection,
  visiblePostCount,
  type CollectionViewer,
} from '../access/visible-collection.ts'
import type { Database } from '../db/open-database.ts'
import { decodeCursor, encodeCursor, pageTextBytes, sizedRows, textBytes } from '../db/pagination.ts'
import { selectPosts, toPost } from './post-queries.ts'

/**
 * Lists one page of the posts of a collection that a viewer sees, in its order. A page ends early if its texts are long.
 * @throws AppError `not_found` for a collection that the viewer does not see; `bad_input` for a cursor
 */
export async function listCollectionPosts(
  db: Database,
  viewer: CollectionViewer,
  input: { readonly collectionId: string; readonly cursor?: string | undefined; readonly limit: number },
): Promise<PostPage> {
  const { collectionId, cursor, limit } = input
  const below = cursor === undefined ? null : decodeCursor('collection-post', cursor)
  await requireVisibleCollection(db, collectionId, viewer)
  const places = firstPostsOf(sql`${collectionId}`, viewer, { below, limit: limit + 1 })
  const placed = db
    .selectFrom(sql<{ seq: number; position: number }>`(${places})`.as('places'))
    .innerJoin('posts', 'posts.seq', 'places.seq')
    .select(['places.seq', 'places.position', textBytes('posts.name', 'posts.prompt').as('bytes')])
  const rows = await selectPosts(db)
    .innerJoin(
      sizedRows(db, placed, sql`position desc`)
        .select(sql<number>`position`.as('position'))
        .as('sized'),
      'sized.seq',
      'posts.seq',
    )
    .innerJoin('collection_posts', 'collection_posts.post_id', 'posts.id')
    .where('collection_posts.collection_id', '=', collectionId)
    .select(['sized.found', 'sized.position', 'collection_posts.added_by'])
    .where('sized.bytesBefore', '<', pageTextBytes(limit))
    .orderBy('sized.position', 'desc')
    .limit(limit)
    .execute()
  const count = await db
    .selectFrom('collections')
    .select(visiblePostCount(viewer).as('total'))
    .where('collections.id', '=', collectionId)
    .executeTakeFirst()
  const last = rows.at(-1)
  return {
    posts: rows.map((row) => ({
      ...toPost(row),
      ...(viewer && row.added_by === viewer.id && { isAddedByYou: true as const }),
    })),
    total: Math.max(count?.total ?? 0, rows.length),
    nextCursor: last && last.found > rows.length ? encodeCursor('collection-post', last.position) : null,
  }
}
