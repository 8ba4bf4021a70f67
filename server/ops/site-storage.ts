import { opendir } from 'node:fs/promises'
import type { Logger } from 'pino'
import { originalFile } from '../../shared/image-files.ts'
import type { Config } from '../config/config.ts'
import { databaseName } from '../db/database-config.ts'
import type { Database } from '../db/open-database.ts'
import { readSite } from '../db/site.ts'
import { StartError } from '../errors/app-error.ts'
import {
  countStoredImages,
  lookUpFolders,
  isMostlyUnlisted,
  sweepOrphans,
  type SweepResult,
} from '../images/stored-images.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { Bucket } from '../storage/bucket.ts'
import { openDiskBlobStore } from '../storage/disk-blob-store.ts'
import { nullIfMissing, systemCode } from '../files/disk-files.ts'
import { S3BlobStore } from '../storage/s3-blob-store.ts'
import { isImageFolder, readSiteId, writeSiteId } from '../storage/uploads-folder.ts'

/** The configured storage of images, before it is known to belong to the database. */
export interface SiteStorage {
  /** Compares the storage with a database without changing either; null if they belong together. */
  compare(db: Database | null): Promise<Mismatch | null>
  /** @throws StartError if the storage and a database do not belong together, or the storage can't be read */
  requireOwn(db: Database | null): Promise<void>
  /** Writes the id of a database's site to the storage. */
  tie(db: Database): Promise<void>
  /** @throws StartError if the storage is not writable */
  open(services: StorageServices): Promise<OpenedStorage>
  /** Closes connections. */
  close(): void
}

export interface StorageServices {
  readonly db: Database
  /** Returns milliseconds since 1970. */
  readonly now: () => number
  readonly log?: Logger
  /** Begins to measure a disk without a limit, for metrics. */
  readonly countsBytes?: boolean
}

interface OpenedStorage {
  readonly blobs: BlobStore
  /** Removes orphaned images. @param now milliseconds since 1970 */
  readonly sweepOrphans: (now: number) => Promise<SweepResult>
}

/** Issue: a database and a storage of images that do not belong together. */
export interface Mismatch {
  /** Variable of the storage. */
  readonly variable: 'UPLOADS_DIR' | 'S3_BUCKET'
  /** Sentence without a full stop. */
  readonly what: string
  /** Sentence with the fix. */
  readonly fix: string
}

/** Creates the error that ends a start or a command. */
export function mismatchError({ variable, what, fix }: Mismatch): StartError {
  return new StartError(`${variable} and DATABASE_URL: ${what}. ${fix}`)
}

const combine = 'To use them together from now on, run npm run verify -- --fix.'

/** Says of a database without tables what it is: a SQLite file is created with them. */
function absenceOf(database: string): string {
  return database.startsWith('postgres:') ? 'is empty' : 'does not exist'
}

/** @throws StartError if the storage is a bucket that cannot be used */
export async function openSiteStorage({ database, storage }: Config): Promise<SiteStorage> {
  const name = databaseName(database)
  if (storage.kind === 'disk') return folderStorage(storage.directory, name, storage.maxBytes)
  const bucket = await Bucket.openUsable(storage)
  const compare = (db: Database | null) => compareBucket(bucket, name, db)
  return {
    compare,
    requireOwn: async (db) => requireNone(await compare(db)),
    tie: (db) =>
      tie(
        db,
        () => bucket.siteId(),
        (id) => bucket.writeSiteId(id),
      ),
    async open(services) {
      const blobs = new S3BlobStore(bucket, storage.maxBytes, services)
      const none = { quarantined: 0, restored: 0, skippedReason: null }
      return { blobs, sweepOrphans: async (now) => ({ ...none, removed: await blobs.sweep(now) }) }
    },
    close: () => bucket.close(),
  }
}

/**
 * An uploads folder as the storage of a database.
 *
 * @param database absolute path or URL, for messages
 * @param maxBytes null for no limit
 */
export function folderStorage(directory: string, database: string, maxBytes: number | null): SiteStorage {
  const compare = (db: Database | null) => compareUploads(directory, database, db)
  return {
    compare,
    async requireOwn(db) {
      try {
        requireNone(await compare(db))
      } catch (cause) {
        const code = systemCode(cause)
        if (code === undefined) throw cause
        throw new StartError(`UPLOADS_DIR: the folder ${directory} can't be read (${code}).`, { cause })
      }
    },
    tie: (db) =>
      tie(
        db,
        () => readSiteId(directory),
        (id) => writeSiteId(directory, id),
      ),
    async open({ db, countsBytes }) {
      const blobs = await openDiskBlobStore(directory, maxBytes)
      if (countsBytes) await blobs.bytes()
      return { blobs, sweepOrphans: (now) => sweepOrphans({ db, blobs }, now) }
    },
    close() {},
  }
}

