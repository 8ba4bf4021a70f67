import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors/app-error.ts'
import { withdrawImage } from '../moderation/moderated-images.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { findOwnImage } from './own-image.ts'

/**
 * Deletes one of the viewer's images for good: its image, and the posts that show it. The day's count stays. A hidden
 * image is kept for the administrators until one decides.
 *
 * @throws AppError `not_found`, or `bad_input` while it is still being made
 */
export async function deleteImage(
  services: { db: Database; blobs: BlobStore; now: () => number },
  viewer: Viewer,
  input: { id: string },
): Promise<{ id: string }> {
  const folder = await services.db.transaction().execute(async (transaction) => {
    const image = await findOwnImage(transaction, viewer, input.id)
    if (image.state === 'generating') {
      throw new AppError('bad_input', 'This image is still being made. Cancel it first.')
    }
    if (image.hidden_at !== null) {
      await withdrawImage(transaction, image.id, services.now())
      return null
    }
    await transaction.deleteFrom('posts').where('image_id', '=', image.id).execute()
    await transaction.deleteFrom('images').where('id', '=', image.id).execute()
    return image.folder
  })
  if (folder) await services.blobs.remove(folder)
  return { id: input.id }
}
