import type { Database } from '../db/open-database.ts'
import type { BlobStore } from '../storage/blob-store.ts'

/** A picture is stored before its row is written; after this long, in milliseconds, no row will come. */
const orphanAge = 60 * 60 * 1_000

interface SweepServices {
  readonly db: Database
  readonly blobs: BlobStore
}

/** The picture folders that no row knows, and that none will: left by a crash between file and row, or by a failed removal. */
export async function* unknownFolders({ db, blobs }: SweepServices): AsyncGenerator<string> {
  for await (const folder of blobs.olderThan(orphanAge)) {
    const row = await db.selectFrom('images').select('id').where('folder', '=', folder).executeTakeFirst()
    if (!row) yield folder
  }
}

/** Removes them; returns how many there were. */
export async function sweepPictures(services: SweepServices): Promise<number> {
  let removed = 0
  for await (const folder of unknownFolders(services)) {
    await services.blobs.remove(folder)
    removed += 1
  }
  return removed
}
