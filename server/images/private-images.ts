import type { ExpressionBuilder } from 'kysely'
import { originalFile } from '../../shared/image-files.ts'
import type { Database } from '../db/open-database.ts'
import type { Schema } from '../db/schema.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { whenSlotIsFree } from './processing-slots.ts'
import { variants } from './processing.ts'

/** A copy of the files of an image, in a folder that no row refers to yet. */
export interface CopiedFiles {
  readonly from: string
  readonly to: string
}

/** Builds the condition that an image is private: it is in the trash, or it has posts, and all of them are private. */
export function isPrivateImage(eb: ExpressionBuilder<Schema, 'images'>) {
  const posts = eb.selectFrom('posts').select('posts.id').whereRef('posts.image_id', '=', 'images.id')
  return eb.or([
    eb('images.trashed_at', 'is not', null),
    eb.and([eb.exists(posts), eb.not(eb.exists(posts.where('posts.visibility', '<>', 'private')))]),
  ])
}

/**
 * Copies the original of an image, and its stored variants, durably to a new folder.
 *
 * @returns null if the original is lost
 * @throws AppError `storage_full`, `storage_unavailable`
 */
export function copyFiles(blobs: BlobStore, folder: string): Promise<CopiedFiles | null> {
  // Waiting copies hold no image in memory.
  return whenSlotIsFree(async () => {
    const files: Record<string, Uint8Array> = {}
    for (const file of [originalFile, ...variants.map((variant) => variant.file)]) {
      const bytes = await blobs.read(folder, file)
      if (bytes) files[file] = bytes
    }
    return originalFile in files ? { from: folder, to: await blobs.put(files) } : null
  })
}

/**
 * Moves an image to a copy of its files if it is private now, since others may know the address of the former ones. Call
 * it in the transaction that made its posts private.
 *
 * @returns the folder that no row refers to, to be removed after the transaction
 */
export async function moveIfPrivate(
  transaction: Database,
  blobs: BlobStore,
  imageId: string,
  { from, to }: CopiedFiles,
): Promise<string> {
  const { numUpdatedRows } = await transaction
    .updateTable('images')
    .set({ folder: to })
    .where('id', '=', imageId)
    .where('folder', '=', from)
    .where(isPrivateImage)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return to
  await blobs.link(transaction, to)
  await blobs.unlink(transaction, [from])
  return from
}
