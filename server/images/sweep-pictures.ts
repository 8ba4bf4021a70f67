import type { Database } from '../db/open-database.ts'
import type { BlobStore } from '../storage/blob-store.ts'

/** A picture is stored before its row is written; after this long, in milliseconds, no row will come. */
const orphanAge = 60 * 60 * 1_000

/** Removes the picture folders that no row knows: left by a crash between file and row, or by a failed removal. */
export async function sweepPictures(services: { db: Database; blobs: BlobStore }): Promise<number> {
  let removed = 0
  for await (const folder of services.blobs.olderThan(orphanAge)) {
    const row = await services.db
      .selectFrom('images')
      .select('id')
      .where('folder', '=', folder)
      .executeTakeFirst()
    if (row) continue
    await services.blobs.remove(folder)
    removed += 1
  }
  return removed
}
