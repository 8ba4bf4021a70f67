import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { hasNoPosts } from './images.ts'
import { recordModeration } from '../audit/moderation-log.ts'
import { informAuthor } from '../mail/notices.ts'
import { closeAppeals } from '../audit/waiting-reports.ts'

/** Hides an image, its copies and every post of them. @returns ids of the posts */
export async function hideImage(
  transaction: Database,
  imageId: string,
  now: number,
): Promise<readonly string[]> {
  return setHiddenAt(transaction, await copiesOf(transaction, imageId), now)
}

/**
 * Unhides an image, its copies and their posts, and closes appeals. Completes deletions by their author meanwhile, and
 * returns the deleted images.
 */
export async function unhideImage(transaction: Database, imageId: string, now: number) {
  const ids = await copiesOf(transaction, imageId)
  await closeAppeals(transaction, await postIdsOf(transaction, ids), now)
  await transaction
    .deleteFrom('posts')
    .where('image_id', 'in', ids)
    .where('withdrawn_at', 'is not', null)
    .execute()
  const deleted = await transaction
    .deleteFrom('images')
    .where('id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb('withdrawn_at', 'is not', null),
        // An upload exists for its posts only.
        eb.and([eb('source', '=', 'uploaded'), hasNoPosts(eb)]),
      ]),
    )
    .returning('folder')
    .execute()
  await setHiddenAt(transaction, ids, null)
  return deleted
}

/**
 * Deletes an image, its copies and every post of them, and records each post. The owner can't share the same bytes
 * again. Returns the images.
 */
export async function deleteModeratedImage(
  services: { readonly sendsMail: boolean },
  transaction: Database,
  administrator: Viewer,
  { postId, imageId, now }: { readonly postId: string; readonly imageId: string; readonly now: number },
) {
  const ids = await copiesOf(transaction, imageId)
  const postIds = await postIdsOf(transaction, ids)
  await recordModeration(transaction, administrator, { action: 'delete', postIds, now })
  await informAuthor(services, transaction, administrator, { postId, decision: 'deleted', now })
  await transaction.deleteFrom('posts').where('image_id', 'in', ids).execute()
  return transaction.deleteFrom('images').where('id', 'in', ids).returning('folder').execute()
}

/** Withdraws a hidden image that its owner deletes, with its posts, and frees its request key. */
export async function withdrawImage(transaction: Database, imageId: string, now: number): Promise<void> {
  await transaction
    .updateTable('posts')
    .set({ withdrawn_at: now })
    .where('image_id', '=', imageId)
    .where('withdrawn_at', 'is', null)
    .execute()
  await transaction
    .updateTable('images')
    .set({ withdrawn_at: now, request_key: null })
    .where('id', '=', imageId)
    .execute()
}

/**
 * Verifies that bytes may be shared, in the transaction that shares them.
 * @throws AppError `forbidden` if a moderator hid or deleted them
 */
export async function rejectModeratedImage(
  transaction: Database,
  ownerId: string,
  sha256: string,
): Promise<void> {
  const hidden = await transaction
    .selectFrom('images')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('sha256', '=', sha256)
    .where('hidden_at', 'is not', null)
    .executeTakeFirst()
  if (hidden) throw new AppError('forbidden', describedDetail('image_hidden'))
  const deleted = await transaction
    .selectFrom('moderation_log')
    .select('seq')
    .where('author_id', '=', ownerId)
    .where('image_sha256', '=', sha256)
    .where('action', '=', 'delete')
    .executeTakeFirst()
  if (deleted) {
    throw new AppError('forbidden', describedDetail('image_deleted_by_administrator'))
  }
}

/** Marks every post of an image and its copies as sensitive, or removes the mark. */
export async function setImageSensitive(
  transaction: Database,
  imageId: string,
  isSensitive: boolean,
): Promise<void> {
  await transaction
    .updateTable('posts')
    .set({ sensitive: Number(isSensitive) })
    .where('image_id', 'in', await copiesOf(transaction, imageId))
    .execute()
}

/** Checks whether an administrator has marked the bytes of a user's image as sensitive, by the latest record. */
export async function isMarkedSensitive(db: Database, imageId: string): Promise<boolean> {
  const record = await db
    .selectFrom('images')
    .innerJoin('moderation_log', 'moderation_log.author_id', 'images.owner_id')
    .leftJoin('posts', 'posts.id', 'moderation_log.post_id')
    .leftJoin('images as marked', 'marked.id', 'posts.image_id')
    .select('moderation_log.action')
    .where('images.id', '=', imageId)
    .where('moderation_log.action', 'in', ['mark_sensitive', 'unmark_sensitive'])
    .where((eb) =>
      eb(
        // Older records name the post only.
        eb.fn.coalesce('moderation_log.image_sha256', 'marked.sha256'),
        'in',
        [eb.ref('images.sha256'), eb.ref('images.upload_sha256')],
      ),
    )
    .orderBy('moderation_log.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return record?.action === 'mark_sensitive'
}

/**
 * Ids of the owner's images with the same bytes, including the image itself. They are moderated together, so that a
 * copy made in advance does not circumvent it.
 */
async function copiesOf(transaction: Database, imageId: string): Promise<readonly string[]> {
  const copies = await transaction
    .selectFrom('images')
    .innerJoin('images as copies', (join) =>
      join.onRef('copies.owner_id', '=', 'images.owner_id').onRef('copies.sha256', '=', 'images.sha256'),
    )
    .select('copies.id')
    .where('images.id', '=', imageId)
    .execute()
  return copies.map(({ id }) => id)
}

async function postIdsOf(transaction: Database, imageIds: readonly string[]): Promise<readonly string[]> {
  const posts = await transaction.selectFrom('posts').select('id').where('image_id', 'in', imageIds).execute()
  return posts.map(({ id }) => id)
}

/** Leaves the time of rows that are hidden already. @returns ids of the posts that were changed */
async function setHiddenAt(
  transaction: Database,
  imageIds: readonly string[],
  hiddenAt: number | null,
): Promise<readonly string[]> {
  const current = hiddenAt === null ? 'is not' : 'is'
  // Posts first: their triggers lock the gallery, then images, as in inserts of posts.
  const posts = await transaction
    .updateTable('posts')
    .set({ hidden_at: hiddenAt })
    .where('image_id', 'in', imageIds)
    .where('hidden_at', current, null)
    .returning('id')
    .execute()
  await transaction
    .updateTable('images')
    .set({ hidden_at: hiddenAt })
    .where('id', 'in', imageIds)
    .where('hidden_at', current, null)
    .execute()
  return posts.map(({ id: postId }) => postId)
}
