import type { PostLikes } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Needs } from '../images/services.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { postNotFound, selectVisiblePost } from '../access/visible-post.ts'

/**
 * Likes a post, once per user, or removes the like.
 * @throws AppError `not_found` unless the viewer sees it; `not_signed_in` once the account is deleted
 */
export function setLiked(
  services: Needs<'db' | 'now'>,
  viewer: Viewer,
  id: string,
  isLiked: boolean,
): Promise<PostLikes> {
  return inTransactionOf(services, viewer, async (transaction) => {
    const post = selectVisiblePost(transaction, id, viewer)
    // Deletions of the post wait, as the like refers to it.
    const locked = dialectOf(transaction) === 'postgres' ? post.forKeyShare() : post
    if (!(await locked.executeTakeFirst())) throw postNotFound()
    const like = { post_id: id, user_id: viewer.id }
    const change = isLiked
      ? transaction
          .insertInto('post_likes')
          .values({ ...like, created_at: services.now() })
          .onConflict((conflict) => conflict.doNothing())
      : transaction.deleteFrom('post_likes').where((eb) => eb.and(like))
    await change.execute()
    const { likes } = await transaction
      .selectFrom('posts')
      .innerJoin('post_stats', 'post_stats.seq', 'posts.seq')
      .select('post_stats.likes')
      .where('posts.id', '=', id)
      .executeTakeFirstOrThrow()
    return { likeCount: likes, isLiked }
  })
}
