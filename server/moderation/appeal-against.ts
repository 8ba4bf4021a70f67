import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { lockAuthor, postNotFound } from '../posts/post-queries.ts'
import { mailModerators } from './mail-notices.ts'

/**
 * Stores the viewer's appeal against the decision to hide a post, for the administrators.
 *
 * @throws AppError `not_found` unless the viewer is the author and the post is hidden; `bad_input` for a second appeal
 *   against the same decision
 */
export async function appealAgainst(
  services: { readonly db: Database; readonly now: () => number; readonly sendsMail: boolean },
  viewer: Viewer,
  { postId, comment }: { readonly postId: string; readonly comment: string },
): Promise<{ postId: string }> {
  await inTransaction(services.db, async (transaction) => {
    await lockAuthor(transaction, postId)
    const decision = await transaction
      .selectFrom('moderation_log')
      .innerJoin('posts', 'posts.id', 'moderation_log.post_id')
      .select('moderation_log.seq')
      .where('posts.id', '=', postId)
      .where('posts.author_id', '=', viewer.id)
      .where('posts.hidden_at', 'is not', null)
      .where('posts.withdrawn_at', 'is', null)
      .where('moderation_log.author_id', '=', viewer.id)
      .where('moderation_log.action', '=', 'hide')
      .orderBy('moderation_log.seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!decision) throw postNotFound()
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('appeals')
      .values({
        decision: decision.seq,
        post_id: postId,
        author_id: viewer.id,
        comment,
        created_at: services.now(),
        closed_at: null,
      })
      .onConflict((conflict) => conflict.column('decision').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) {
      throw new AppError('bad_input', describedDetail('appealed_already'))
    }
    await mailModerators(services, transaction)
  })
  return { postId }
}
