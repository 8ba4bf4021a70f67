import { sql } from 'kysely'
import type { PostPage } from '../../shared/posts.ts'
import {
  collectionNotFound,
  firstPostsOf,
  selectVisibleCollection,
  visiblePostCount,
  type CollectionViewer,
} from '../access/visible-collection.ts'
import type { Database } from '../db/open-database.ts'
import { decodeCursor, encodeCursor, isOneOf } from '../db/pagination.ts'
import type { PostQuery } from './inputs.ts'
import { readPlaces } from './post-queries.ts'

/**
 * Lists one page of the posts of a collection that a viewer sees, in its order. A page ends early if its texts are long.
 * @throws AppError `not_found` for a collection that the viewer does not see; `bad_input` for a cursor
 */
export async function listCollectionPosts(
  db: Database,
  viewer: CollectionViewer,
  input: Pick<PostQuery, 'cursor' | 'until' | 'limit'> & { readonly collectionId: string },
): Promise<PostPage> {
  const { collectionId, cursor, until, limit } = input
  const decode = (text: PostQuery['cursor']) => (text ? decodeCursor('collection-post', text) : undefined)
  const range = { below: decode(cursor), from: decode(until) }
  const collection = await selectVisibleCollection(db, collectionId, viewer)
    .select(visiblePostCount(viewer).as('total'))
    .executeTakeFirstOrThrow(collectionNotFound)
  const places = firstPostsOf(sql`${collectionId}`, viewer, { ...range, limit: limit + 1 })
  const { posts, last } = await readPlaces(db, places, 'position', limit)
  const ids = posts.map(({ id }) => id)
  const added = db.selectFrom('collection_posts').select('post_id').where('collection_id', '=', collectionId)
  const isOfPage = isOneOf(db, 'post_id', ids, 'text')
  const own = viewer ? await added.where('added_by', '=', viewer.id).where(isOfPage).execute() : []
  const ownIds = new Set(own.map(({ post_id }) => post_id))
  return {
    posts: posts.map((post) =>
      Object.assign(post, ownIds.has(post.id) ? { isAddedByYou: true as const } : {}),
    ),
    total: Math.max(collection.total, posts.length),
    nextCursor: last && encodeCursor('collection-post', last.rank),
  }
}
