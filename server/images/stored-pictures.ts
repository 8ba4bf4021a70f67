import type { Database } from '../db/open-database.ts'

/** What an image's row says of its files. */
export interface StoredPicture {
  readonly id: string
  readonly folder: string
  /** Of the original, hexadecimal. */
  readonly sha256: string
}

const batchSize = 500

/** Every picture that a row knows, oldest first, in batches: rows that come or go meanwhile do not disturb it. */
export async function* storedPictures(db: Database): AsyncGenerator<readonly StoredPicture[]> {
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

/** Whether a picture's row is still there: it goes before the files do. */
export async function hasRow(db: Database, { id, folder }: StoredPicture): Promise<boolean> {
  const row = await db
    .selectFrom('images')
    .select('id')
    .where('id', '=', id)
    .where('folder', '=', folder)
    .executeTakeFirst()
  return row !== undefined
}

/** How many pictures rows know. */
export async function countStoredPictures(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('images')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('folder', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}
