import type { ModerationAction, ModerationRecord } from '../../shared/moderation.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'

/** How many records the page shows. */
const shownRecords = 50

/** Writes down what an administrator did to a post; to be called in the transaction that does it. */
export async function recordModeration(
  transaction: Database,
  administrator: Viewer,
  did: { readonly action: ModerationAction; readonly postId: string; readonly now: number },
): Promise<void> {
  await transaction
    .insertInto('moderation_log')
    .values({
      action: did.action,
      administrator_id: administrator.id,
      administrator_name: administrator.firstName,
      post_id: did.postId,
      created_at: did.now,
    })
    .execute()
}

/** What administrators did last, newest first. */
export async function listModeration({ db }: { db: Database }): Promise<readonly ModerationRecord[]> {
  const rows = await db
    .selectFrom('moderation_log')
    .leftJoin('posts', 'posts.id', 'moderation_log.post_id')
    .select([
      'moderation_log.action',
      'moderation_log.administrator_name',
      'moderation_log.post_id',
      'moderation_log.created_at',
      'posts.name',
    ])
    .orderBy('moderation_log.seq', 'desc')
    .limit(shownRecords)
    .execute()
  return rows.map((row) => ({
    action: row.action,
    administrator: row.administrator_name,
    postId: row.post_id,
    postName: row.name,
    createdAt: new Date(row.created_at).toISOString(),
  }))
}
