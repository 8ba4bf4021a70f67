import { opendir } from 'node:fs/promises'
import type { Database } from '../db/open-database.ts'
import { readSite } from '../db/site.ts'
import { StartError } from '../errors/start-error.ts'
import { isMostlyUnknown } from '../images/orphans.ts'
import { countStoredImages, lookUpFolders } from '../images/stored-images.ts'
import { systemCode } from '../storage/disk-error.ts'
import { nullIfMissing } from '../storage/null-if-missing.ts'
import { isImageFolder } from '../storage/image-names.ts'
import { readSiteId, writeSiteId } from '../storage/site-folder.ts'

/** Where a site keeps its rows and its images; absolute paths. */
export interface SitePlaces {
  readonly databaseFile: string
  readonly uploadsDirectory: string
}

/** A database and an uploads folder that do not belong together. */
export interface Mismatch {
  /** A sentence without its full stop. */
  readonly what: string
  /** A sentence that says what to do. */
  readonly fix: string
}

const combine = 'To use them together from now on, run npm run verify -- --fix.'

/**
 * Compares a database with an uploads folder and changes neither. They belong together where both have the same id. A
 * folder without an id belongs to a database that knows most of its images, and that finds most of its own in it: an
 * update from a version without ids, a copy without hidden files. An unmounted disk and an empty database fail that.
 *
 * @param db null for a database that does not exist yet
 * @returns null where they belong together
 */
export async function compareUploads(places: SitePlaces, db: Database | null): Promise<Mismatch | null> {
  const { databaseFile, uploadsDirectory } = places
  const site = db && (await readSite(db))
  const uploadsId = await readSiteId(uploadsDirectory)
  if (uploadsId !== null && site) {
    if (uploadsId === site.id) return null
    return {
      what: `the uploads folder ${uploadsDirectory} belongs to another database than ${databaseFile}`,
      fix: `Correct the variable that is wrong. ${combine}`,
    }
  }
  const { folders, known, stored } = await countImages(uploadsDirectory, db)
  if (!db && (uploadsId !== null || folders > 0)) {
    return {
      what: `the database ${databaseFile} does not exist, but the uploads folder ${uploadsDirectory} belongs to one`,
      fix: 'Correct the variable that is wrong, restore a backup, or move the folder away to begin a new site.',
    }
  }
  if (folders > 0 && (known === 0 || isMostlyUnknown(known, folders - known))) {
    return {
      what: `the database ${databaseFile} knows ${known} of ${folders} images in the uploads folder ${uploadsDirectory}`,
      fix: `Correct the variable that is wrong. ${combine}`,
    }
  }
  if (known * 2 < stored) {
    return {
      what: `the uploads folder ${uploadsDirectory} has ${known} of ${stored} images of the database ${databaseFile}`,
      fix: `Mount its disk or correct the variable that is wrong. If the images are lost, restore a backup. ${combine}`,
    }
  }
  return null
}

/** @throws StartError where a database and an uploads folder do not belong together, or the folder can't be read */
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

/** The line that a start or a command ends with. */
export function mismatchError({ what, fix }: Mismatch): StartError {
  return new StartError(`UPLOADS_DIR and DATABASE_URL: ${what}. ${fix}`)
}

/** Makes an uploads folder, created where missing, the one of a database. */
export async function tieUploads({ uploadsDirectory }: SitePlaces, db: Database): Promise<void> {
  const site = await readSite(db)
  if (site && (await readSiteId(uploadsDirectory)) !== site.id) await writeSiteId(uploadsDirectory, site.id)
}

async function countImages(uploadsDirectory: string, db: Database | null) {
  let [folders, known] = [0, 0]
  for await (const isKnown of lookUpImages(uploadsDirectory, db)) {
    folders += 1
    if (isKnown) known += 1
  }
  return { folders, known, stored: db ? await countStoredImages(db) : 0 }
}

async function* lookUpImages(uploadsDirectory: string, db: Database | null): AsyncGenerator<boolean> {
  const images = imagesIn(uploadsDirectory)
  if (db) for await (const [, isKnown] of lookUpFolders(db, images)) yield isKnown
  else for await (const _ of images) yield false
}

async function* imagesIn(uploadsDirectory: string): AsyncGenerator<{ name: string }> {
  const entries = await nullIfMissing(opendir(uploadsDirectory))
  if (!entries) return
  for await (const { name } of entries) if (isImageFolder(name)) yield { name }
}
