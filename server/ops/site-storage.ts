import type { Config } from '../config/config.ts'
import { databaseName } from '../db/database-config.ts'
import type { Database } from '../db/open-database.ts'
import { readSite } from '../db/site.ts'
import { StartError } from '../errors/app-error.ts'
import { systemCode } from '../files/disk-files.ts'
import { sweepOrphans } from '../images/stored-images.ts'
import { Bucket } from '../storage/bucket.ts'
import { openDiskBlobStore } from '../storage/disk-blob-store.ts'
import { S3BlobStore, type S3Services } from '../storage/s3-blob-store.ts'
import { bucketPlace, folderPlace, type ImagePlace } from './image-place.ts'

/** The configured storage of images, before it is known to belong to the database. */
export type SiteStorage = Awaited<ReturnType<typeof openSiteStorage>>

export interface StorageServices extends S3Services {
  /** Begins to measure a disk without a limit, for metrics. */
  readonly countsBytes?: boolean
}

/** @throws StartError if the storage is a bucket that cannot be used */
export async function openSiteStorage({ database, storage }: Config) {
  const name = databaseName(database)
  const comparing = (place: ImagePlace) => ({
    place,
    /** Compares the place with a database without changing either; null if they belong together. */
    compare: (db: Database | null) => compare(place, name, db),
    /** @throws StartError if the place and a database do not belong together, or the place can't be read */
    requireOwn: (db: Database | null) => requireOwn(place, name, db),
  })
  const { maxBytes } = storage
  if (storage.kind === 'disk') {
    return {
      ...comparing(folderPlace(storage.directory)),
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
    ...comparing(bucketPlace(bucket)),
    async open(services: StorageServices) {
      const blobs = new S3BlobStore(bucket, maxBytes, services)
      const none = { quarantined: 0, restored: 0, skippedReason: null }
      return { blobs, sweepOrphans: async (now: number) => ({ ...none, removed: await blobs.sweep(now) }) }
    },
    close: () => bucket.close(),
  }
}

/** Issue: a database and a place of images that do not belong together. */
export interface Mismatch extends Pick<ImagePlace, 'setting'> {
  /** Sentence without a full stop. */
  readonly what: string
  /** Sentence with the fix. */
  readonly fix: string
}

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
  const mismatch = await compare(place, database, db).catch((cause: unknown) => {
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
 * Compares a database with a place of images. They belong together if both have the same id. A place without an id, such as a
 * copy without hidden files, belongs to a database that finds most of its newest images in it, which fails for an unmounted disk,
 * or to a new database if it is empty.
 */
async function compare(place: ImagePlace, database: string, db: Database | null): Promise<Mismatch | null> {
  const { setting, name, another, advice } = place
  const mismatch = (what: string, fix: string): Mismatch => ({ setting, what, fix })
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
