import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import pLimit from 'p-limit'
import { originalFile, thumbnailFile, thumbnailSizes } from '../../shared/image-files.ts'
import { trashDays } from '../../shared/images.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import type { Schema } from '../db/schema.ts'
import { inTransactionAbout } from '../db/transaction.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { findImagesInUse } from './generation/states.ts'
import { hasNoPosts } from './images.ts'
import type { Needs } from './services.ts'
import { moveToTrash, removeTrashed } from './trash.ts'

/** Minimum time between two sweeps. Each process begins one at its start and every hour. */
const minSweepIntervalMs = 30 * 60 * 1_000

/** Number of images that a sweep reads at once. */
const batchSize = 200

/** Number of positions of images of which a sweep looks for unshared ones at once. */
const rangeSize = 500

/** Number of images whose files are measured at once. */
const measureConcurrency = 8

type SweepServices = Needs<'db' | 'blobs' | 'log' | 'now' | 'readOptions'>

/** Result of a sweep, in numbers of images. */
export interface ImageSweep {
  /** Moved to the trash, as they were not shared. */
  readonly trashed: number
  /** Deleted, after their time in the trash. */
  readonly deleted: number
  /** Stored by a version that did not store `bytes`. */
  readonly measured: number
}

/**
 * Moves images that are not shared to the trash after the site's `unsharedImageDays`, deletes those whose time in the trash
 * is over, and measures those without `bytes`. One process of the site does so at a time, in small transactions: the next
 * sweep continues what one that was interrupted has left.
 */
export async function sweepImages(services: SweepServices): Promise<ImageSweep> {
  if (!(await claimSweep(services))) return { trashed: 0, deleted: 0, measured: 0 }
  return {
    trashed: await trashUnshared(services),
    deleted: await deleteExpired(services),
    measured: await measureImages(services),
  }
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

async function trashUnshared({ db, now, readOptions }: SweepServices): Promise<number> {
  const { unsharedImageDays } = await readOptions(db)
  if (unsharedImageDays === null) return 0
  const isUnshared = unsharedSince(now() - unsharedImageDays * msPerDay)
  const { last } = await db
    .selectFrom('images')
    .select((eb) => eb.fn.max<number | null>('seq').as('last'))
    .executeTakeFirstOrThrow()
  let trashed = 0
  // By ranges, so that each statement reads a limited number of rows, also where most images are shared.
  for (let from = 0; from < (last ?? 0); from += rangeSize) {
    const images = await db
      .selectFrom('images')
      .select(['id', 'owner_id'])
      .where('seq', '>', from)
      .where('seq', '<=', from + rangeSize)
      .where(isUnshared)
      .execute()
    for (const ownerId of new Set(images.map(({ owner_id }) => owner_id))) {
      const ids = images.filter(({ owner_id }) => owner_id === ownerId).map(({ id }) => id)
      trashed += await trashIfUnshared(db, ownerId, ids, isUnshared, now())
    }
    await nextTurn()
  }
  return trashed
}

/** Builds the condition that an image was stored, or restored, until a time, and has no posts. */
function unsharedSince(time: number) {
  return (eb: ExpressionBuilder<Schema, 'images'>) =>
    eb.and([
      eb('state', '=', 'succeeded'),
      eb('trashed_at', 'is', null),
      eb('withdrawn_at', 'is', null),
      // An administrator decides about hidden ones.
      eb('hidden_at', 'is', null),
      eb(eb.fn.coalesce('restored_at', 'created_at'), '<=', time),
      hasNoPosts(eb),
    ])
}

/** Moves images of a user to the trash, except those that were shared meanwhile, or that a running generation refers to. */
function trashIfUnshared(
  db: Database,
  ownerId: string,
  ids: readonly string[],
  isUnshared: ReturnType<typeof unsharedSince>,
  now: number,
): Promise<number> {
  return inTransactionAbout(db, ownerId, async (transaction) => {
    const used = await findImagesInUse(transaction, ownerId)
    const rows = await transaction
      .selectFrom('images')
      .select('id')
      .where('id', 'in', ids)
      .where(isUnshared)
      .execute()
    const unshared = rows.map(({ id }) => id).filter((id) => !used.has(id))
    if (unshared.length > 0) await moveToTrash(transaction, unshared, now)
    return unshared.length
  })
}

async function deleteExpired(services: SweepServices): Promise<number> {
  const { db } = services
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
      deleted += await removeTrashed(services, ownerId, { trashedUntil })
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
    await limit.map(images, async ({ id, folder }) => {
      const bytes = await storedBytesOf(blobs, folder ?? '')
      await db.updateTable('images').set({ bytes }).where('id', '=', id).execute()
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
