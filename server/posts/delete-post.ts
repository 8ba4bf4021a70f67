import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import type { BlobStore } from '../storage/blob-store.ts'

/**
 * Takes a post out of the gallery. A picture that was made here stays among its owner's images; an upload
 * lives in its posts only, and goes with the last of them.
 *
 * @throws AppError `not_found`, or `forbidden` to anybody but its author
 */
export async function deletePost(
  services: { db: Database; blobs: BlobStore },
  viewer: Viewer,
  input: { id: string },
): Promise<{ id: string }> {
  const orphanedFolder = await services.db.transaction().execute(async (transaction) => {
    const post = await transaction
      .selectFrom('posts')
      .select(['author_id', 'image_id'])
      .where('id', '=', input.id)
      .executeTakeFirst()
    if (!post) throw new AppError('not_found', 'There is no such post.')
    if (post.author_id !== viewer.id) throw new AppError('forbidden', 'Only its author can delete a post.')
    await transaction.deleteFrom('posts').where('id', '=', input.id).execute()
    return removeUnusedUpload(transaction, post.image_id)
  })
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
