import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { recordModeration } from './moderation-log.ts'

/**
 * The user's images with the same bytes as one of them. They are hidden and unhidden together, so that a copy made in
 * advance is no way around it.
 */
async function copiesOf(transaction: Database, imageId: string): Promise<readonly string[]> {
  const image = await transaction
    .selectFrom('images')
    .select(['owner_id', 'sha256'])
    .where('id', '=', imageId)
    .executeTakeFirstOrThrow()
  const rows = await transaction
    .selectFrom('images')
    .select('id')
    .where('owner_id', '=', image.owner_id)
    .where('sha256', '=', image.sha256)
    .execute()
  return rows.map(({ id }) => id)
}

/** Hides an image, its copies and every post that shows one of them. */
export async function hideImage(transaction: Database, imageId: string, now: number): Promise<void> {
  const ids = await copiesOf(transaction, imageId)
  await transaction
    .updateTable('images')
    .set({ hidden_at: now })
    .where('id', 'in', ids)
    .where('hidden_at', 'is', null)
    .execute()
  await transaction
    .updateTable('posts')
    .set({ hidden_at: now })
    .where('image_id', 'in', ids)
    .where('hidden_at', 'is', null)
    .execute()
}

/**
 * Shows an image, its copies and their posts again. What its author deleted while it was hidden is deleted now.
 *
 * @returns folders of images whose rows are gone; to be removed after the transaction
 */
export async function unhideImage(transaction: Database, imageId: string): Promise<readonly string[]> {
  const ids = await copiesOf(transaction, imageId)
  await transaction
    .deleteFrom('posts')
    .where('image_id', 'in', ids)
    .where('withdrawn_at', 'is not', null)
    .execute()
  const withdrawn = await transaction
    .selectFrom('images')
    .select('id')
    .where('id', 'in', ids)
    .where('withdrawn_at', 'is not', null)
    .execute()
  const unused = await transaction
    .selectFrom('images')
    .select('id')
    .where('id', 'in', ids)
    .where('source', '=', 'uploaded')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('posts').select('id').whereRef('image_id', '=', 'images.id'))),
    )
    .execute()
  const folders = await deleteImages(
    transaction,
    [...withdrawn, ...unused].map(({ id }) => id),
  )
  await transaction
    .updateTable('images')
    .set({ hidden_at: null })
    .where('id', 'in', ids)
    .where('hidden_at', 'is not', null)
    .execute()
  await transaction
    .updateTable('posts')
    .set({ hidden_at: null })
    .where('image_id', 'in', ids)
    .where('hidden_at', 'is not', null)
    .execute()
  return folders
}

/**
 * Deletes an image with its copies and every post that shows one of them, and records each post. Its owner can't share
 * the same bytes again.
 *
 * @returns folders of images whose rows are gone; to be removed after the transaction
 */
export async function deleteModeratedImage(
  transaction: Database,
  administrator: Viewer,
  imageId: string,
  now: number,
): Promise<readonly string[]> {
  const ids = await copiesOf(transaction, imageId)
  const posts = await transaction.selectFrom('posts').select('id').where('image_id', 'in', ids).execute()
  const postIds = posts.map(({ id }) => id)
  await recordModeration(transaction, administrator, { action: 'delete', postIds, now })
  await transaction.deleteFrom('posts').where('image_id', 'in', ids).execute()
  return deleteImages(transaction, ids)
}

async function deleteImages(transaction: Database, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const deleted = await transaction.deleteFrom('images').where('id', 'in', ids).returning('folder').execute()
  return deleted.flatMap(({ folder }) => folder ?? [])
}

/** Takes a hidden post from its author, who deleted it, and keeps it for the administrators until one decides. */
export async function withdrawPost(transaction: Database, postId: string, now: number): Promise<void> {
  await transaction.updateTable('posts').set({ withdrawn_at: now }).where('id', '=', postId).execute()
}

/** Takes a hidden image and its posts from their owner likewise. Its request key may name another image now. */
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
 * Refuses to share what administrators have taken out of the gallery: an image of the user's with these bytes. To be
 * called in the transaction that shares it.
 *
 * @throws AppError `forbidden`
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
  if (hidden) throw new AppError('forbidden', 'An administrator has hidden this image. It cannot be shared.')
  const deleted = await transaction
    .selectFrom('moderation_log')
    .select('seq')
    .where('author_id', '=', ownerId)
    .where('image_sha256', '=', sha256)
    .executeTakeFirst()
  if (deleted) {
    throw new AppError('forbidden', 'An administrator has deleted this image. It cannot be shared again.')
  }
}
