import type { Database } from '../db/open-database.ts'
import type { Image } from './processing.ts'

/** Image with stored files. */
export interface StoredImage {
  readonly id: string
  readonly folder: string
  /** SHA-256 of the original, in hex. */
  readonly sha256: string
}

const batchSize = 500

/** Yields each folder with a boolean that is true if a row refers to it. */
export async function* lookUpFolders<Folder extends { readonly name: string }>(
  db: Database,
  folders: AsyncIterable<Folder>,
): AsyncGenerator<readonly [Folder, boolean]> {
  let batch: Folder[] = []
  for await (const folder of folders) {
    batch.push(folder)
    if (batch.length < batchSize) continue
    yield* await lookUp(db, batch)
    batch = []
  }
  yield* await lookUp(db, batch)
}

async function lookUp<Folder extends { readonly name: string }>(db: Database, folders: readonly Folder[]) {
  if (folders.length === 0) return []
  const names = folders.map(({ name }) => name)
  const rows = await db.selectFrom('images').select('folder').where('folder', 'in', names).execute()
  const listed = new Set(rows.map(({ folder }) => folder))
  return folders.map((folder) => [folder, listed.has(folder.name)] as const)
}

/** Lists the stored images, oldest first, in batches. Rows may be inserted and deleted during the iteration. */
export async function* storedImages(db: Database): AsyncGenerator<readonly StoredImage[]> {
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('images')
      .select(['seq', 'id', 'folder', 'sha256'])
      .where('folder', 'is not', null)
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(batchSize)
      .execute()
    yield rows.map(({ id, folder, sha256 }) => ({ id, folder: folder ?? '', sha256: sha256 ?? '' }))
    const newest = rows.at(-1)
    if (!newest || rows.length < batchSize) return
    last = newest.seq
  }
}

/** Checks whether an image's row still exists. Rows are deleted before files, and kept if files are replaced. */
export async function hasImage(db: Database, { id }: StoredImage): Promise<boolean> {
  const row = await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Checks whether a row still refers to these files. Rows are deleted or updated before their files are deleted. */
export async function hasRow(db: Database, { id, folder }: StoredImage): Promise<boolean> {
  const row = await db
    .selectFrom('images')
    .select('id')
    .where('id', '=', id)
    .where('folder', '=', folder)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Replaces the stored files of an image. Uploads of the old original are still recognized.
 *
 * @returns false if the image has been deleted or replaced since it was read
 */
export async function replaceStoredImage(
  db: Database,
  { id, folder, sha256: replaced }: StoredImage,
  by: { readonly folder: string; readonly image: Image },
): Promise<boolean> {
  const { bytes, sha256, width, height, placeholder } = by.image
  const { numUpdatedRows } = await db
    .updateTable('images')
    .set({ folder: by.folder, bytes, sha256, upload_sha256: replaced, width, height, placeholder })
    .where('id', '=', id)
    .where('folder', '=', folder)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Counts the stored images. */
export async function countStoredImages(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('images')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('folder', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}
