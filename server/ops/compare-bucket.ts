import { originalFile } from '../../shared/image-files.ts'
import type { Database } from '../db/open-database.ts'
import { readSite } from '../db/site.ts'
import { countStoredImages } from '../images/stored-images.ts'
import type { Bucket } from '../storage/bucket.ts'
import { absenceOf, combine, mismatchError, type Mismatch } from './compare-uploads.ts'

/** Number of images of a database that are looked up in a bucket without an id. */
const sampleSize = 20

/**
 * Compares a database with a bucket without changing either. They belong together if both have the same id. A bucket
 * without an id belongs to a database that finds most of its newest images in it, or to a new database if it is empty.
 *
 * @param databaseName for messages
 * @param db null for a database that does not exist yet, or is empty
 * @returns null if they belong together
 */
export async function compareBucket(
  bucket: Bucket,
  databaseName: string,
  db: Database | null,
): Promise<Mismatch | null> {
  const variable = 'S3_BUCKET'
  const siteId = await bucket.siteId()
  const site = db && (await readSite(db))
  const correct = 'Correct the variable that is wrong'
  if (siteId !== null) {
    if (siteId === site?.id) return null
    return site
      ? {
          variable,
          what: `the bucket ${bucket.name} belongs to another database than ${databaseName}`,
          fix: `${correct}. ${combine}`,
        }
      : {
          variable,
          what: `the database ${databaseName} ${absenceOf(databaseName)}, but the bucket ${bucket.name} belongs to one`,
          fix: `${correct}, restore the database, or set another S3_PREFIX to start a new site.`,
        }
  }
  const stored = db ? await countStoredImages(db) : 0
  if (db && stored > 0) {
    const { found, sampled } = await findNewest(bucket, db)
    if (found * 2 >= sampled) return null
    return {
      variable,
      what: `the bucket ${bucket.name} has ${found} of the ${sampled} newest images of the database ${databaseName}`,
      fix: `${correct}, or copy the images into the bucket first. ${combine}`,
    }
  }
  if (!(await bucket.hasImages())) return null
  return {
    variable,
    what: `the database ${databaseName} lists none of the images in the bucket ${bucket.name}`,
    fix: `${correct}, or set another S3_PREFIX to start a new site. ${combine}`,
  }
}

/** @throws StartError if a database and a bucket do not belong together */
export async function requireOwnBucket(
  bucket: Bucket,
  databaseName: string,
  db: Database | null,
): Promise<void> {
  const mismatch = await compareBucket(bucket, databaseName, db)
  if (mismatch) throw mismatchError(mismatch)
}

/** Writes the id of a database's site to a bucket. */
export async function tieBucket(bucket: Bucket, db: Database): Promise<void> {
  const site = await readSite(db)
  if (site && (await bucket.siteId()) !== site.id) await bucket.writeSiteId(site.id)
}

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
