import { mkdir, open, opendir, readdir, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { originalFile } from '../../../shared/image-files.ts'
import { copyDatabase, databaseSize, integrityIssues } from '../../db/sqlite/maintenance.ts'
import { acquireFileLock, type Release } from '../../db/sqlite/file-lock.ts'
import { withExistingDatabase } from '../../db/schema-version.ts'
import type { Database } from '../../db/open-database.ts'
import { countRows } from '../../db/rows.ts'
import { StartError } from '../../errors/app-error.ts'
import { hasImage, type StoredImage } from '../../images/stored-images.ts'
import {
  makeFolder,
  systemCode,
  syncFile,
  syncFolder,
  writeDurably,
  nullIfMissing,
  realFile,
} from '../../files/disk-files.ts'
import { isImageFolder, isUnfinishedFolder } from '../../storage/uploads-folder.ts'
import { copyImages, type Copying } from '../copy-images.ts'
import { count } from '../doctor/report.ts'
import { folderPlace, requireOwn } from '../site-storage.ts'
import { announceDatabase, printProgress, type Terminal } from '../terminal.ts'
import { systemClock } from '../../time/clock.ts'
import {
  checksumLine,
  checksumsName,
  copySecret,
  databaseName,
  fileChecksum,
  imageFoldersIn,
  isUnfinished,
  listBackups,
  manifestFile,
  markerName,
  pool,
  secretName,
  timestampName,
  unfinishedName,
  type Manifest,
  type SiteFiles,
} from './backup-format.ts'

/**
 * Backs up a site while its server runs:
 *
 * 1. Checks the site and the folder of backups, and locks the folder.
 * 2. Copies the database as of one moment, and checks the copy.
 * 3. Copies the images that it references and no earlier backup has. An image is stored before its row, so that only one
 *    deleted since can be missing; its rows are then deleted from the copy too.
 * 4. Copies the secret, and writes the checksums and the manifest.
 * 5. Makes everything durable, and gives the backup its final name.
 * 6. Removes old backups, and the images that none of the others needs.
 *
 * Until step 6 earlier backups are not touched.
 *
 * @param keep number of backups that the folder keeps, this one included
 * @throws StartError for an unusable folder, for a missing or damaged database, and for missing or damaged images, without
 *   which the backup is made
 */
export async function takeBackup(
  site: SiteFiles,
  directory: string,
  keep: number,
  print: Terminal['print'],
): Promise<void> {
  if (!(await nullIfMissing(stat(site.databaseFile)))) {
    throw new StartError(`There is nothing to back up: the database ${site.databaseFile} does not exist.`)
  }
  if (site.uploadsDirectory !== null && !(await nullIfMissing(stat(site.uploadsDirectory)))) {
    throw new StartError(`The uploads folder ${site.uploadsDirectory} does not exist; no backup was made.`)
  }
  const release = await openBackupFolder(directory, site)
  const now = systemClock()
  const name = timestampName(now)
  const unfinished = path.join(directory, unfinishedName(name))
  try {
    await mkdir(unfinished, { mode: 0o700 })
    const { copied, lost, images: pictures, ...content } = await writeBackup(site, unfinished, name, print)
    const takenAt = new Date(now).toISOString()
    const manifest: Manifest = { format: 1, takenAt, ...content, pictures, lost: lost.length }
    await writeDurably(manifestFile(unfinished), `${JSON.stringify(manifest, null, 2)}\n`, 0o600)
    await syncFolder(unfinished)
    await rename(unfinished, path.join(directory, name))
    await syncFolder(directory)
    print(
      `${path.join(directory, name)} contains ${count(content.posts, 'post')} and ${count(pictures, 'image')}, ${copied} of them new.`,
    )
    const issues: string[] = []
    if (lost.length > 0)
      issues.push(
        `The backup was made without ${count(lost.length, 'image')} of the site: missing or damaged. npm run verify lists them.`,
      )
    try {
      await removeOldBackups(directory, name, keep - 1)
    } catch (cause) {
      if (!(cause instanceof Error) || systemCode(cause) === undefined) throw cause
      issues.push(`The backup was made, but not everything old was removed: ${cause.message}.`)
    }
    if (issues.length > 0) throw new StartError(issues.join(' '))
  } finally {
    await rm(unfinished, { recursive: true, force: true })
    release()
  }
}

/**
 * Creates the folder if it is missing, locks it, and removes what an interrupted backup left.
 *
 * @throws StartError for a folder that overlaps with the site, contains other files, or is in use
 */
async function openBackupFolder(directory: string, site: SiteFiles): Promise<Release> {
  await rejectOverlap(directory, site)
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error
  })
  await rejectOtherContent(directory)
  const release = acquireFileLock(path.join(directory, markerName))
  if (!release) throw new StartError(`Another backup to ${directory} is running.`)
  try {
    for (const name of await readdir(directory)) {
      if (isUnfinished(name)) await rm(path.join(directory, name), { recursive: true, force: true })
    }
    makeFolder(path.join(directory, pool))
    return release
  } catch (error) {
    release()
    throw error
  }
}

