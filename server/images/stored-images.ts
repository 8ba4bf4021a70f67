import pLimit from 'p-limit'
import { originalFile } from '../../shared/image-files.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { countRows, hasRows } from '../db/rows.ts'
import { readSite } from '../db/site.ts'
import { afterCommit, type AfterCommitOptions } from '../db/transaction.ts'
import type { DiskBlobStore } from '../storage/blob-store.ts'
import type { Needs } from './services.ts'

export interface StoredImage {
  readonly id: string
  readonly folder: string
  /** SHA-256 of the original, in hex. */
  readonly sha256: string
}

const batchSize = 500

const removalConcurrency = 8

/**
 * Unlinks the folders of images in the transaction that deletes their rows, and removes them after its commit. The next sweep
 * removes what is left, for example if the storage is down.
 */
export async function removeFolders(
  { blobs, log }: Needs<'blobs' | 'log'>,
  transaction: Database,
  images: readonly { readonly folder: string | null }[],
  options?: AfterCommitOptions,
): Promise<void> {
  const folders = images.flatMap(({ folder }) => folder ?? [])
  for (let start = 0; start < folders.length; start += batchSize) {
    await blobs.unlink(transaction, folders.slice(start, start + batchSize))
  }
  if (folders.length === 0) return
  const remove = async () => {
    const limit = pLimit(removalConcurrency)
    // The others would fail for the same reason.
    await limit.map(folders, (folder) => blobs.remove(folder)).finally(() => limit.clearQueue())
  }
  afterCommit(transaction, log, 'removing the files of deleted images', remove, options)
}

/** Removes a folder that no row has ever referred to. If that fails, the next sweep removes it. */
export async function discardFolder({ blobs, log }: Needs<'blobs' | 'log'>, folder: string): Promise<void> {
  try {
    await blobs.remove(folder)
  } catch (err) {
    log.error({ err, folder }, 'removing unused files failed')
  }
}

/** Yields each folder with a boolean that is true if a row refers to it. */
export async function* lookUpFolders<Folder extends { readonly name: string }>(
  db: Database,
  folders: AsyncIterable<Folder> | Iterable<Folder>,
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

/** Checks whether an image's row still exists. Rows are deleted before files. */
export function hasImage(db: Database, { id }: StoredImage): Promise<boolean> {
  return hasRows(db.selectFrom('images').select('id').where('id', '=', id))
}

export function countStoredImages(db: Database): Promise<number> {
  return countRows(db.selectFrom('images').where('folder', 'is not', null))
}

/** Age in milliseconds from which a folder without a row is orphaned. Images are stored before their rows are written. */
const orphanAgeMs = 60 * 60 * 1_000

/** Time that orphaned images spend in quarantine, in milliseconds. */
const quarantineMs = 7 * msPerDay

/**
 * Maximum number of orphans explained by crashes, each of which leaves the images that were being stored or removed. With
 * more orphans than this, and more orphans than listed images, the database belongs to another uploads folder.
 */
const crashLeftoversMax = 10

type DiskServices = Needs<'db'> & { readonly blobs: DiskBlobStore }

/** Result of a sweep, in numbers of images. */
export interface SweepResult {
  readonly quarantined: number
  readonly restored: number
  readonly removed: number
  /** Reason for moving no orphans, as a log message; null if they were moved. */
  readonly skippedReason: string | null
}

/** Checks whether so many images have no row that the rows must belong to other images. */
export function isMostlyUnlisted(listed: number, unlisted: number): boolean {
  return unlisted > crashLeftoversMax && unlisted > listed
}

/** Lists the folders of a blob store without a row, an hour after they last changed, and counts those with one. */
export async function findOrphans({ db, blobs }: Needs<'db' | 'blobs'>) {
  const site = await readSite(db)
  // Left by crashes and failed removals.
  const images: string[] = []
  const olderThanDatabase: string[] = []
  // Were being written or removed.
  const unfinished: string[] = []
  let listed = 0
  for await (const [{ name, isFinished, changedAt }, isListed] of lookUpFolders(
    db,
    blobs.olderThan(orphanAgeMs),
  )) {
    if (isListed) listed += 1
    else if (!isFinished) unfinished.push(name)
    else if (!site || changedAt < site.createdAt) olderThanDatabase.push(name)
    else images.push(name)
  }
  return { images, olderThanDatabase, unfinished, listed }
}

/**
 * Moves orphaned images of a disk to quarantine, and removes those that have been there for a week. Restores images
 * whose rows exist again, as from a backup.
 */
export async function sweepOrphans(services: DiskServices, now: number): Promise<SweepResult> {
  const { db, blobs } = services
  // Checked at each sweep, as another disk may be mounted while the server runs.
  if ((await blobs.siteId()) !== (await readSite(db))?.id) {
    const skippedReason =
      'the uploads folder does not belong to this database any more; its orphaned images are kept'
    return { quarantined: 0, restored: 0, removed: 0, skippedReason }
  }
  const completed = await completeRemovals(services)
  const { restored, removed } = await sweepQuarantine(services, now)
  const { images, unfinished, listed } = await findOrphans(services)
  for (const folder of unfinished) await blobs.remove(folder)
  const isSkipped = isMostlyUnlisted(listed, images.length)
  if (!isSkipped) for (const folder of images) await blobs.discard(folder)
  return {
    quarantined: isSkipped ? 0 : images.length,
    restored,
    removed: completed + removed + unfinished.length,
    skippedReason: isSkipped
      ? `the database lists ${listed} images in the uploads folder and does not list ${images.length}, which are kept`
      : null,
  }
}

/** Removes the folders of deleted images that are left, as the disk failed or the process ended before. */
async function completeRemovals({ db, blobs }: DiskServices): Promise<number> {
  let removed = 0
  for (;;) {
    const rows = await db
      .selectFrom('bucket_folders')
      .select('folder as name')
      .where('removed_at', 'is not', null)
      // Others still count as objects of a bucket.
      .where('bytes', '=', 0)
      .limit(batchSize)
      .execute()
    if (rows.length === 0) return removed
    for await (const [{ name }, isListed] of lookUpFolders(db, rows)) {
      if (isListed || (await blobs.size(name, originalFile)) === null) continue
      await blobs.remove(name)
      removed += 1
    }
    const names = rows.map(({ name }) => name)
    await db.deleteFrom('bucket_folders').where('folder', 'in', names).execute()
  }
}

async function sweepQuarantine({ db, blobs }: DiskServices, now: number) {
  let [restored, removed] = [0, 0]
  for await (const [image, isListed] of lookUpFolders(db, blobs.quarantined())) {
    if (isListed && (await blobs.restore(image))) restored += 1
    else if (image.since < now - quarantineMs) {
      await blobs.purge(image)
      removed += 1
    }
  }
  return { restored, removed }
}
