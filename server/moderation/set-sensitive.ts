import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockAuthor, postNotFound } from '../posts/post-queries.ts'
import { recordModeration } from './audit-log.ts'

/**
 * Marks a post as sensitive, or removes the mark. The author can't remove the mark of an administrator. An action without
 * effect is not recorded.
 *
 * @throws AppError `not_found`
 */
export async function setSensitive(
  services: { readonly db: Database; readonly now: () => number },
  administrator: Viewer,
  { id, isSensitive }: { readonly id: string; readonly isSensitive: boolean },
): Promise<{ id: string }> {
  await inTransaction(services.db, async (transaction) => {
    await lockAuthor(transaction, id)
    const post = await transaction
      .selectFrom('posts')
      .select(['id', 'author_id', 'sensitive'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!post) throw postNotFound()
    const isMarked = await isMarkedSensitive(transaction, post)
    if (isMarked === isSensitive && (post.sensitive === 1) === isSensitive) return
    await recordModeration(transaction, administrator, {
      action: isSensitive ? 'mark_sensitive' : 'unmark_sensitive',
      postIds: [id],
      now: services.now(),
    })
    await transaction
      .updateTable('posts')
      .set({ sensitive: Number(isSensitive) })
      .where('id', '=', id)
      .execute()
  })
  return { id }
}

/** Checks whether an administrator has marked a post as sensitive, by the latest record. */
export async function isMarkedSensitive(
  db: Database,
  post: { readonly id: string; readonly author_id: string },
): Promise<boolean> {
  const record = await db
    .selectFrom('moderation_log')
    .select('action')
    .where('author_id', '=', post.author_id)
    .where('post_id', '=', post.id)
    .where('action', 'in', ['mark_sensitive', 'unmark_sensitive'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return record?.action === 'mark_sensitive'
}
