import { chmod, constants, copyFile, link, mkdir, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { claimDatabase, acquireFileLock, type Release } from '../../db/sqlite/file-lock.ts'
import { compareMigrations, withExistingDatabase } from '../../db/schema-version.ts'
import type { Database } from '../../db/open-database.ts'
import { readSite } from '../../db/site.ts'
import { isStorageError, StartError } from '../../errors/app-error.ts'
import { makeFolder, syncFile, syncFolder, nullIfMissing, realFile } from '../../files/disk-files.ts'
import { lookUpFolders } from '../../images/stored-images.ts'
import { isImageFolder, lockFile, readSiteId, siteFolder, writeSiteId } from '../../storage/uploads-folder.ts'
import { copyImages } from '../copy-images.ts'
import { count } from '../doctor/report.ts'
import { folderPlace, rejectOtherOwner } from '../site-storage.ts'
import { confirm, printProgress, type Terminal } from '../terminal.ts'
import { systemClock } from '../../time/clock.ts'
import {
  copySecret,
  databaseName,
  fileChecksum,
  isUnfinished,
  listBackups,
  markerName,
  pool,
  readManifest,
  secretName,
  timestampName,
  type SiteFiles,
} from './backup-format.ts'

/** A finished backup, by its name in a folder of backups. */
type Backup = Awaited<ReturnType<typeof openBackup>>

/**
 * Finds a backup in a folder of backups.
 *
 * @param wanted its name; by default the newest
 * @throws StartError if there is none, or if a newer version took it
 */
export async function openBackup(directory: string, wanted?: string) {
  const backups = await listBackups(directory)
  const name = wanted ?? backups.at(-1)
  if (name === undefined) throw new StartError(await missingReason(directory))
  if (!backups.includes(name)) {
    const available = backups.length > 0 ? `there are ${backups.join(', ')}` : 'there is none'
    throw new StartError(`There is no backup ${name} in ${directory}; ${available}.`)
  }
  const manifest = await readManifest(path.join(directory, name))
  const version = compareMigrations([manifest.version], 'sqlite')
  if ('reason' in version) throw new StartError(`The backup ${name} ${version.reason}; ${version.fix}.`)
  return { name, directory, manifest }
}

async function missingReason(directory: string): Promise<string> {
  const names = await nullIfMissing(readdir(directory))
  if (names === null) return `The folder ${directory} does not exist.`
  return names.includes(markerName) || names.some(isUnfinished)
    ? `${directory} contains no finished backup.`
    : `${directory} contains no backups.`
}

/**
 * Replaces a site by a backup:
 *
 * 1. Locks the site against servers and commands, and asks before existing data is replaced.
 * 2. Stages the database next to its destination, and verifies its checksum.
 * 3. Copies the images next to the existing ones.
 * 4. Replaces the secret, then the database, each by one rename; the previous files are kept in `before-restore-…`.
 * 5. Ties the uploads folder to the database, and moves images that it does not reference to `before-restore-…`.
 *
 * Images in a bucket stay as they are: steps 3 and 5 are for a folder.
 *
 * Until step 4 the site is unchanged; an interrupted restore can be repeated.
 *
 * @param isConfirmed true to replace existing data without asking
 * @throws StartError for a damaged backup, while a server runs, and for images that the backup lacks, without which it is restored
 */
export async function restoreBackup(
  configured: SiteFiles,
  backup: Backup,
  terminal: Terminal,
  isConfirmed: boolean,
): Promise<void> {
  const { uploadsDirectory } = configured
  // A rename would replace a link instead of the file, which may be on another disk.
  const databaseFile = await realFile(configured.databaseFile)
  const secretFile = await realFile(configured.secretFile)
  const site = { databaseFile, secretFile, uploadsDirectory }
  const dataFolders = new Set([databaseFile, secretFile].map((file) => path.dirname(file)))
  for (const folder of dataFolders) await rejectOtherOwner(folder)
  if (uploadsDirectory === null) {
    if (backup.manifest.pictures > 0)
      throw new StartError(
        `S3_BUCKET: the backup ${backup.name} contains images, which restore does not copy into a bucket. Restore it without S3_BUCKET to a folder, then import that site.`,
      )
  } else makeFolder(uploadsDirectory)
  const { print } = terminal
  const posts = count(backup.manifest.posts, 'post')
  await withLockedSite(site, async (staging) => {
    const existing = await findExistingData(site)
    const question = `Replace ${existing.join(' and ')} by the backup ${backup.name} (${posts})? The existing data is kept in before-restore-… folders.`
    if (existing.length > 0 && !(await confirm(terminal, question, isConfirmed)))
      return print('Nothing was restored.')

    const database = await stageDatabase(backup, staging)
    const { images, lost, orphaned, siteId } = await withExistingDatabase(database, async ({ db }) => ({
      ...(uploadsDirectory === null
        ? { images: 0, lost: [], orphaned: [] }
        : {
            ...(await copyImages(db, {
              from: path.join(backup.directory, pool),
              to: folderPlace(uploadsDirectory),
              compareBy: 'checksum',
              report: printProgress(print, 'images'),
            })),
            orphaned: await orphanedImages(db, uploadsDirectory),
          }),
      siteId: (await readSite(db))?.id ?? null,
    }))
    await syncFile(database)
    const secret = stagedSecret(site)
    const hasSecret = await copySecret(path.join(backup.directory, backup.name, secretName), secret)

    const now = systemClock()
    const previousIn = (folder: string) => path.join(folder, `before-restore-${timestampName(now)}`)
    const previousData = previousIn(path.dirname(databaseFile))
    if (hasSecret) await replaceFile(secret, secretFile, previousData)
    // SQLite would apply the write-ahead log of the previous database to the restored one.
    for (const suffix of ['-wal', '-shm', '-journal']) await moveInto(previousData, databaseFile + suffix)
    await replaceFile(database, databaseFile, previousData)
    for (const folder of dataFolders) await syncFolder(folder)

    const folders = [previousData]
    if (uploadsDirectory !== null) {
      const previousUploads = previousIn(uploadsDirectory)
      folders.push(previousUploads)
      if ((await readSiteId(uploadsDirectory)) !== siteId) {
        await moveInto(previousUploads, path.join(uploadsDirectory, siteFolder))
        // A database without an id gets one at the next start, and then the folder does.
        if (siteId !== null) await writeSiteId(uploadsDirectory, siteId)
      }
      for (const name of orphaned) await moveInto(previousUploads, path.join(uploadsDirectory, name))
      await syncFolder(uploadsDirectory)
    }
    print(`The backup ${backup.name} is restored: ${posts} and ${count(images, 'image')}.`)
    for (const folder of folders)
      if (await nullIfMissing(stat(folder)))
        print(`The previous data is in ${folder}; remove it when you no longer need it.`)
    if (lost.length > 0)
      throw new StartError(
        `The backup is restored without ${count(lost.length, 'image')} that it does not contain, or contains damaged. npm run verify lists them.`,
      )
  })
}

/**
 * Runs work while no server, command or other restore uses the site.
 *
 * @param work receives an empty folder on the database's disk, which is removed afterwards
 * @throws StartError if the site is in use
 */
async function withLockedSite(site: SiteFiles, work: (staging: string) => Promise<void>): Promise<void> {
  const folder = path.join(path.dirname(site.databaseFile), '.restoring')
  makeFolder(folder)
  makeFolder(path.dirname(site.secretFile))
  const release = acquireFileLock(path.join(folder, 'lock'))
  if (!release) throw new StartError(`Another restore to ${site.databaseFile} is running.`)
  const unlocks: Release[] = []
  try {
    unlocks.push(await lockDatabase(site.databaseFile))
    // A server with another database may use it.
    if (site.uploadsDirectory !== null) unlocks.push(await lockUploads(site.uploadsDirectory))
    const staging = path.join(folder, 'staging')
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging)
    await work(staging)
  } finally {
    for (const unlock of unlocks) unlock()
    await rm(stagedSecret(site), { force: true })
    await rm(folder, { recursive: true, force: true })
    release()
  }
}

