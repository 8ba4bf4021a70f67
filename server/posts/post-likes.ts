import type { PostLikes } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { dialectOf, lockUser } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { requireOpenAccount } from '../users/closed-accounts.ts'
import { postNotFound, selectVisiblePost } from './post-queries.ts'

interface LikeServices {
  readonly db: Database
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Likes a post, once per user. Authors may like their own.
 *
 * @throws AppError `not_found` for a post that the viewer can't see; `not_signed_in` once the account is deleted
 */
export function likePost(
  services: LikeServices,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<PostLikes> {
  return inTransaction(services.db, async (transaction) => {
    await lockUser(transaction, viewer.id)
    await requireOpenAccount({ ...services, db: transaction }, viewer)
    const post = selectVisiblePost(transaction, id, viewer)
    // Deletions of the post wait, as the like refers to it.
    const locked = dialectOf(transaction) === 'postgres' ? post.forKeyShare() : post
    if (!(await locked.executeTakeFirst())) throw postNotFound()
    await transaction
      .insertInto('post_likes')
      .values({ post_id: id, user_id: viewer.id, created_at: services.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return { likeCount: await countLikes(transaction, id), isLiked: true }
  })
}

/**
 * Removes the viewer's like of a post, if there is one.
 *
 * @throws AppError `not_found` for a post that the viewer can't see
 */
export function unlikePost(
  { db }: Pick<LikeServices, 'db'>,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<PostLikes> {
  return inTransaction(db, async (transaction) => {
    if (!(await selectVisiblePost(transaction, id, viewer).executeTakeFirst())) throw postNotFound()
    await transaction
      .deleteFrom('post_likes')
      .where('post_id', '=', id)
      .where('user_id', '=', viewer.id)
      .execute()
    return { likeCount: await countLikes(transaction, id), isLiked: false }
  })
}

/** Reads the number of likes of a post. */
async function countLikes(db: Database, postId: string): Promise<number> {
  const { likes } = await db
    .selectFrom('posts')
    .innerJoin('post_stats', 'post_stats.seq', 'posts.seq')
    .select('post_stats.likes')
    .where('posts.id', '=', postId)
    .executeTakeFirstOrThrow()
  return likes
}

/** Checks whether a user likes a post. */
export async function isLikedBy(db: Database, postId: string, userId: string): Promise<boolean> {
  const like = await db
    .selectFrom('post_likes')
    .select('post_id')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return like !== undefined
}
