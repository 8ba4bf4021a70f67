import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../errors/start-error.ts'
import { syncFolder, writeDurably } from './durable-files.ts'
import { nullIfMissing } from './null-if-missing.ts'

/** Folder in the uploads folder for everything that is not an image. No address leads to a name with a dot. */
export const siteFolder = '.rangoli'

/** File that a server locks while it uses the uploads folder. */
export function lockFile(uploadsDirectory: string): string {
  return path.join(uploadsDirectory, siteFolder, 'lock')
}

/** File with the id of the site that the images belong to, which its database has too. */
function idFile(uploadsDirectory: string): string {
  return path.join(uploadsDirectory, siteFolder, 'site-id')
}

/** Maximum number of bytes of that file; a longer one is none of ours. */
const idFileMaxBytes = 100

/**
 * Reads the id of the site that an uploads folder belongs to. A file that can't be one of ours is an id that no site has.
 *
 * @returns null where the folder belongs to none yet, or does not exist
 */
export async function readSiteId(uploadsDirectory: string): Promise<string | null> {
  const file = idFile(uploadsDirectory)
  const found = await nullIfMissing(lstat(file))
  if (!found) return null
  if (!found.isFile() || found.size > idFileMaxBytes) return 'unreadable'
  return (await readFile(file, 'utf8')).trim()
}

/**
 * Writes that id durably, in place of an earlier one. The folder is created where it is missing.
 *
 * @throws StartError where that is not possible
 */
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

/**
 * Creates the folder for everything that is not an image where it is missing.
 *
 * @throws StartError where that is not possible, and for a link or a file in its place
 */
export async function makeSiteFolder(uploadsDirectory: string): Promise<void> {
  const folder = path.join(uploadsDirectory, siteFolder)
  try {
    await mkdir(folder, { recursive: true })
  } catch (cause) {
    throw cannotWrite(uploadsDirectory, cause)
  }
  if ((await lstat(folder)).isDirectory()) return
  throw new StartError(`UPLOADS_DIR: ${folder} must be a folder, not a link. Move it away.`)
}

function cannotWrite(uploadsDirectory: string, cause: unknown): StartError {
  return new StartError(`UPLOADS_DIR: the folder ${uploadsDirectory} can't be written.`, { cause })
}