async function rejectOverlap(directory: string, site: SiteFiles): Promise<void> {
  const parent = await nullIfMissing(realpath(path.dirname(directory)))
  // Parents are not created: a missing one may be a disk that is not mounted.
  if (parent === null) {
    throw new StartError(
      `The folder ${path.dirname(directory)} does not exist; mount its disk, or create it for the backups.`,
    )
  }
  const target = (await nullIfMissing(realpath(directory))) ?? path.join(parent, path.basename(directory))
  for (const [description, folder] of [
    ['the uploads folder', site.uploadsDirectory],
    ['the folder of the database', path.dirname(await realFile(site.databaseFile))],
    ['the folder of the secret', path.dirname(site.secretFile)],
  ] as const) {
    if (folder === null) continue
    const resolved = (await nullIfMissing(realpath(folder))) ?? folder
    const name = `${description}, ${folder}`
    if (isInside(target, resolved))
      throw new StartError(`Backups can't be stored in ${name}; name a folder outside of it.`)
    if (isInside(resolved, target))
      throw new StartError(`The backup folder can't contain ${name}; name a folder for backups only.`)
  }
}

function isInside(inner: string, outer: string): boolean {
  const [first] = path.relative(outer, inner).split(path.sep)
  return first !== '..' && !path.isAbsolute(path.relative(outer, inner))
}

async function rejectOtherContent(directory: string): Promise<void> {
  const names = await nullIfMissing(readdir(directory))
  if (names === null) throw new StartError(`${directory} is a file; name a folder.`)
  // The root folder of a disk has a lost+found.
  const others = names.filter((name) => name !== 'lost+found')
  if (others.length > 0 && !others.includes(markerName)) {
    throw new StartError(`${directory} contains other files than backups; name a new or an empty folder.`)
  }
}

/** Copies database, images and secret to the folder `unfinished` of the backup, and writes their checksums. */
async function writeBackup(site: SiteFiles, unfinished: string, name: string, print: Terminal['print']) {
  const from = site.uploadsDirectory
  const file = path.join(unfinished, databaseName)
  const checksums = await open(path.join(unfinished, checksumsName), 'wx', 0o600)
  try {
    const content = await withExistingDatabase(
      site.databaseFile,
      async ({ db: live, applied: migrations }) => {
        // A backup without images, of an unmounted disk for example, must not replace those that have them.
        if (migrations.length > 0 && from !== null)
          await requireOwn(folderPlace(from), site.databaseFile, live)
        announceDatabase(print, await databaseSize(live))
        await copyDatabase(live, file, 0o600)
        return withExistingDatabase(file, async ({ db: snapshot, applied }) => {
          const version = applied.at(-1)
          if (version === undefined) {
            throw new StartError(
              `There is nothing to back up: ${site.databaseFile} is not a database of Rangoli.`,
            )
          }
          await requireIntact(snapshot, site)
          const posts = await countRows(snapshot.selectFrom('posts'))
          if (from === null) return { images: 0, copied: 0, lost: [], version, posts }
          const to = folderPlace(path.join(unfinished, '..', pool))
          const report = printProgress(print, 'images')
          const copied = await copyLiveImages(live, snapshot, checksums, { from, to, report })
          return { ...copied, version, posts }
        })
      },
    )
    await syncFile(file)
    const database = await fileChecksum(file)
    await checksums.appendFile(checksumLine(database.sha256, path.posix.join(name, databaseName)))
    await checksums.sync()
    await copySecret(site.secretFile, path.join(unfinished, secretName))
    return { ...content, database }
  } finally {
    await checksums.close()
  }
}

/** A damaged database must not replace an intact backup. */
async function requireIntact(snapshot: Database, site: SiteFiles): Promise<void> {
  const [issue] = await integrityIssues(snapshot)
  if (issue === undefined) return
  throw new StartError(
    `The database ${site.databaseFile} is damaged (${issue}); no backup was made. Run npm run verify for details.`,
  )
}

/** Copies the images that a snapshot references, and deletes the rows of those that were deleted meanwhile from it. */
export function copyLiveImages(
  live: Database,
  snapshot: Database,
  checksums: Pick<FileHandle, 'appendFile'>,
  copying: Pick<Copying, 'from' | 'to' | 'report'>,
) {
  return copyImages(snapshot, {
    ...copying,
    compareBy: 'size',
    onCopied: ({ sha256, folder }) =>
      checksums.appendFile(checksumLine(sha256, path.posix.join(pool, folder, originalFile))),
    async isLost(image) {
      if (await hasImage(live, image)) return true
      await deleteImage(snapshot, image)
      return false
    },
  })
}

/** Deletes the same rows as `images.delete`. */
async function deleteImage(snapshot: Database, { id }: StoredImage): Promise<void> {
  await snapshot.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('posts').where('image_id', '=', id).execute()
    await transaction.deleteFrom('images').where('id', '=', id).execute()
  })
}

/**
 * Removes all backups but one and the newest others, then the images that none of those references. The one may have an older
 * name, if the clock was set back.
 */
async function removeOldBackups(directory: string, kept: string, keepOthers: number): Promise<void> {
  const others = (await listBackups(directory)).filter((name) => name !== kept)
  for (const name of others.splice(0, others.length - keepOthers)) {
    // Renamed first: a partly removed backup must not look like a complete one.
    const removed = path.join(directory, unfinishedName(name))
    await rename(path.join(directory, name), removed)
    await rm(removed, { recursive: true, force: true })
  }
  const referenced = new Set<string>()
  for (const name of [...others, kept]) {
    const checksums = path.join(directory, name, checksumsName)
    for await (const folder of imageFoldersIn(checksums)) referenced.add(folder)
  }
  for await (const { name } of await opendir(path.join(directory, pool))) {
    const isOrphaned = isUnfinishedFolder(name) || (isImageFolder(name) && !referenced.has(name))
    if (isOrphaned) await rm(path.join(directory, pool, name), { recursive: true, force: true })
  }
}
