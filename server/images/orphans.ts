import type { Database } from '../db/open-database.ts'
import { readSite } from '../db/site.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { lookUpFolders } from './stored-images.ts'

/** Age of a folder without a row after which it is orphaned, in milliseconds: an image is stored before its row is written. */
const orphanAgeMs = 60 * 60 * 1_000

/** Time for which an orphaned image stays in quarantine, in milliseconds. */
const quarantineMs = 7 * 24 * 60 * 60 * 1_000

/**
 * Number of orphans that crashes explain: each leaves as many as images were being stored or removed, and a small site may
 * have fewer images than that. Beyond it, more orphans than images mean that the rows belong to other images.
 */
const crashLeftoversMax = 10

interface OrphanServices {
  readonly db: Database
  readonly blobs: BlobStore
}

/** Folders of a blob store without a row, an hour after they last changed. */
export interface Orphans {
  /** Images that the database can have stored, as crashes and failed removals leave them. */
  readonly images: readonly string[]
  /** Images that are older than the database. */
  readonly foreign: readonly string[]
  /** Folders that were being written or removed. */
  readonly unfinished: readonly string[]
  /** Number of images with a row. */
  readonly known: number
}

/** Result of a sweep, in numbers of images. */
export interface SweepResult {
  readonly quarantined: number
  readonly restored: number
  readonly removed: number
  /** Why orphans were left where they are; null where they were not. */
  readonly refusal: string | null
}

/** Reports whether so many images have no row that the rows must belong to other images. */
export function isMostlyUnknown(known: number, unknown: number): boolean {
  return unknown > crashLeftoversMax && unknown > known
}

/** Lists the orphaned folders of a blob store. */
export async function findOrphans({ db, blobs }: OrphanServices): Promise<Orphans> {
  const site = await readSite(db)
  const images: string[] = []
  const foreign: string[] = []
  const unfinished: string[] = []
  let known = 0
  for await (const [{ name, isFinished, changedAt }, isKnown] of lookUpFolders(
    db,
    blobs.olderThan(orphanAgeMs),
  )) {
    if (isKnown) known += 1
    else if (!isFinished) unfinished.push(name)
    else if (!site || changedAt < site.createdAt) foreign.push(name)
    else images.push(name)
  }
  return { images, foreign, unfinished, known }
}

/**
 * Moves orphaned images to quarantine, and removes those that have been there for a week. Images in quarantine whose rows
 * have come back, with another copy of the database for example, are restored.
 *
 * @param now milliseconds since 1970
 */
export async function sweepOrphans(services: OrphanServices, now: number): Promise<SweepResult> {
  const { db, blobs } = services
  // Also while the server runs: another disk may have been mounted in the place of the one that it began with.
  if ((await blobs.siteId()) !== (await readSite(db))?.id) {
    const refusal = 'the uploads folder does not belong to this database any more; its orphaned images stay'
    return { quarantined: 0, restored: 0, removed: 0, refusal }
  }
  const { restored, removed } = await sweepQuarantine(services, now)
  const { images, unfinished, known } = await findOrphans(services)
  for (const folder of unfinished) await blobs.remove(folder)
  const isRejected = isMostlyUnknown(known, images.length)
  if (!isRejected) for (const folder of images) await blobs.quarantine(folder)
  return {
    quarantined: isRejected ? 0 : images.length,
    restored,
    removed: removed + unfinished.length,
    refusal: isRejected
      ? `the database knows ${known} images in the uploads folder and does not know ${images.length}; these stay`
      : null,
  }
}

async function sweepQuarantine({ db, blobs }: OrphanServices, now: number) {
  let [restored, removed] = [0, 0]
  for await (const [image, isKnown] of lookUpFolders(db, blobs.quarantined())) {
    if (isKnown && (await blobs.restore(image))) restored += 1
    else if (image.since < now - quarantineMs) {
      await blobs.purge(image)
      removed += 1
    }
  }
  return { restored, removed }
}
