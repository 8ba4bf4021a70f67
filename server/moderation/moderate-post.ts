import type { Logger } from 'pino'
import type { ReportDecision } from '../../shared/moderation.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { PlannedChanges } from '../db/content-version.ts'
import type { Database } from '../db/open-database.ts'
import { hasRows } from '../db/rows.ts'
import { inTransaction } from '../db/transaction.ts'
import { removeFolders } from '../images/stored-images.ts'
import { lockAuthor } from '../posts/post-queries.ts'
import { postNotFound } from '../access/visible-post.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { requireUnblocked, type UserServices } from '../access/user-access.ts'
import type { Call } from '../procedures/procedures.ts'
import { queuePostsHidden } from '../webhooks/webhook-events.ts'
import { recordModeration } from '../audit/moderation-log.ts'
import { informAuthor, type Decision } from '../mail/notices.ts'
import { hideImage, isMarkedSensitive, setImageSensitive, unhideImage } from '../images/moderated-images.ts'
import { closeAppeals, selectOpenAppeals } from '../audit/waiting-reports.ts'

/** Services that the procedures of this module take. Not in the router's file, whose types the client package contains. */
export interface ModerationServices extends UserServices {
  readonly blobs: BlobStore
  readonly plannedChanges: PlannedChanges
  readonly log: Logger
  readonly sendsMail: boolean
}

/** The call of a moderator who decides about a post or a collection, with words to its author. */
export type Decided = Call<ModerationServices, { readonly id: string; readonly note?: string }>

/**
 * Hides or unhides a post with its image and every other post of that image, or dismisses the reports of the post and the
 * appeal of its author. An action without effect is not recorded.
 *
 * @throws AppError `not_found`
 */
export async function moderatePost(
  { ctx: { services, viewer: administrator }, input: { id, note } }: Decided,
  action: ReportDecision,
): Promise<{ id: string }> {
  const now = services.now()
  await inTransaction(services.db, async (transaction) => {
    const post = await lockModeratedPost(transaction, administrator, id)
    const hasAppeal =
      action === 'dismiss' &&
      (await hasRows(
        selectOpenAppeals(transaction).select('appeals.decision').where('appeals.post_id', '=', id),
      ))
    const hasEffect =
      action === 'dismiss'
        ? hasAppeal || (await hasReports(transaction, id))
        : (post.hidden_at === null) === (action === 'hide')
    if (!hasEffect) return
    const record = { action, postIds: [id], now, ...(note !== undefined && { note }) }
    await recordModeration(transaction, administrator, record)
    const inform = (decision: Decision['decision']) =>
      informAuthor(services, transaction, administrator, { postId: id, decision, note, now })
    switch (action) {
      case 'hide': {
        await inform('hidden')
        const hidden = await hideImage(transaction, post.image_id, now)
        await queuePostsHidden(transaction, hidden, { note: note ?? '', occurredAt: now })
        return
      }
      case 'unhide':
        await inform('restored')
        await removeFolders(services, transaction, await unhideImage(transaction, post.image_id, now))
        return
      case 'dismiss':
        await transaction.deleteFrom('reports').where('post_id', '=', id).execute()
        if (hasAppeal) await inform('appeal-dismissed')
        await closeAppeals(transaction, [id], now)
    }
  })
  return { id }
}

/**
 * Finds a post for a decision of a moderator, and locks its author. Moderators decide about a private post only if it is
 * hidden or reported, administrators about any.
 *
 * @throws AppError `not_found`; `forbidden` if the moderator was blocked after the request was authenticated
 */
async function lockModeratedPost(transaction: Database, moderator: Viewer, id: string) {
  await lockAuthor(transaction, id)
  await requireUnblocked(transaction, moderator)
  const post = await transaction
    .selectFrom('posts')
    .select(['id', 'image_id', 'visibility', 'hidden_at', 'sensitive'])
    .where('id', '=', id)
    .executeTakeFirst()
  const isSeen =
    post &&
    (moderator.role === 'administrator' ||
      post.visibility !== 'private' ||
      post.hidden_at !== null ||
      (await hasReports(transaction, id)))
  if (!isSeen) throw postNotFound()
  return post
}

function hasReports(transaction: Database, postId: string): Promise<boolean> {
  return hasRows(transaction.selectFrom('reports').select('seq').where('post_id', '=', postId))
}

/**
 * Marks every post of an image as sensitive, or removes the mark. The author can't remove the mark of an administrator, or
 * share the same bytes without it. An action without effect is not recorded.
 *
 * @throws AppError `not_found`
 */
export async function setSensitive({
  ctx: { services, viewer: administrator },
  input: { id, isSensitive },
}: Call<UserServices, { readonly id: string; readonly isSensitive: boolean }>): Promise<{ id: string }> {
  await inTransaction(services.db, async (transaction) => {
    const post = await lockModeratedPost(transaction, administrator, id)
    const isMarked = await isMarkedSensitive(transaction, post.image_id)
    if (isMarked === isSensitive && (post.sensitive === 1) === isSensitive) return
    await recordModeration(transaction, administrator, {
      action: isSensitive ? 'mark_sensitive' : 'unmark_sensitive',
      postIds: [id],
      now: services.now(),
    })
    await setImageSensitive(transaction, post.image_id, isSensitive)
  })
  return { id }
}
