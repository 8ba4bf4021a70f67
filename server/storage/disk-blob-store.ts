import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  access,
  constants,
  mkdir,
  opendir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
  readdir,
  rmdir,
} from 'node:fs/promises'
import path from 'node:path'
import { dbNow } from '../db/dialect-of.ts'
import { msPerDay } from '../db/gallery.ts'
import { storageFull } from '../errors/app-error.ts'
import type { DiskBlobStore, ImageFiles, Reservation, QuarantinedImage, StoredFile } from './blob-store.ts'
import {
  folderSize,
  freeBytesOf,
  makeFolder,
  nullIfMissing,
  onDisk,
  syncFolder,
  writeDurably,
  systemCode,
} from '../files/disk-files.ts'
import {
  cannotWrite,
  isImageFile,
  isImageFolder,
  isUnfinishedFolder,
  readSiteId,
  unfinishedName,
  makeSiteFolder,
  siteFolder,
} from './uploads-folder.ts'
import { UploadsQuota } from './uploads-quota.ts'
import { systemClock } from '../time/clock.ts'
import { isoTime } from '../text/iso-time.ts'

/** Maximum age that `olderThan` can be called with reliably. */
const recentMs = 2 * 60 * 60 * 1_000

/** Space that new images leave for the database, which may be on the same disk: its log also grows when images are deleted. */
const keptFreeBytes = 16 * 1024 * 1024

/** Contents of the file that `check` writes: the usual block size of a file system. */
const checkBytes = Buffer.alloc(4_096)

/**
 * Opens a blob store that keeps each image as a folder in `directory`. Creates the directory if it is missing, but only
 * now: if it disappears later it was unmounted or moved, and a new one would hide its contents.
 *
 * @param maxBytes limit of all images together, or null. The directory is measured now, and before a write is rejected.
 * @throws StartError if the directory cannot be written
 */
