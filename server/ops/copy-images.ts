import { readdir } from 'node:fs/promises'
import path from 'node:path'
import pLimit from 'p-limit'
import { originalFile } from '../../shared/image-files.ts'
import type { Database } from '../db/open-database.ts'
import { nullIfMissing } from '../files/disk-files.ts'
import { sha256 } from '../images/processing.ts'
import { countStoredImages, storedImages, type StoredImage } from '../images/stored-images.ts'
import { isImageFile, isImageFolder } from '../storage/uploads-folder.ts'
import { fileSize, readFileIfReadable, type ImagePlace, type ReadResult } from './site-storage.ts'

/** Receives the progress of long work. */
export type Report = (done: number, total: number) => void

/** Processes every stored image of a database, oldest first, so many at once, and yields each with its result. */
export async function* processImages<Result>(
  db: Database,
  concurrency: number,
  report: Report,
  process: (image: StoredImage) => Promise<Result>,
): AsyncGenerator<readonly [StoredImage, Result]> {
  const total = await countStoredImages(db)
  const limit = pLimit(concurrency)
  let done = 0
  for await (const batch of storedImages(db)) {
    yield* await Promise.all(batch.map(async (image) => [image, await limit(() => process(image))] as const))
    done += batch.length
    report(done, total)
  }
}

/** Number of images that are copied concurrently, which disks serve faster than one at a time. */
const copyConcurrency = 8

/** Proof that the target has an original: its size, which is fast, or its SHA-256. */
export type Comparison = 'size' | 'checksum'

export interface Copying {
  readonly from: string
  readonly to: ImagePlace
  readonly compareBy: Comparison
  readonly report: Report
  /** Called with each image that the target has. */
  readonly onCopied?: (image: StoredImage) => Promise<void>
  /** Reports whether an image that is missing or damaged is lost. */
  readonly isLost?: (image: StoredImage) => Promise<boolean>
}

/**
 * Copies every stored image of a database. The copies are durable afterwards.
 *
 * @returns the number of images, of those that were copied now, and the folders of those that the source lacks or has damaged
 */
export async function copyImages(db: Database, { from, to, compareBy, report, onCopied, isLost }: Copying) {
  const lost: string[] = []
  let [images, copied] = [0, 0]
  const copy = (image: StoredImage) => copyImage(from, to, image, compareBy)
  for await (const [image, result] of processImages(db, copyConcurrency, report, copy)) {
    if (result === 'present' || result === 'copied') {
      images += 1
      if (result === 'copied') copied += 1
      await onCopied?.(image)
    } else if ((await isLost?.(image)) ?? true) lost.push(image.folder)
  }
  await to.sync()
  return { images, copied, lost }
}

/** `present`: the target had it. `missing`, `damaged`: neither source nor target has the original with the row's checksum. */
type CopyResult = 'present' | 'copied' | 'missing' | 'damaged'

/** Copies an image unless the target has it: stored images never change. */
export async function copyImage(
  from: string,
  to: ImagePlace,
  image: Pick<StoredImage, 'folder' | 'sha256'>,
  compareBy: Comparison,
): Promise<CopyResult> {
  const { folder } = image
  // The name may come from a backup that was tampered with.
  if (!isImageFolder(folder)) return 'damaged'
  const isIntact = async (bytes: ReadResult) =>
    bytes instanceof Uint8Array && (await sha256(bytes)) === image.sha256
  const source = path.join(from, folder)
  const size = await to.size(folder)
  if (size !== null) {
    if (compareBy === 'size' && size === (await fileSize(path.join(source, originalFile)))) return 'present'
    if (await isIntact(await to.readOriginal(folder))) return 'present'
  }
  const original = await readFileIfReadable(path.join(source, originalFile))
  if (original === null) return 'missing'
  if (original === 'damaged' || !(await isIntact(original))) return 'damaged'
  const files: Record<string, Uint8Array> = { [originalFile]: original }
  // Existing thumbnails too, which saves the server from creating them again.
  for (const name of (await nullIfMissing(readdir(source))) ?? []) {
    if (!isImageFile(name) || name === originalFile) continue
    const bytes = await readFileIfReadable(path.join(source, name))
    if (bytes instanceof Uint8Array) files[name] = bytes
  }
  await to.replace(folder, files)
  return 'copied'
}
