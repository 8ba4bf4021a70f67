import { randomBytes } from 'node:crypto'
import { lstat, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../errors/app-error.ts'
import { makeFolder, nullIfMissing, syncFolder, systemCode, writeDurably } from '../files/disk-files.ts'

export const isImageFolder = (name: string) => /^[A-Za-z0-9_-]{22}$/.test(name)

/** Reports whether a name is that of a folder that is being written or removed, or was when the process ended. */
export const isUnfinishedFolder = (name: string) => /^\.unfinished-[A-Za-z0-9_-]{22}$/.test(name)

/** Reports whether a name is that of a finished file in an image's folder. */
export const isImageFile = (name: string) => /^[a-z0-9-]+\.(?:jpg|png|webp)$/.test(name)

/** Returns the media type of an image's file. */
export function imageType(name: string): string {
  const [, extension = ''] = name.split('.')
  return extension === 'jpg' ? 'image/jpeg' : `image/${extension}`
}

/** Returns the name of an image's folder until all its files are written. */
export function unfinishedName(folder: string): string {
  return `.unfinished-${folder}`
}

/** Folder in the uploads folder for everything but images. Names with a dot are never served. */
export const siteFolder = '.rangoli'

/** Returns the file that a server locks while it uses the uploads folder. */
export function lockFile(uploadsDirectory: string): string {
  return path.join(uploadsDirectory, siteFolder, 'lock')
}

/** Returns the file with the id of the site that the images belong to; the database has the same id. */
function idFile(uploadsDirectory: string): string {
  return path.join(uploadsDirectory, siteFolder, 'site-id')
}

/** Size limit of that file: a larger one was not written by this program. */
const idFileMaxBytes = 100

/** Reads the id of the site of an uploads folder; null for none yet, an id that no site has for an invalid file. */
export async function readSiteId(uploadsDirectory: string): Promise<string | null> {
  const file = idFile(uploadsDirectory)
  const found = await nullIfMissing(lstat(file))
  if (!found) return null
  if (!found.isFile() || found.size > idFileMaxBytes) return 'unreadable'
  return (await readFile(file, 'utf8')).trim()
}

/** Writes the id of the site durably, creating the folder if it is missing. @throws StartError if it cannot be written */
export async function writeSiteId(uploadsDirectory: string, id: string): Promise<void> {
  await makeSiteFolder(uploadsDirectory)
  const file = idFile(uploadsDirectory)
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await writeDurably(unfinished, `${id}\n`)
    // Replaces a link instead of following it.
    await rename(unfinished, file)
    await syncFolder(path.dirname(file))
    await syncFolder(uploadsDirectory)
  } catch (cause) {
    await rm(unfinished, { force: true })
    throw cannotWrite(uploadsDirectory, cause)
  }
}

/** Creates the folder for everything but images. @throws StartError if that fails, or a link or a file has its name */
export async function makeSiteFolder(uploadsDirectory: string): Promise<void> {
  const folder = path.join(uploadsDirectory, siteFolder)
  try {
    makeFolder(folder)
  } catch (cause) {
    throw cannotWrite(uploadsDirectory, cause)
  }
  if ((await lstat(folder)).isDirectory()) return
  throw new StartError(`UPLOADS_DIR: ${folder} must be a folder, not a link. Move it away.`)
}

export function cannotWrite(uploadsDirectory: string, cause: unknown): StartError {
  const reason = systemCode(cause) ?? String(cause)
  return new StartError(`UPLOADS_DIR: the folder ${uploadsDirectory} can't be written (${reason}).`, {
    cause,
  })
}
