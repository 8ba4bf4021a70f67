import { lockUser } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { findImagesInUse } from './generation/states.ts'
import { removeFolders } from './trash.ts'

/**
 * Deletes uploads that were stored for a request that was rejected afterwards. Keeps those that were shared meanwhile, or
 * that another generation refers to. Their upload quota stays consumed, as that of uploads that cannot be decoded.
 */
export async function discardUploads(
  { db, blobs }: { readonly db: Database; readonly blobs: BlobStore },
  ownerId: string,
  imageIds: readonly string[],
): Promise<void> {
  if (imageIds.length === 0) return
  const folders = await inTransaction(db, async (transaction) => {
    await lockUser(transaction, ownerId)
    const used = await findImagesInUse(transaction, ownerId)
    const rows = await transaction
      .selectFrom('images')
      .select(['id', 'folder'])
      .where('owner_id', '=', ownerId)
      .where('source', '=', 'uploaded')
      .where('id', 'in', imageIds)
      .where('hidden_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .where((eb) =>
        eb.not(
          eb.exists(eb.selectFrom('posts').select('posts.id').whereRef('posts.image_id', '=', 'images.id')),
        ),
      )
      .execute()
    const unused = rows.filter(({ id }) => !used.has(id))
    if (unused.length === 0) return []
    const ids = unused.map(({ id }) => id)
    await transaction.deleteFrom('images').where('id', 'in', ids).execute()
    const unlinked = unused.flatMap(({ folder }) => folder ?? [])
    await blobs.unlink(transaction, unlinked)
    return unlinked
  })
  await removeFolders(blobs, folders)
}
