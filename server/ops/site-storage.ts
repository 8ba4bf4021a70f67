import { mkdir, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { originalFile } from '../../shared/image-files.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/open-database.ts'
import { readSite } from '../db/site.ts'
import { StartError } from '../errors/app-error.ts'
import { nullIfMissing, realFile, syncFolder, systemCode, writeDurably } from '../files/disk-files.ts'
import { sweepOrphans } from '../images/stored-images.ts'
import type { ImageFiles } from '../storage/blob-store.ts'
import { Bucket } from '../storage/bucket.ts'
import { openDiskBlobStore } from '../storage/disk-blob-store.ts'
import { S3BlobStore, type S3Services } from '../storage/s3-blob-store.ts'
import {
  isImageFolder,
  readSiteId,
  siteFolder,
  unfinishedName,
  writeSiteId,
} from '../storage/uploads-folder.ts'

/** The bytes of a file; null for a missing one. */
export type ReadResult = Uint8Array | 'damaged' | null

/** Where images are stored, each in a folder of its own: a folder or a bucket. */
export interface ImagePlace {
  /** Variable, or option of the command, that names it. */
  readonly setting: 'UPLOADS_DIR' | 'S3_BUCKET' | '--uploads'
  /** Such as `the bucket images`. */
  readonly name: string
  /** What to name for another site. */
  readonly another: string
  /** What to do if images are missing that it should have. */
  readonly advice: string
  /** Id of the site that it belongs to; null for none. */
  siteId(): Promise<string | null>
  writeSiteId(id: string): Promise<void>
  hasImages(): Promise<boolean>
  /** Returns the bytes of an original; null if there is none. */
  size(folder: string): Promise<number | null>
  readOriginal(folder: string): Promise<ReadResult>
  /** Stores an image, or replaces it. Durable after `sync`. */
  replace(folder: string, files: ImageFiles): Promise<void>
  sync(): Promise<void>
}

/** An uploads folder, or the images of a folder of backups. */
export function folderPlace(directory: string, setting: ImagePlace['setting'] = 'UPLOADS_DIR'): ImagePlace {
  return {
    setting,
    name: `the uploads folder ${directory}`,
    another: 'a new folder',
    advice: 'Mount its disk',
    siteId: () => readSiteId(directory),
    writeSiteId: (id) => writeSiteId(directory, id),
    async hasImages() {
      for await (const { name } of (await nullIfMissing(opendir(directory))) ?? [])
        if (isImageFolder(name)) return true
      return false
    },
    size: (folder) => fileSize(path.join(directory, folder, originalFile)),
    readOriginal: (folder) => readFileIfReadable(path.join(directory, folder, originalFile)),
    async replace(folder, files) {
      const unfinished = path.join(directory, unfinishedName(folder))
      const finished = path.join(directory, folder)
      await rm(unfinished, { recursive: true, force: true })
      try {
        await mkdir(unfinished)
        for (const [name, bytes] of Object.entries(files))
          await writeDurably(path.join(unfinished, name), bytes)
        await syncFolder(unfinished)
        await rm(finished, { recursive: true, force: true })
        await rename(unfinished, finished)
      } catch (error) {
        await rm(unfinished, { recursive: true, force: true })
        throw error
      }
    },
    sync: () => syncFolder(directory),
  }
}

export function bucketPlace(bucket: Bucket): ImagePlace {
  return {
    setting: 'S3_BUCKET',
    name: `the bucket ${bucket.name}`,
    another: 'a new bucket or another S3_PREFIX',
    advice: 'Copy the images into it',
    siteId: () => bucket.siteId(),
    writeSiteId: (id) => bucket.writeSiteId(id),
    hasImages: () => bucket.hasImages(),
    size: (folder) => bucket.size(folder, originalFile),
    readOriginal: (folder) => bucket.read(folder, originalFile),
    async replace(folder, { [originalFile]: original, ...others }) {
      for (const [name, bytes] of Object.entries(others)) await bucket.replace(folder, name, bytes)
      // Last, as its presence shows that the image was copied.
      if (original) await bucket.replace(folder, originalFile, original)
    },
    async sync() {},
  }
}

export async function fileSize(file: string): Promise<number | null> {
  return (await nullIfMissing(stat(file)))?.size ?? null
}

/** Reads a file. A bad sector in it must not keep all others from being copied. */
export async function readFileIfReadable(file: string): Promise<ReadResult> {
  try {
    return await nullIfMissing(readFile(file))
  } catch (error) {
    if (systemCode(error) !== 'EIO') throw error
    return 'damaged'
  }
}

/** Rejects root for what the server of another user has written. @throws StartError */
export async function rejectOtherUser({
  database,
  storage,
}: Pick<Config, 'database' | 'storage'>): Promise<void> {
  const files = [
    database.kind === 'sqlite' && (await realFile(database.file)),
    storage.kind === 'disk' && path.join(storage.directory, siteFolder),
  ]
  for (const file of files) if (file && (await nullIfMissing(stat(file)))) await rejectOtherOwner(file)
}

/**
 * Rejects root for a folder of another user, who could not open what root writes there.
 *
 * @param folder may not exist yet
 * @throws StartError
 */
export async function rejectOtherOwner(folder: string): Promise<void> {
  const found = await nullIfMissing(stat(folder))
  if (!found) return path.dirname(folder) === folder ? undefined : rejectOtherOwner(path.dirname(folder))
  if (process.getuid?.() !== 0 || found.uid === 0) return
  throw new StartError(
    `${folder} belongs to another user (${found.uid}), who could not open what root writes. Run this as that user, such as with: sudo -u '#${found.uid}'`,
  )
}

/** The configured storage of images, before it is known to belong to the database. */
export type SiteStorage = Awaited<ReturnType<typeof openSiteStorage>>

export interface StorageServices extends S3Services {
  /** Begins to measure a disk without a limit, for metrics. */
  readonly countsBytes?: boolean
}

/** @throws StartError if the storage is a bucket that cannot be used */
export async function openSiteStorage({ storage }: Pick<Config, 'storage'>) {
  const { maxBytes } = storage
  if (storage.kind === 'disk') {
    return {
      place: folderPlace(storage.directory),
      async open({ db, countsBytes }: StorageServices) {
        const blobs = await openDiskBlobStore(storage.directory, maxBytes)
        if (countsBytes) await blobs.bytes()
        return { blobs, sweepOrphans: (now: number) => sweepOrphans({ db, blobs }, now) }
      },
      close() {},
    }
  }
  const bucket = await Bucket.openUsable(storage)
  return {
    place: bucketPlace(bucket),
    async open(services: StorageServices) {
      const blobs = new S3BlobStore(bucket, maxBytes, services)
      const none = { quarantined: 0, restored: 0, skippedReason: null }
      return { blobs, sweepOrphans: async (now: number) => ({ ...none, removed: await blobs.sweep(now) }) }
    },
    close: () => bucket.close(),
  }
}

/** Issue: a database and a place of images that do not belong together. `what` is a sentence without a full stop. */
type Mismatch = NonNullable<Awaited<ReturnType<typeof comparePlace>>>

/** Creates the error that ends a start or a command. */
export function mismatchError({ setting, what, fix }: Mismatch): StartError {
  const database = setting === '--uploads' ? '--database' : 'DATABASE_URL'
  return new StartError(`${setting} and ${database}: ${what}. ${fix}`)
}

/**
 * @param database absolute path or URL, for messages
 * @throws StartError if a place and a database do not belong together, or the place can't be read
 */
export async function requireOwn(place: ImagePlace, database: string, db: Database | null): Promise<void> {
  const mismatch = await comparePlace(place, database, db).catch((cause: unknown) => {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    throw new StartError(`${place.setting}: ${place.name} can't be read (${code}).`, { cause })
  })
  if (mismatch) throw mismatchError(mismatch)
}

/** Writes the id of a database's site to a place that has another one. */
export async function tie(place: ImagePlace, db: Database): Promise<void> {
  const site = await readSite(db)
  if (site && (await place.siteId()) !== site.id) await place.writeSiteId(site.id)
}

const correct = 'Correct the one that is wrong'

/**
 * Compares a database with a place of images, without changing either; null if they belong together: if both have the same id. A
 * place without an id, such as a copy without hidden files, belongs to a database that finds most of its newest images in it,
 * which fails for an unmounted disk, or to a new database if it is empty.
 */
export async function comparePlace(place: ImagePlace, database: string, db: Database | null) {
  const { setting, name, another, advice } = place
  const mismatch = (what: string, fix: string) => ({ setting, what, fix })
  const ofSource = setting === '--uploads' ? ' for that site' : ''
  const combine = `To use them together from now on, run npm run verify -- --fix${ofSource}.`
  const siteId = await place.siteId()
  const site = db && (await readSite(db))
  if (siteId !== null && site) {
    if (siteId === site.id) return null
    return mismatch(`${name} belongs to another database than ${database}`, `${correct}. ${combine}`)
  }
  if (!db) {
    if (siteId === null && !(await place.hasImages())) return null
    // A SQLite file is created with its tables.
    const absence = database.startsWith('postgres:') ? 'is empty' : 'does not exist'
    return mismatch(
      `the database ${database} ${absence}, but ${name} belongs to one`,
      `${correct}, restore a backup, or name ${another} to start a new site.`,
    )
  }
  const { found, sampled } = await findNewest(place, db)
  if (sampled > 0) {
    if (found * 2 >= sampled) return null
    return mismatch(
      `${name} has ${found} of the ${sampled} newest images of the database ${database}`,
      `${advice}, or correct the one that is wrong. If the images are lost, restore a backup. ${combine}`,
    )
  }
  if (!(await place.hasImages())) return null
  return mismatch(
    `the database ${database} lists none of the images in ${name}`,
    `${correct}, or name ${another} to start a new site. ${combine}`,
  )
}

/** Number of images of a database that are looked up in a place without an id. */
const sampleSize = 20

async function findNewest(place: ImagePlace, db: Database) {
  const rows = await db
    .selectFrom('images')
    .select('folder')
    .where('folder', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(sampleSize)
    .execute()
  const sizes = await Promise.all(rows.map(({ folder }) => place.size(folder ?? '')))
  return { found: sizes.filter((size) => size !== null).length, sampled: rows.length }
}
