import type { PostLikes } from '../../shared/posts.ts'
import { dialectOf } from '../db/dialect-of.ts'
import type { Needs } from '../images/services.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { notify, withdrawEvent } from '../notifications/notify.ts'
import type { Call } from '../procedures/procedures.ts'
import { postNotFound, selectVisiblePost } from '../access/visible-post.ts'

/**
 * Likes a post, once per user, or removes the like.
 * @throws AppError `not_found` unless the viewer sees it; `not_signed_in` once the account is deleted
 */
export function setLiked(
  { ctx: { services, viewer }, input: { id } }: Call<Needs<'db' | 'now'>, { readonly id: string }>,
  isLiked: boolean,
): Promise<PostLikes> {
  return inTransactionOf(services, viewer, async (transaction) => {
    const selected = selectVisiblePost(transaction, id, viewer).select('author_id')
    // Deletions of the post wait, as the like refers to it.
    const locked = dialectOf(transaction) === 'postgres' ? selected.forKeyShare() : selected
    const post = await locked.executeTakeFirstOrThrow(postNotFound)
    const like = { post_id: id, user_id: viewer.id }
    const changed = isLiked
      ? await transaction
          .insertInto('post_likes')
          .values({ ...like, created_at: services.now() })
          .onConflict((conflict) => conflict.doNothing())
          .returning('created_at')
          .executeTakeFirst()
      : await transaction
          .deleteFrom('post_likes')
          .where((eb) => eb.and(like))
          .returning('created_at')
          .executeTakeFirst()
    if (changed) {
      const about = { kind: 'like', userId: post.author_id, postId: id, now: changed.created_at } as const
      const actor = { id: viewer.id, name: viewer.firstName }
      await (isLiked
        ? notify(transaction, { ...about, actor })
        : withdrawEvent(transaction, about, { actorId: viewer.id }))
    }
    const { likes } = await transaction
      .selectFrom('posts')
      .innerJoin('post_stats', 'post_stats.seq', 'posts.seq')
      .select('post_stats.likes')
      .where('posts.id', '=', id)
      .executeTakeFirstOrThrow()
    return { likeCount: likes, isLiked }
  })
}
