import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { originalFile } from '../../../shared/image-files.ts'
import type { Database } from '../../db/open-database.ts'
import { sha256 } from '../../images/processing.ts'
import type { StoredImage } from '../../images/stored-images.ts'
import { systemCode, syncFolder, writeDurably, nullIfMissing } from '../../files/disk-files.ts'
import { isImageFile, isImageFolder, unfinishedName } from '../../storage/uploads-folder.ts'
import { processImages, type Report } from '../process-images.ts'

/** Number of images that are copied concurrently, which disks serve faster than one at a time. */
export const copyConcurrency = 8

/** Outcome of copying all images of a database. */
export interface CopiedImages {
  /** Number of images that the target has. */
  readonly images: number
  /** Number of those that were copied now. */
  readonly copied: number
  /** Folders of images that are missing or damaged in the source. */
  readonly lost: readonly string[]
}

/** Copies every stored image of a database. */
export async function copyStoredImages(
  db: Database,
  report: Report,
  copy: (image: StoredImage) => Promise<CopyResult>,
): Promise<CopiedImages> {
  const lost: string[] = []
  let [images, copied] = [0, 0]
  const options = { concurrency: copyConcurrency, report }
  for await (const [{ folder }, result] of processImages(db, options, copy)) {
    if (result === 'missing' || result === 'damaged') lost.push(folder)
    else images += 1
    if (result === 'copied') copied += 1
  }
  return { images, copied, lost }
}

/** `present`: the target had it. `missing`, `damaged`: neither source nor target has the original with the row's checksum. */
export type CopyResult = 'present' | 'copied' | 'missing' | 'damaged'

/**
 * Copies an image unless the target has it: stored images never change. The copy is durable once the caller syncs `to`.
 *
 * @param compareBy proof that the target has the original: its size, which is fast, or its SHA-256
 */
export async function copyImage(
  from: string,
  to: string,
  image: StoredImage,
  compareBy: 'size' | 'checksum',
): Promise<CopyResult> {
  const { folder } = image
  // The name may come from a backup that was tampered with.
  if (!isImageFolder(folder)) return 'damaged'
  const source = path.join(from, folder)
  const target = path.join(to, folder)
  if (compareBy === 'size' && (await haveSameSize(source, target))) return 'present'
  if (isIntact(await readOriginal(target, image.sha256))) return 'present'
  const original = await readOriginal(source, image.sha256)
  if (!isIntact(original)) return original ?? 'missing'
  await writeImage(source, to, folder, original)
  return 'copied'
}

/** Null for a missing file. */
type ReadResult = Uint8Array | 'damaged' | null

export function isIntact(result: ReadResult): result is Uint8Array {
  return result !== null && result !== 'damaged'
}

async function haveSameSize(source: string, target: string): Promise<boolean> {
  const sizeOf = async (folder: string) => (await nullIfMissing(stat(path.join(folder, originalFile))))?.size
  const size = await sizeOf(target)
  return size !== undefined && size === (await sizeOf(source))
}

/** Reads the original of an image in an uploads folder, and compares it with its SHA-256. */
export async function readOriginal(folder: string, checksum: string): Promise<ReadResult> {
  const bytes = await readFileIfReadable(path.join(folder, originalFile))
  return isIntact(bytes) && (await sha256(bytes)) !== checksum ? 'damaged' : bytes
}

/** Reads a file. A bad sector in it must not keep all others from being copied. */
export async function readFileIfReadable(file: string): Promise<ReadResult> {
  try {
    return await nullIfMissing(readFile(file))
  } catch (error) {
    if (systemCode(error) !== 'EIO') throw error
    return 'damaged'
  }
}

async function writeImage(source: string, to: string, folder: string, original: Uint8Array): Promise<void> {
  const unfinished = path.join(to, unfinishedName(folder))
  const finished = path.join(to, folder)
  await rm(unfinished, { recursive: true, force: true })
  try {
    await mkdir(unfinished)
    await writeDurably(path.join(unfinished, originalFile), original)
    // Existing thumbnails too, which saves the server from creating them again.
    for (const name of (await nullIfMissing(readdir(source))) ?? []) {
      if (!isImageFile(name) || name === originalFile) continue
      const bytes = await readFileIfReadable(path.join(source, name))
      if (isIntact(bytes)) await writeDurably(path.join(unfinished, name), bytes)
    }
    await syncFolder(unfinished)
    await rm(finished, { recursive: true, force: true })
    await rename(unfinished, finished)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}