/** On the disk of the secret, which is another one if the database file is a link to it. */
const stagedSecret = ({ secretFile }: SiteFiles) => `${secretFile}.restoring`

const unlocked = () => undefined

/** Takes the lock of a server. A missing one is not created: no server has used the folder. */
async function lockUploads(directory: string): Promise<Release> {
  const lock = lockFile(directory)
  const release = (await nullIfMissing(stat(lock))) ? acquireFileLock(lock) : unlocked
  if (release) return release
  throw new StartError(`The uploads folder ${directory} is in use; stop the server before restoring.`)
}

async function lockDatabase(file: string): Promise<Release> {
  if (!(await nullIfMissing(stat(file)))) return unlocked
  try {
    const release = claimDatabase(file)
    if (release) return release
  } catch (error) {
    // A damaged database can be replaced: no server runs on it.
    if (isStorageError(error)) return unlocked
    throw error
  }
  throw new StartError(
    `The database ${file} is in use; stop the server, and other programs that use it, before restoring.`,
  )
}

/** Names the data of the site that a restore replaces. */
async function findExistingData({ databaseFile, uploadsDirectory }: SiteFiles): Promise<readonly string[]> {
  let images = 0
  if (uploadsDirectory !== null) {
    for await (const { name } of await opendir(uploadsDirectory)) if (isImageFolder(name)) images += 1
  }
  const files = await Promise.all(
    ['', '-wal', '-journal'].map((suffix) => nullIfMissing(stat(databaseFile + suffix))),
  )
  return [
    ...(files.some((file) => file !== null) ? [`the database ${databaseFile}`] : []),
    ...(images > 0 ? [`${count(images, 'image')} in ${uploadsDirectory ?? ''}`] : []),
  ]
}

