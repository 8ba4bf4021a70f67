import type { z } from 'zod'
import { requireVisiblePost } from '../access/visible-post.ts'
import { inTransaction } from '../db/transaction.ts'
import { mailModerators } from '../mail/notices.ts'
import type { reportInput } from './inputs.ts'
import { lockAuthor } from './post-queries.ts'
import type { PostsServices } from './services.ts'

/** Reports a post to the administrators, without the reporter. @throws AppError `not_found`, also for a hidden or private post */
export async function reportPost(
  services: Pick<PostsServices, 'db' | 'log' | 'now' | 'sendsMail'>,
  { id, reason, comment }: z.output<typeof reportInput>,
): Promise<{ id: string }> {
  await inTransaction(services.db, async (transaction) => {
    await lockAuthor(transaction, id)
    await requireVisiblePost(transaction, id, null)
    await transaction
      .insertInto('reports')
      .values({ post_id: id, reason, comment, created_at: services.now() })
      .execute()
    await mailModerators(services, transaction)
  })
  services.log.info({ postId: id, reason }, 'a post was reported')
  return { id }
}