export async function openDiskBlobStore(
  directory: string,
  maxBytes: number | null = null,
): Promise<DiskBlobStore> {
  try {
    makeFolder(directory)
    await access(directory, constants.W_OK)
  } catch (cause) {
    throw cannotWrite(directory, cause)
  }
  /**
   * Names of new folders by the monotonic clock: the modification time of a folder looks an hour old when the system's
   * clock is set forward by an hour.
   */
  const recent = new Map<string, number>()
  const isNew = (name: string, ageMs: number) =>
    (recent.get(name.slice(-22)) ?? -Infinity) > performance.now() - ageMs

  function remember(name: string): void {
    const now = performance.now()
    for (const [earlier, addedAt] of recent) {
      if (addedAt > now - recentMs) break
      recent.delete(earlier)
    }
    recent.set(name, now)
  }

  /** Without what this process adds meanwhile, so that the size of a folder without a limit is exact. */
  const measure = (startedAt: number) =>
    folderSize(directory, (name) => maxBytes !== null || !isNew(name, performance.now() - startedAt))
  const quota =
    maxBytes === null
      ? new UploadsQuota(Infinity, Infinity, measure)
      : new UploadsQuota(maxBytes, await folderSize(directory), measure)

  async function reserve(bytes: number): Promise<Reservation> {
    await quota.reserve(bytes)
    try {
      const free = await freeBytesOf(directory)
      if (free !== null && free < quota.reserved + keptFreeBytes) {
        throw storageFull(new Error(`The disk of ${directory} has ${free} bytes left.`))
      }
      return { release: async () => quota.release(bytes) }
    } catch (error) {
      quota.release(bytes)
      throw error
    }
  }

  async function freeBytes(): Promise<number | null> {
    const free = [
      await onDisk(freeBytesOf(directory)),
      maxBytes === null ? null : maxBytes - (quota.bytes ?? 0),
    ]
    const known = free.filter((bytes) => bytes !== null)
    return known.length > 0 ? Math.max(0, Math.min(...known)) : null
  }

  async function put(files: ImageFiles, reservation?: Reservation): Promise<string> {
    const size = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (reservation) quota.beginReservedWrite(size)
    else await quota.beginWrite(size)
    const folder = randomBytes(16).toString('base64url')
    const unfinished = path.join(directory, unfinishedName(folder))
    const finished = path.join(directory, folder)
    remember(folder)
    return write(size, [unfinished, finished], async () => {
      await mkdir(unfinished)
      for (const [file, bytes] of Object.entries(files))
        await writeDurably(path.join(unfinished, file), bytes)
      await syncFolder(unfinished)
      await rename(unfinished, finished)
      await syncFolder(directory)
      return folder
    })
  }

  /** Runs a write that is counted already. Removes what it leaves if it fails; what can't be removed stays counted. */
  async function write<Result>(
    size: number,
    names: readonly string[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const removals = names.map((name) => rm(name, { recursive: true, force: true }))
      const results = await Promise.allSettled(removals)
      if (results.every(({ status }) => status === 'fulfilled')) quota.remove(size)
      throw error
    } finally {
      quota.endWrite(size)
    }
  }

  /** Writes and removes a file: missing permissions, read-only disks and full ones show only when writing. */
  async function check(): Promise<void> {
    const name = randomBytes(16).toString('base64url')
    remember(name)
    const folder = path.join(directory, unfinishedName(name))
    await mkdir(folder)
    try {
      await writeFile(path.join(folder, 'check'), checkBytes)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async function add(folder: string, file: string, bytes: Uint8Array): Promise<boolean> {
    const filePath = pathOf(folder, file)
    if (!filePath) return false
    const sizeBefore = (await nullIfMissing(stat(filePath)))?.size ?? 0
    const size = bytes.byteLength
    await quota.beginWrite(size)
    // In the same folder, so that it is removed with it, under a name that is never served.
    const unfinished = `${filePath}.${randomBytes(6).toString('hex')}`
    return write(size, [unfinished], async () => {
      const exists = await succeedsUnlessMissing(writeDurably(unfinished, bytes))
      if (exists) await rename(unfinished, filePath)
      quota.remove(exists ? sizeBefore : size)
      return exists
    })
  }

  async function remove(folder: string): Promise<void> {
    const isFinished = isImageFolder(folder)
    if (!isFinished && !isUnfinishedFolder(folder)) return
    const claimed = path.join(directory, isFinished ? unfinishedName(folder) : folder)
    // Only one of several simultaneous removals renames the folder, so that its bytes are subtracted once.
    const exists = !isFinished || (await succeedsUnlessMissing(rename(path.join(directory, folder), claimed)))
    if (!exists) return
    remember(folder)
    const size = await folderSize(claimed)
    await rm(claimed, { recursive: true, force: true })
    quota.remove(size)
  }

  /** By day, in the path because moving a folder keeps its times, and a server may not be allowed to change them. */
  const quarantine = path.join(directory, siteFolder, 'quarantine')
  const quarantined = ({ day, name }: QuarantinedImage) => path.join(quarantine, day, name)

  async function discard(name: string): Promise<void> {
    if (!isQuarantined(name)) return
    const day = path.join(quarantine, isoTime(systemClock()).slice(0, 10))
    await makeSiteFolder(directory)
    await mkdir(day, { recursive: true })
    await nullIfMissing(rename(path.join(directory, name), path.join(day, name)))
  }

  async function restore(image: QuarantinedImage): Promise<boolean> {
    const isRestored = await unlessNotEmpty(rename(quarantined(image), path.join(directory, image.name)))
    if (isRestored) await removeDay(image)
    return isRestored
  }

  async function purge(image: QuarantinedImage): Promise<void> {
    const size = await folderSize(quarantined(image))
    await rm(quarantined(image), { recursive: true, force: true })
    await removeDay(image)
    quota.remove(size)
  }

  async function removeDay({ day }: QuarantinedImage): Promise<void> {
    await unlessNotEmpty(nullIfMissing(rmdir(path.join(quarantine, day))))
  }

  function pathOf(folder: string, file: string): string | null {
    return isImageFolder(folder) && isImageFile(file) ? path.join(directory, folder, file) : null
  }

  async function open(folder: string, file: string): Promise<StoredFile | null> {
    const filePath = pathOf(folder, file)
    const found = filePath ? await onDisk(nullIfMissing(stat(filePath))) : null
    return filePath && found ? { size: found.size, stream: () => createReadStream(filePath) } : null
  }

  return {
    reserve: (bytes) => onDisk(reserve(bytes)),
    put: (files, reservation) => onDisk(put(files, reservation)),
    add: (folder, file, bytes) => onDisk(add(folder, file, bytes)),
    remove: (folder) => onDisk(remove(folder)),
    check: () => onDisk(check()),
    bytes: async () => quota.bytes,
    freeBytes,
    // The rows of images are compared with the folders instead, as both may be restored separately.
    link: async () => {},

    async unlink(transaction, folders) {
      const now = dbNow(transaction)
      await transaction
        .insertInto('bucket_folders')
        .values(folders.map((folder) => ({ folder, bytes: 0, unlinked_at: now, removed_at: now })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    hasQuarantine: true,
    discard: (folder) => onDisk(discard(folder)),

    open,
    size: async (folder, file) => (await open(folder, file))?.size ?? null,

    async read(folder, file) {
      const filePath = pathOf(folder, file)
      return filePath ? onDisk(nullIfMissing(readFile(filePath))) : null
    },

    async *olderThan(ageMs) {
      const newest = systemClock() - ageMs
      for await (const { name } of await onDisk(opendir(directory))) {
        const isFinished = isImageFolder(name)
        if (!isFinished && !isUnfinishedFolder(name)) continue
        if (isNew(name, ageMs)) continue
        const found = await onDisk(nullIfMissing(stat(path.join(directory, name))))
        if (found?.isDirectory() && found.mtimeMs < newest)
          yield { name, isFinished, changedAt: found.mtimeMs }
      }
    },

    siteId: () => onDisk(readSiteId(directory)),
    async *quarantined() {
      for (const day of await namesIn(quarantine, isDay)) {
        const since = Date.parse(day) + msPerDay
        for (const name of await namesIn(path.join(quarantine, day), isQuarantined))
          yield { name, day, since }
      }
    },
    restore: (image) => onDisk(restore(image)),
    purge: (image) => onDisk(purge(image)),
  }
}

/** Waits for an operation; false if its file does not exist. */
async function succeedsUnlessMissing(operation: Promise<void>): Promise<boolean> {
  return (await nullIfMissing(operation.then(() => true))) ?? false
}

const isQuarantined = (name: string) => isImageFolder(name) || isUnfinishedFolder(name)

const isDay = (name: string) => /^\d{4}-\d\d-\d\d$/.test(name)

/** Waits for an operation; false if a folder has entries that it should not have. */
async function unlessNotEmpty(operation: Promise<unknown>): Promise<boolean> {
  try {
    await operation
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) return false
    throw error
  }
}

/** Lists the names in a folder, sorted; none for a missing folder. */
async function namesIn(folder: string, accepts: (name: string) => boolean): Promise<string[]> {
  const names = (await onDisk(nullIfMissing(readdir(folder)))) ?? []
  return names.filter((name) => accepts(name)).sort()
}
