import type { Logger } from 'pino'
import type { ReportReason } from '../../shared/moderation.ts'
import type { Database } from '../db/open-database.ts'
import { postNotFound } from '../posts/post-queries.ts'

/**
 * Puts a post before the administrators. Who reported it is not kept.
 *
 * @throws AppError `not_found`, also for a post that is hidden already
 */
export async function reportPost(
  services: { db: Database; log: Logger; now: () => number },
  report: { readonly id: string; readonly reason: ReportReason; readonly comment: string },
): Promise<{ id: string }> {
  const { id, reason, comment } = report
  await services.db.transaction().execute(async (transaction) => {
    const post = await transaction
      .selectFrom('posts')
      .select('id')
      .where('id', '=', id)
      .where('hidden_at', 'is', null)
      .executeTakeFirst()
    if (!post) throw postNotFound()
    await transaction
      .insertInto('reports')
      .values({ post_id: id, reason, comment, created_at: services.now() })
      .execute()
  })
  services.log.info({ postId: id, reason }, 'a post was reported')
  return { id }
}
