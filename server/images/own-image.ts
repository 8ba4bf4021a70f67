import type { Selectable } from 'kysely'
import { originalFile } from '../../shared/image-files.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { ImagesTable } from '../db/schema.ts'
import { AppError } from '../errors/app-error.ts'
import type { BlobStore } from '../storage/blob-store.ts'

/**
 * One of the viewer's own generated images.
 *
 * @throws AppError `not_found`, also for somebody else's: that it exists is nobody's business
 */
export async function findOwnImage(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<Selectable<ImagesTable>> {
  const row = await db
    .selectFrom('images')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', viewer.id)
    .where('source', '=', 'generated')
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw noSuchImage()
  return row
}

/**
 * The id of the viewer's stored image that has exactly these bytes: those of its original, or those that were uploaded
 * before they were re-encoded. Null without one, also where its file is lost: uploading it again brings it back, unless
 * it is hidden.
 *
 * @param digest SHA-256 of the bytes, in hex
 */
export async function findImageByBytes(
  { db, blobs }: { readonly db: Database; readonly blobs: BlobStore },
  viewer: Viewer,
  digest: string,
): Promise<string | null> {
  const images = await db
    .selectFrom('images')
    .select(['id', 'folder', 'hidden_at'])
    .where('owner_id', '=', viewer.id)
    .where((eb) => eb.or([eb('sha256', '=', digest), eb('upload_sha256', '=', digest)]))
    .where('state', '=', 'ready')
    .orderBy('seq', 'desc')
    .execute()
  for (const { id, folder, hidden_at } of images) {
    if (hidden_at !== null || (folder !== null && (await blobs.open(folder, originalFile)))) return id
  }
  return null
}

/** The error for an image that is not there, or is not the caller's to know of. */
export function noSuchImage(): AppError {
  return new AppError('not_found', 'Image not found.')
}
