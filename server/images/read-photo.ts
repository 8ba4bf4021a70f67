import { originalFile } from '../../shared/image-files.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { findOwnImage, noSuchImage } from './own-image.ts'

/**
 * The JPEG of one of the viewer's own images, base64, for callers that want bytes instead of an address.
 *
 * @throws AppError `not_found`, also for somebody else's image
 */
export async function readPhoto(
  services: { db: Database; blobs: BlobStore },
  viewer: Viewer,
  input: { id: string },
): Promise<{ photo: string }> {
  const image = await findOwnImage(services.db, viewer, input.id)
  const bytes = image.folder && (await services.blobs.read(image.folder, originalFile))
  if (!bytes) throw noSuchImage()
  return { photo: Buffer.from(bytes).toString('base64') }
}