/** @throws StartError */
function requireNone(mismatch: Mismatch | null): void {
  if (mismatch) throw mismatchError(mismatch)
}

/** Writes the id of a database's site to a storage that has another one. */
async function tie(
  db: Database,
  readId: () => Promise<string | null>,
  writeId: (id: string) => Promise<void>,
): Promise<void> {
  const site = await readSite(db)
  if (site && (await readId()) !== site.id) await writeId(site.id)
}

/**
 * Compares a database with an uploads folder. They belong together if both have the same id. A folder without an id (after an
 * update from a version without ids, or in a copy without hidden files) belongs to a database that refers to most of its images
 * and finds most of its own images in it, which fails for an unmounted disk or an empty database.
 */
async function compareUploads(
  directory: string,
  database: string,
  db: Database | null,
): Promise<Mismatch | null> {
  const mismatch = (what: string, fix: string): Mismatch => ({ variable: 'UPLOADS_DIR', what, fix })
  const site = db && (await readSite(db))
  const uploadsId = await readSiteId(directory)
  if (uploadsId !== null && site) {
    if (uploadsId === site.id) return null
    return mismatch(
      `the uploads folder ${directory} belongs to another database than ${database}`,
      `Correct the variable that is wrong. ${combine}`,
    )
  }
  const { folders, listed } = await countImages(directory, db)
  const stored = db ? await countStoredImages(db) : 0
  if (!db && (uploadsId !== null || folders > 0)) {
    return mismatch(
      `the database ${database} ${absenceOf(database)}, but the uploads folder ${directory} belongs to one`,
      'Correct the variable that is wrong, restore a backup, or move the folder away to start a new site.',
    )
  }
  if (folders > 0 && (listed === 0 || isMostlyUnlisted(listed, folders - listed))) {
    return mismatch(
      `the database ${database} lists ${listed} of ${folders} images in the uploads folder ${directory}`,
      `Correct the variable that is wrong. ${combine}`,
    )
  }
  if (listed * 2 < stored) {
    return mismatch(
      `the uploads folder ${directory} has ${listed} of ${stored} images of the database ${database}`,
      `Mount its disk or correct the variable that is wrong. If the images are lost, restore a backup. ${combine}`,
    )
  }
  return null
}

/** Counts the images in an uploads folder, and those of them that a database lists. */
async function countImages(directory: string, db: Database | null) {
  let [folders, listed] = [0, 0]
  if (db) {
    for await (const [, isListed] of lookUpFolders(db, imagesIn(directory))) {
      folders += 1
      if (isListed) listed += 1
    }
  } else {
    for await (const _ of imagesIn(directory)) folders += 1
  }
  return { folders, listed }
}

async function* imagesIn(directory: string): AsyncGenerator<{ name: string }> {
  const entries = await nullIfMissing(opendir(directory))
  if (!entries) return
  for await (const { name } of entries) if (isImageFolder(name)) yield { name }
}

/**
 * Compares a database with a bucket. They belong together if both have the same id. A bucket without an id belongs to a
 * database that finds most of its newest images in it, or to a new database if it is empty.
 */
async function compareBucket(
  bucket: Bucket,
  database: string,
  db: Database | null,
): Promise<Mismatch | null> {
  const mismatch = (what: string, fix: string): Mismatch => ({ variable: 'S3_BUCKET', what, fix })
  const correct = 'Correct the variable that is wrong'
  const siteId = await bucket.siteId()
  const site = db && (await readSite(db))
  if (siteId !== null) {
    if (siteId === site?.id) return null
    return site
      ? mismatch(
          `the bucket ${bucket.name} belongs to another database than ${database}`,
          `${correct}. ${combine}`,
        )
      : mismatch(
          `the database ${database} ${absenceOf(database)}, but the bucket ${bucket.name} belongs to one`,
          `${correct}, restore the database, or set another S3_PREFIX to start a new site.`,
        )
  }
  if (db && (await countStoredImages(db)) > 0) {
    const { found, sampled } = await findNewest(bucket, db)
    if (found * 2 >= sampled) return null
    return mismatch(
      `the bucket ${bucket.name} has ${found} of the ${sampled} newest images of the database ${database}`,
      `${correct}, or copy the images into the bucket first. ${combine}`,
    )
  }
  if (!(await bucket.hasImages())) return null
  return mismatch(
    `the database ${database} lists none of the images in the bucket ${bucket.name}`,
    `${correct}, or set another S3_PREFIX to start a new site. ${combine}`,
  )
}

/** Number of images of a database that are looked up in a bucket without an id. */
const sampleSize = 20

async function findNewest(bucket: Bucket, db: Database) {
  const rows = await db
    .selectFrom('images')
    .select('folder')
    .where('folder', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(sampleSize)
    .execute()
  const sizes = await Promise.all(rows.map(({ folder }) => bucket.size(folder ?? '', originalFile)))
  return { found: sizes.filter((size) => size !== null).length, sampled: rows.length }
}
