import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import { originalFile, thumbnailFile, thumbnailSizes } from '../../shared/image-files.ts'
import { trashDays } from '../../shared/images.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { removeFolders, removeTrashed } from './trash.ts'

/** Minimum time between two sweeps. Each process begins one at its start and every hour. */
const minSweepIntervalMs = 30 * 60 * 1_000

/** Number of images that a sweep reads at once. */
const batchSize = 200

/** Number of images whose files are measured at once. */
const measureConcurrency = 8

interface SweepServices {
  readonly db: Database
  readonly blobs: BlobStore
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Result of a sweep, in numbers of images. */
export interface ImageSweep {
  /** Deleted, after their time in the trash. */
  readonly deleted: number
  /** Stored by a version that did not store `bytes`. */
  readonly measured: number
}

/**
 * Deletes the images whose time in the trash is over, and measures those without `bytes`. One process of the site
 * does so at a time, in small transactions: the next sweep continues what one that was interrupted has left.
 */
export async function sweepImages(services: SweepServices): Promise<ImageSweep> {
  if (!(await claimSweep(services))) return { deleted: 0, measured: 0 }
  return { deleted: await deleteExpired(services), measured: await measureImages(services) }
}

/**
 * Claims the sweep. Two at once would do no harm, only the same work; so this is no lock, which a connection pooler could
 * lose.
 *
 * @returns false if a process has begun one recently
 */
async function claimSweep({ db, now }: SweepServices): Promise<boolean> {
  const startedAt = now()
  const { numUpdatedRows } = await db
    .updateTable('site')
    .set({ images_swept_at: startedAt })
    .where('images_swept_at', '<=', startedAt - minSweepIntervalMs)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

async function deleteExpired(services: SweepServices): Promise<number> {
  const { db, blobs } = services
  const trashedUntil = services.now() - trashDays * msPerDay
  let deleted = 0
  for (;;) {
    const expired = await db
      .selectFrom('images')
      .select('owner_id')
      .where('trashed_at', '<=', trashedUntil)
      .where('withdrawn_at', 'is', null)
      .orderBy('trashed_at')
      .limit(batchSize)
      .execute()
    if (expired.length === 0) return deleted
    for (const ownerId of new Set(expired.map(({ owner_id }) => owner_id))) {
      const { images, folders } = await removeTrashed(services, ownerId, { trashedUntil })
      await removeFolders(blobs, folders)
      deleted += images
      await nextTurn()
    }
  }
}

/** Stores the bytes of images that have files and no `bytes` yet. Files that are lost count as empty. */
async function measureImages({ db, blobs }: SweepServices): Promise<number> {
  const limit = pLimit(measureConcurrency)
  let measured = 0
  for (;;) {
    const images = await db
      .selectFrom('images')
      .select(['id', 'folder'])
      .where('folder', 'is not', null)
      .where('bytes', 'is', null)
      .orderBy('seq')
      .limit(batchSize)
      .execute()
    if (images.length === 0) return measured
    const sizes = await limit.map(images, async ({ id, folder }) => ({
      id,
      folder,
      bytes: await storedBytesOf(blobs, folder ?? ''),
    }))
    await inTransaction(db, async (transaction) => {
      for (const { id, folder, bytes } of sizes) {
        await transaction
          .updateTable('images')
          .set({ bytes })
          .where('id', '=', id)
          .where('folder', '=', folder)
          .execute()
      }
    })
    measured += images.length
    await nextTurn()
  }
}

/** Counts the bytes of the files that are stored with each image. */
async function storedBytesOf(blobs: BlobStore, folder: string): Promise<number> {
  let bytes = 0
  for (const file of [originalFile, ...thumbnailSizes.map(thumbnailFile)]) {
    bytes += (await blobs.size(folder, file)) ?? 0
  }
  return bytes
}
