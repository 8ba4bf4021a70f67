import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { acquireFileLock, type Release } from '../../db/sqlite/file-lock.ts'
import { StartError } from '../../errors/start-error.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { isBackup, isUnfinished, markerName, pool } from './layout.ts'
import type { SiteFiles } from './site-files.ts'

/**
 * Opens a folder of backups to be written to, made where missing, and takes it for this process alone. What an
 * interrupted backup left is removed.
 *
 * @returns how to give it back
 * @throws StartError for a folder that can't be one, holds other things, or is in use
 */
export async function openBackupFolder(directory: string, site: SiteFiles): Promise<Release> {
  await rejectInvalidTarget(directory, site)
  await mkdir(directory, { mode: 0o700 }).catch(unlessThere)
  await rejectUnknownFolder(directory)
  const release = acquireFileLock(path.join(directory, markerName))
  if (!release) throw new StartError(`Another backup into ${directory} is running.`)
  try {
    for (const name of await readdir(directory)) {
      if (isUnfinished(name)) await rm(path.join(directory, name), { recursive: true, force: true })
    }
    await mkdir(path.join(directory, pool), { recursive: true, mode: 0o700 })
    return release
  } catch (error) {
    release()
    throw error
  }
}

/** Names of the finished backups in a folder, oldest first. */
export async function listBackups(directory: string): Promise<string[]> {
  const names = (await nullIfMissing(readdir(directory))) ?? []
  return names.filter(isBackup).sort()
}

/** A folder that would be made together with its parents may be a disk that is not mounted. */
async function rejectInvalidTarget(directory: string, site: SiteFiles): Promise<void> {
  const parent = await nullIfMissing(realpath(path.dirname(directory)))
  if (parent === null) {
    throw new StartError(
      `The folder ${path.dirname(directory)}, in which the backups would lie, is not there.`,
    )
  }
  const place = (await nullIfMissing(realpath(directory))) ?? path.join(parent, path.basename(directory))
  const kept = [
    ['the uploads folder', site.uploadsDirectory],
    ['the folder of the database', path.dirname(site.databaseFile)],
  ] as const
  for (const [what, folder] of kept) {
    const found = (await nullIfMissing(realpath(folder))) ?? folder
    if (isInside(place, found)) {
      throw new StartError(`Backups can't lie in ${what}, ${folder}; name a folder elsewhere.`)
    }
    if (isInside(found, place)) {
      throw new StartError(`Backups can't lie around ${what}, ${folder}; name a folder of their own.`)
    }
  }
}

function isInside(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner)
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  )
}

function unlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

async function rejectUnknownFolder(directory: string): Promise<void> {
  const names = await nullIfMissing(readdir(directory))
  if (names === null) throw new StartError(`${directory} is a file; name a folder.`)
  // Every disk of its own has a lost+found.
  const strange = names.filter((name) => name !== 'lost+found')
  if (strange.length > 0 && !strange.includes(markerName)) {
    throw new StartError(`${directory} holds other things than backups; name a new or an empty folder.`)
  }
}
