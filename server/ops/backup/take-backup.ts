import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../../errors/start-error.ts'
import { syncFolder } from '../../storage/durable-files.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { openBackupFolder } from './backup-folder.ts'
import { fillBackup, type FilledBackup, type FillOptions } from './fill-backup.ts'
import { nameOf, pool, unfinishedName } from './layout.ts'
import { removeOldBackups } from './remove-old-backups.ts'
import type { SiteFiles } from './site-files.ts'

interface BackupOptions extends FillOptions {
  /** How many backups the folder keeps, this one included. */
  readonly keep: number
}

/**
 * Takes a backup of a site beside its running server. It gets its name when it is whole; until then earlier ones are not
 * touched.
 *
 * @throws StartError for a folder that can't be used, and for a database that is not there or damaged
 */
export async function takeBackup(
  site: SiteFiles,
  directory: string,
  { keep, ...options }: BackupOptions,
): Promise<FilledBackup & { name: string }> {
  if (!(await nullIfMissing(stat(site.databaseFile)))) {
    throw new StartError(`There is nothing to back up: the database ${site.databaseFile} is not there.`)
  }
  if (!(await nullIfMissing(stat(site.uploadsDirectory)))) {
    throw new StartError(`The uploads folder ${site.uploadsDirectory} is not there; no backup was made.`)
  }
  const release = await openBackupFolder(directory, site)
  const name = nameOf(options.now)
  const unfinished = path.join(directory, unfinishedName(name))
  try {
    await mkdir(unfinished, { mode: 0o700 })
    const filled = await fillBackup(site, directory, unfinished, options)
    await syncFolder(path.join(directory, pool))
    await syncFolder(unfinished)
    await rename(unfinished, path.join(directory, name))
    await syncFolder(directory)
    await removeOldBackups(directory, keep)
    return { name, ...filled }
  } finally {
    await rm(unfinished, { recursive: true, force: true })
    release()
  }
}
