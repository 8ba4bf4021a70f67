import type { ModerationAction } from '../../shared/moderation.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { noSuchPost } from '../posts/no-such-post.ts'
import { recordModeration } from './moderation-log.ts'

/** What can be done to a post that stays. */
export type Judgement = Exclude<ModerationAction, 'delete'>

/**
 * Hides a post from the gallery, shows it again, or dismisses what was reported of it; done twice it is done, and
 * recorded, once.
 *
 * @throws AppError `not_found`
 */
export async function judgePost(
  services: { db: Database; now: () => number },
  administrator: Viewer,
  { id, action }: { readonly id: string; readonly action: Judgement },
): Promise<{ id: string }> {
  const now = services.now()
  await services.db.transaction().execute(async (transaction) => {
    const post = await transaction.selectFrom('posts').select('id').where('id', '=', id).executeTakeFirst()
    if (!post) throw noSuchPost()
    const changed = await carryOut(transaction, id, action, now)
    if (changed) await recordModeration(transaction, administrator, { action, postId: id, now })
  })
  return { id }
}

/** Returns whether there was anything to do. */
async function carryOut(db: Database, id: string, action: Judgement, now: number): Promise<boolean> {
  if (action === 'dismiss') {
    const { numDeletedRows } = await db.deleteFrom('reports').where('post_id', '=', id).executeTakeFirst()
    return numDeletedRows > 0n
  }
  const hides = action === 'hide'
  const { numUpdatedRows } = await db
    .updateTable('posts')
    .set({ hidden_at: hides ? now : null })
    .where('id', '=', id)
    .where('hidden_at', hides ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
