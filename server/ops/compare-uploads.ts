import { opendir } from 'node:fs/promises'
import type { Database } from '../db/open-database.ts'
import { readSite } from '../db/site.ts'
import { StartError } from '../errors/app-error.ts'
import { isMostlyUnlisted } from '../images/orphans.ts'
import { countStoredImages, lookUpFolders } from '../images/stored-images.ts'
import { systemCode, nullIfMissing } from '../storage/disk-files.ts'
import { isImageFolder, readSiteId, writeSiteId } from '../storage/uploads-folder.ts'

/** Places of a site's database and images. */
export interface SitePlaces {
  /** Absolute path or URL, for messages. */
  readonly databaseName: string
  /** Absolute path. */
  readonly uploadsDirectory: string
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

export const combine = 'To use them together from now on, run npm run verify -- --fix.'

/**
 * Compares a database with an uploads folder without changing either. They belong together if both have the same id. A
 * folder without an id (after an update from a version without ids, or in a copy without hidden files) belongs to a
 * database that refers to most of its images and finds most of its own images in it, which fails for an unmounted disk or
 * an empty database.
 *
 * @param db null for a database that does not exist yet, or is empty
 * @returns null if they belong together
 */
export async function compareUploads(places: SitePlaces, db: Database | null): Promise<Mismatch | null> {
  const { databaseName: database, uploadsDirectory } = places
  const variable = 'UPLOADS_DIR'
  const site = db && (await readSite(db))
  const uploadsId = await readSiteId(uploadsDirectory)
  if (uploadsId !== null && site) {
    if (uploadsId === site.id) return null
    return {
      variable,
      what: `the uploads folder ${uploadsDirectory} belongs to another database than ${database}`,
      fix: `Correct the variable that is wrong. ${combine}`,
    }
  }
  const { folders, listed, stored } = await countImages(uploadsDirectory, db)
  if (!db && (uploadsId !== null || folders > 0)) {
    return {
      variable,
      what: `the database ${database} ${absenceOf(database)}, but the uploads folder ${uploadsDirectory} belongs to one`,
      fix: 'Correct the variable that is wrong, restore a backup, or move the folder away to start a new site.',
    }
  }
  if (folders > 0 && (listed === 0 || isMostlyUnlisted(listed, folders - listed))) {
    return {
      variable,
      what: `the database ${database} lists ${listed} of ${folders} images in the uploads folder ${uploadsDirectory}`,
      fix: `Correct the variable that is wrong. ${combine}`,
    }
  }
  if (listed * 2 < stored) {
    return {
      variable,
      what: `the uploads folder ${uploadsDirectory} has ${listed} of ${stored} images of the database ${database}`,
      fix: `Mount its disk or correct the variable that is wrong. If the images are lost, restore a backup. ${combine}`,
    }
  }
  return null
}

/** Says of a database without tables what it is: a SQLite file is created with them. */
export function absenceOf(databaseName: string): string {
  return databaseName.startsWith('postgres:') ? 'is empty' : 'does not exist'
}

/** @throws StartError if a database and an uploads folder do not belong together, or the folder can't be read */
export async function requireOwnUploads(places: SitePlaces, db: Database | null): Promise<void> {
  const mismatch = await compareReadable(places, db)
  if (mismatch) throw mismatchError(mismatch)
}

async function compareReadable(places: SitePlaces, db: Database | null): Promise<Mismatch | null> {
  try {
    return await compareUploads(places, db)
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    throw new StartError(`UPLOADS_DIR: the folder ${places.uploadsDirectory} can't be read (${code}).`, {
      cause,
    })
  }
}

/** Creates the error that ends a start or a command. */
export function mismatchError({ variable, what, fix }: Mismatch): StartError {
  return new StartError(`${variable} and DATABASE_URL: ${what}. ${fix}`)
}

/** Writes the id of a database's site to an uploads folder, which is created if it is missing. */
export async function tieUploads(uploadsDirectory: string, db: Database): Promise<void> {
  const site = await readSite(db)
  if (site && (await readSiteId(uploadsDirectory)) !== site.id) await writeSiteId(uploadsDirectory, site.id)
}

async function countImages(uploadsDirectory: string, db: Database | null) {
  let [folders, listed] = [0, 0]
  for await (const isListed of lookUpImages(uploadsDirectory, db)) {
    folders += 1
    if (isListed) listed += 1
  }
  return { folders, listed, stored: db ? await countStoredImages(db) : 0 }
}

async function* lookUpImages(uploadsDirectory: string, db: Database | null): AsyncGenerator<boolean> {
  const images = imagesIn(uploadsDirectory)
  if (db) for await (const [, isListed] of lookUpFolders(db, images)) yield isListed
  else for await (const _ of images) yield false
}

async function* imagesIn(uploadsDirectory: string): AsyncGenerator<{ name: string }> {
  const entries = await nullIfMissing(opendir(uploadsDirectory))
  if (!entries) return
  for await (const { name } of entries) if (isImageFolder(name)) yield { name }
}
