import type { Logger } from 'pino'
import type { ReportReason } from '../../shared/moderation.ts'
import { requireVisiblePost } from '../access/visible-post.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { mailModerators } from '../mail/notices.ts'
import { lockAuthor } from './post-queries.ts'

/**
 * Reports a post to the administrators. The reporter is not stored.
 *
 * @throws AppError `not_found`, also for a post that is hidden already or private
 */
export async function reportPost(
  services: { db: Database; log: Logger; now: () => number; sendsMail: boolean },
  report: { readonly id: string; readonly reason: ReportReason; readonly comment: string },
): Promise<{ id: string }> {
  const { id, reason, comment } = report
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
