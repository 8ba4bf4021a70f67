import type { Logger } from 'pino'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { recordModeration } from '../moderation/moderation-log.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { noSuchPost } from './no-such-post.ts'

/**
 * Takes a post out of the gallery. A picture that was made here stays among its owner's images; an upload
 * lives in its posts only, and goes with the last of them. What an administrator deletes of others is recorded.
 *
 * @throws AppError `not_found`, or `forbidden` to anybody but its author and administrators
 */
export async function deletePost(
  services: { db: Database; blobs: BlobStore; log: Logger; now: () => number },
  viewer: Viewer,
  input: { id: string },
): Promise<{ id: string }> {
  const { authorId, orphanedFolder } = await services.db.transaction().execute(async (transaction) => {
    const post = await transaction
      .selectFrom('posts')
      .select(['author_id', 'image_id'])
      .where('id', '=', input.id)
      .executeTakeFirst()
    if (!post) throw noSuchPost()
    if (post.author_id !== viewer.id && !viewer.isAdministrator) {
      throw new AppError('forbidden', 'Only its author can delete a post.')
    }
    await transaction.deleteFrom('posts').where('id', '=', input.id).execute()
    if (post.author_id !== viewer.id) {
      await recordModeration(transaction, viewer, { action: 'delete', postId: input.id, now: services.now() })
    }
    return {
      authorId: post.author_id,
      orphanedFolder: await removeUnusedUpload(transaction, post.image_id),
    }
  })
  if (authorId !== viewer.id) {
    services.log.info(
      { postId: input.id, authorId, administratorId: viewer.id },
      'an administrator deleted a post',
    )
  }
  if (orphanedFolder) await services.blobs.remove(orphanedFolder)
  return { id: input.id }
}

/** Returns the folder of the upload whose row it deleted, if it did. */
async function removeUnusedUpload(transaction: Database, imageId: string): Promise<string | null> {
  const deleted = await transaction
    .deleteFrom('images')
    .where('id', '=', imageId)
    .where('source', '=', 'uploaded')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('posts').select('id').where('image_id', '=', imageId))),
    )
    .returning('folder')
    .executeTakeFirst()
  return deleted?.folder ?? null
}