/**
 * Copies a backup's database to where SQLite can open it: the backup may be on a read-only disk.
 *
 * @throws StartError if it differs from its checksum
 */
async function stageDatabase({ directory, name, manifest }: Backup, staging: string): Promise<string> {
  const staged = path.join(staging, databaseName)
  await copyFile(path.join(directory, name, databaseName), staged)
  const { sha256 } = await fileChecksum(staged)
  if (sha256 !== manifest.database.sha256) {
    throw new StartError(`The database of the backup ${name} is damaged; nothing was changed.`)
  }
  await chmod(staged, 0o600)
  return staged
}

async function orphanedImages(db: Database, uploadsDirectory: string): Promise<string[]> {
  const orphaned: string[] = []
  for await (const [{ name }, isListed] of lookUpFolders(db, await opendir(uploadsDirectory)))
    if (isImageFolder(name) && !isListed) orphaned.push(name)
  return orphaned
}

/** Replaces a file and keeps the previous one in `folder`. At every moment the file exists and is complete. */
async function replaceFile(staged: string, file: string, folder: string): Promise<void> {
  if (await nullIfMissing(stat(file))) await linkOrCopy(file, await pathIn(folder, file))
  await rename(staged, file)
}

async function linkOrCopy(file: string, target: string): Promise<void> {
  try {
    await link(file, target)
  } catch {
    // Not every file system has hard links.
    await copyFile(file, target, constants.COPYFILE_EXCL)
    await syncFile(target)
  }
}

/** Moves a file or folder, if it exists, into a folder on the same disk. */
async function moveInto(folder: string, file: string): Promise<void> {
  if (await nullIfMissing(stat(file))) await rename(file, await pathIn(folder, file))
}

async function pathIn(folder: string, file: string): Promise<string> {
  makeFolder(folder)
  return path.join(folder, path.basename(file))
}
