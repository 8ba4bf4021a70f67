import type { Appeal } from '../../shared/moderation.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'

/** Selects the appeals that wait for an answer: the post is still hidden, and its author has not deleted it. */
export function selectOpenAppeals(db: Database) {
  return db
    .selectFrom('appeals')
    .innerJoin('posts as appealed', 'appealed.id', 'appeals.post_id')
    .where('appeals.closed_at', 'is', null)
    .where('appealed.hidden_at', 'is not', null)
    .where('appealed.withdrawn_at', 'is', null)
}

/** Closes the open appeals about some posts. */
export async function closeAppeals(
  transaction: Database,
  postIds: readonly string[],
  now: number,
): Promise<void> {
  await transaction
    .updateTable('appeals')
    .set({ closed_at: now })
    .where(isOneOf(transaction, 'post_id', postIds, 'text'))
    .where('closed_at', 'is', null)
    .execute()
}

/** Converts a row; null without an appeal. */
export function toAppeal(row: {
  readonly comment: string | null
  readonly created_at: number | null
  readonly closed_at: number | null
}): Appeal | null {
  if (row.comment === null || row.created_at === null) return null
  return {
    comment: row.comment,
    createdAt: new Date(row.created_at).toISOString(),
    isDismissed: row.closed_at !== null,
  }
}
