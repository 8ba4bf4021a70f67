import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, opendir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../errors/start-error.ts'
import { storageFull } from '../errors/app-error.ts'
import type { BlobStore, ImageFiles, Room } from './blob-store.ts'
import { onDisk } from './disk-error.ts'
import { syncFolder, writeDurably } from './durable-files.ts'
import { folderSize } from './folder-size.ts'
import { limitedTotal, unlimitedTotal } from './folder-total.ts'
import { nullIfMissing } from './null-if-missing.ts'
import { isImageFile, isImageFolder, isUnfinishedFolder, unfinishedName } from './image-names.ts'
import { Quarantine } from './quarantine.ts'
import { RecentNames } from './recent-names.ts'
import { readSiteId } from './site-folder.ts'
import { tryWriting } from './try-writing.ts'

/** The longest that `olderThan` may be asked about with certainty, in milliseconds. */
const recentTime = 2 * 60 * 60 * 1_000

/**
 * Keeps each image as a folder below `directory`, which is made where missing, now and never again: one that is gone
 * later was unmounted or moved, and a new one in its place would hide what is in it.
 *
 * @param maxBytes the most that all of them may take, or null; what is there is measured now, and before anything is refused
 * @param isCounted whether to count what they take without a limit too; then it is measured once, while others work
 * @throws StartError where the directory can't be written
 */
export async function openDiskBlobStore(
  directory: string,
  maxBytes: number | null = null,
  isCounted = false,
): Promise<BlobStore> {
  try {
    await mkdir(directory, { recursive: true })
    await access(directory, constants.W_OK)
  } catch (cause) {
    throw new StartError(`UPLOADS_DIR: the folder ${directory} can't be written.`, { cause })
  }
  const recent = new RecentNames(recentTime)
  const isNew = (name: string) => recent.has(name.slice(-22), recentTime)
  const limited = maxBytes === null ? null : await limitedTotal(directory, maxBytes)
  const total = limited ?? (isCounted ? unlimitedTotal(directory, isNew) : null)
  const quota = total?.quota
  const quarantine = new Quarantine(directory)
  let setAside = 0

  async function reserve(bytes: number): Promise<Room> {
    await quota?.reserve(bytes)
    setAside += bytes
    const room = {
      release() {
        quota?.release(bytes)
        setAside -= bytes
      },
    }
    try {
      await requireFree(setAside)
      return room
    } catch (error) {
      room.release()
      throw error
    }
  }

  async function requireFree(bytes: number): Promise<void> {
    const { blocks, bavail, bsize } = await statfs(directory)
    // Some network file systems do not say how large they are.
    if (blocks > 0 && bavail * bsize < bytes) {
      throw storageFull(new Error(`The disk of ${directory} has ${bavail * bsize} bytes left.`))
    }
  }

  async function put(files: ImageFiles, room?: Room): Promise<string> {
    const size = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (room) quota?.beginReservedWrite(size)
    else await quota?.beginWrite(size)
    const folder = randomBytes(16).toString('base64url')
    const unfinished = path.join(directory, unfinishedName(folder))
    const finished = path.join(directory, folder)
    recent.add(folder)
    try {
      await mkdir(unfinished)
      for (const [file, bytes] of Object.entries(files))
        await writeDurably(path.join(unfinished, file), bytes)
      await syncFolder(unfinished)
      await rename(unfinished, finished)
      await syncFolder(directory)
      return folder
    } catch (error) {
      await discard([unfinished, finished], size)
      throw error
    } finally {
      quota?.endWrite(size)
    }
  }

  async function check(): Promise<void> {
    const name = randomBytes(16).toString('base64url')
    recent.add(name)
    await tryWriting(path.join(directory, unfinishedName(name)))
  }

  async function add(folder: string, file: string, bytes: Uint8Array): Promise<boolean> {
    const filePath = pathOf(folder, file)
    if (!filePath) return false
    const before = (await nullIfMissing(stat(filePath)))?.size ?? 0
    const size = bytes.byteLength
    await quota?.beginWrite(size)
    // Of a name that is never served, in the same folder, so that it goes with it.
    const unfinished = `${filePath}.${randomBytes(6).toString('hex')}`
    try {
      const isThere = await succeedsIfThere(writeDurably(unfinished, bytes))
      if (isThere) await rename(unfinished, filePath)
      quota?.remove(isThere ? before : size)
      return isThere
    } catch (error) {
      await discard([unfinished], size)
      throw error
    } finally {
      quota?.endWrite(size)
    }
  }

  /** Removes what a failed call left. Where the disk refuses that too it stays counted, and is swept up one day. */
  async function discard(folders: readonly string[], size: number): Promise<void> {
    const removals = await Promise.allSettled(
      folders.map((folder) => rm(folder, { recursive: true, force: true })),
    )
    if (removals.every(({ status }) => status === 'fulfilled')) quota?.remove(size)
  }

  async function remove(folder: string): Promise<void> {
    const isFinished = isImageFolder(folder)
    if (!isFinished && !isUnfinishedFolder(folder)) return
    const claimed = path.join(directory, isFinished ? unfinishedName(folder) : folder)
    // Of two removals at a time one finds the name gone, so that nothing is given back twice.
    const isThere = !isFinished || (await succeedsIfThere(rename(path.join(directory, folder), claimed)))
    if (!isThere) return
    recent.add(folder)
    const size = quota ? await folderSize(claimed) : 0
    await rm(claimed, { recursive: true, force: true })
    quota?.remove(size)
  }

  function pathOf(folder: string, file: string): string | null {
    return isImageFolder(folder) && isImageFile(file) ? path.join(directory, folder, file) : null
  }

  return {
    reserve: (bytes) => onDisk(reserve(bytes)),
    put: (files, room) => onDisk(put(files, room)),
    add: (folder, file, bytes) => onDisk(add(folder, file, bytes)),
    remove: (folder) => onDisk(remove(folder)),
    check: () => onDisk(check()),
    get bytes() {
      return total?.bytes ?? null
    },

    async open(folder, file) {
      const filePath = pathOf(folder, file)
      const found = filePath ? await onDisk(nullIfMissing(stat(filePath))) : null
      return filePath && found ? { size: found.size, stream: () => createReadStream(filePath) } : null
    },

    async read(folder, file) {
      const filePath = pathOf(folder, file)
      return filePath ? onDisk(nullIfMissing(readFile(filePath))) : null
    },

    async *olderThan(age) {
      const newest = Date.now() - age
      for await (const { name } of await onDisk(opendir(directory))) {
        const isFinished = isImageFolder(name)
        if (!isFinished && !isUnfinishedFolder(name)) continue
        if (recent.has(name.slice(-22), age)) continue
        const found = await onDisk(nullIfMissing(stat(path.join(directory, name))))
        if (found?.isDirectory() && found.mtimeMs < newest)
          yield { name, isFinished, changedAt: found.mtimeMs }
      }
    },

    siteId: () => onDisk(readSiteId(directory)),
    quarantine: (folder) => onDisk(quarantine.add(folder)),
    quarantined: () => quarantine.list(),
    restore: (image) => onDisk(quarantine.restore(image)),
    purge: async (image) => quota?.remove(await onDisk(quarantine.remove(image))),
  }
}

/** Does work on something; false where it is not there. */
async function succeedsIfThere(work: Promise<void>): Promise<boolean> {
  return (await nullIfMissing(work.then(() => true))) ?? false
}
