import { sql } from 'kysely'
import { postsOfCollectionMax, type Collection } from '../../shared/collections.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { postNotFound, selectVisiblePosts } from '../access/visible-post.ts'
import { hasJoined } from '../access/visible-collection.ts'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { countRows, hasRows } from '../db/rows.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { queueCollectionPostAdded } from '../webhooks/webhook-events.ts'
import { notify } from '../notifications/notify.ts'
import { changeOwn, changeVisible, entriesOf, type CollectionRow } from './change-collection.ts'
import type { Move, PostsOfCollection } from './inputs.ts'
import type { CollectionCall } from './services.ts'

/** Distance of positions of posts that are added: as many fit into whole numbers. */
const gap = 2 ** 30

/** Position of the first post, in the middle of the whole numbers. */
const middle = 2 ** 52

/**
 * Adds posts to a collection, each before the ones that are there, so that the last one is the first. Posts that it has stay where
 * they are.
 *
 * @throws AppError `not_found` for a post that the viewer does not see; `forbidden` unless the viewer may add posts; `bad_input` if the
 *   collection is full
 */
export function addPosts({ ctx, input }: CollectionCall<PostsOfCollection>): Promise<Collection> {
  const { services, viewer } = ctx
  const { id, postIds } = input
  return changeVisible(ctx, id, async (transaction, row) => {
    await requireContributor(transaction, row, viewer)
    const posts = await selectVisiblePosts(transaction, viewer)
      .select(['author_id', isListed().as('listed')])
      .where(isOneOf(transaction, 'posts.id', postIds, 'text'))
      .execute()
    const found = new Map(posts.map((post) => [post.id, post]))
    const entries = entriesOf(transaction, id)
    const known = await entries
      .select('post_id')
      .where(isOneOf(transaction, 'post_id', postIds, 'text'))
      .execute()
    const added = postIds.flatMap((postId) => {
      const post = found.get(postId)
      if (!post) throw postNotFound()
      return known.some(({ post_id }) => post_id === postId) ? [] : post
    })
    if (added.length === 0) return
    if ((await countRows(entries)) + added.length > postsOfCollectionMax) {
      throw new AppError('bad_input', describedDetail('collection_full', { max: postsOfCollectionMax }))
    }
    const { last } = await entries
      .select((eb) => eb.fn.max<number | null>('position').as('last'))
      .executeTakeFirstOrThrow()
    const start = last === null ? middle : last + gap
    await transaction
      .insertInto('collection_posts')
      .values(
        added.map((post, index) => ({
          collection_id: id,
          post_id: post.id,
          position: start + index * gap,
          author_id: post.author_id,
          listed: Number(post.listed),
          added_by: viewer.id,
          added_at: services.now(),
        })),
      )
      .execute()
    const now = services.now()
    for (const post of added) {
      // The owner, who gets the event, does not see it.
      if (!post.listed && post.author_id !== row.owner_id) continue
      await queueCollectionPostAdded(transaction, row, {
        postId: post.id,
        addedBy: viewer.id,
        occurredAt: now,
      })
    }
    const actor = { id: viewer.id, name: viewer.firstName }
    const userIds = new Set([row.owner_id, ...added.map(({ author_id }) => author_id)])
    // In the order in which their rows are locked.
    for (const userId of [...userIds].sort()) {
      const own = added.filter(({ author_id }) => userId === row.owner_id || author_id === userId)
      const subjectIds = own.map((post) => post.id)
      await notify(transaction, { userId, kind: 'collection', collectionId: id, subjectIds, actor, now })
    }
    if (start + added.length * gap > Number.MAX_SAFE_INTEGER) await renumber(transaction, id)
  })
}

/** @throws AppError `forbidden` */
async function requireContributor(transaction: Database, row: CollectionRow, viewer: Viewer): Promise<void> {
  if (row.owner_id === viewer.id || row.contributors === 'members') return
  const joined = transaction
    .selectFrom('collections')
    .select('id')
    .where('id', '=', row.id)
    .where(hasJoined(viewer))
  if (!(await hasRows(joined))) throw new AppError('forbidden', describedDetail('contributors_only'))
}

/**
 * Removes posts from a collection: any for its owner, others those that they added. Posts that it does not have are ignored.
 * @throws AppError `forbidden` for posts that another user added
 */
export function removePosts({ ctx, input }: CollectionCall<PostsOfCollection>): Promise<Collection> {
  const { viewer } = ctx
  const { id, postIds } = input
  return changeVisible(ctx, id, async (transaction, row) => {
    const isNamed = isOneOf(transaction, 'post_id', postIds, 'text')
    const entries = await entriesOf(transaction, id).select('added_by').where(isNamed).execute()
    if (row.owner_id !== viewer.id && entries.some(({ added_by }) => added_by !== viewer.id)) {
      throw new AppError('forbidden', describedDetail('not_added_by_you'))
    }
    if (entries.length === 0) await requireContributor(transaction, row, viewer)
    await transaction.deleteFrom('collection_posts').where('collection_id', '=', id).where(isNamed).execute()
  })
}

/**
 * Moves a post of a collection of the viewer before another one, or to the end.
 * @throws AppError `not_found` if the collection does not have both
 */
export function movePost({ ctx, input: { id, postId, before } }: CollectionCall<Move>): Promise<Collection> {
  return changeOwn(ctx, id, async (transaction) => {
    if (before === postId) return
    let position = await positionBefore(transaction, id, postId, before)
    if (position === null) {
      await renumber(transaction, id)
      position = await positionBefore(transaction, id, postId, before)
    }
    const { numUpdatedRows } = await transaction
      .updateTable('collection_posts')
      .set({ position: position ?? middle })
      .where('collection_id', '=', id)
      .where('post_id', '=', postId)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw postNotFound()
  })
}

/** Finds a free position for a post before another, or at the end; null if there is none. @throws AppError `not_found` */
async function positionBefore(
  transaction: Database,
  id: string,
  postId: string,
  before: string | null,
): Promise<number | null> {
  const entries = entriesOf(transaction, id).select('position')
  const isNext = entries.where('post_id', '=', before ?? '')
  const next = before === null ? { position: 0 } : await isNext.executeTakeFirst()
  if (!next) throw postNotFound()
  const above = entries.where('post_id', '<>', postId).where('position', '>', next.position)
  const previous = await above.orderBy('position').limit(1).executeTakeFirst()
  const position = previous ? Math.floor((next.position + previous.position) / 2) : next.position + gap
  return position > next.position && position < Number.MAX_SAFE_INTEGER ? position : null
}

/** Makes room between the positions of a collection: necessary after thirty moves to one place. */
async function renumber(transaction: Database, id: string): Promise<void> {
  await sql`
    UPDATE collection_posts SET position = ${sql.lit(middle)} + numbered.place * ${sql.lit(gap)}
    FROM (
      SELECT post_id AS numbered_id, row_number() OVER (ORDER BY position) AS place
      FROM collection_posts WHERE collection_id = ${id}
    ) AS numbered
    WHERE collection_id = ${id} AND post_id = numbered_id`.execute(transaction)
}
