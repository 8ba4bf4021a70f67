import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { originalFile } from '../../../shared/image-files.ts'
import { sha256 } from '../../images/processing.ts'
import type { StoredImage } from '../../images/stored-images.ts'
import { systemCode } from '../../storage/disk-error.ts'
import { syncFolder, writeDurably } from '../../storage/durable-files.ts'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { isImageFile, isImageFolder, unfinishedName } from '../../storage/image-names.ts'

/** `there`: nothing had to be done. `missing`, `damaged`: neither side has the image as its row knows it. */
export type CopyResult = 'there' | 'copied' | 'missing' | 'damaged'

/**
 * Sees to it that an image lies below `to`, whole and durably but for its name, which is the caller's to sync. Images
 * never change, so one that is there already is not copied again.
 *
 * @param trust what shows that the one that is there is whole: its size, which is quick, or its SHA-256
 */
export async function copyImage(
  from: string,
  to: string,
  image: StoredImage,
  trust: 'size' | 'sum',
): Promise<CopyResult> {
  const { folder } = image
  if (!isImageFolder(folder)) return 'damaged'
  const source = path.join(from, folder)
  const target = path.join(to, folder)
  if (trust === 'size' && (await haveSameSize(source, target))) return 'there'
  if (isWhole(await findOriginal(target, image.sha256))) return 'there'
  const original = await findOriginal(source, image.sha256)
  if (!isWhole(original)) return original ?? 'missing'
  await write(source, to, folder, original)
  return 'copied'
}

type Found = Uint8Array | 'damaged' | null

function isWhole(found: Found): found is Uint8Array {
  return found !== null && found !== 'damaged'
}

async function haveSameSize(source: string, target: string): Promise<boolean> {
  const size = async (folder: string) => (await nullIfMissing(stat(path.join(folder, originalFile))))?.size
  const there = await size(target)
  return there !== undefined && there === (await size(source))
}

async function findOriginal(folder: string, sum: string): Promise<Found> {
  const bytes = await readUnlessDamaged(path.join(folder, originalFile))
  return isWhole(bytes) && sha256(bytes) !== sum ? 'damaged' : bytes
}

/** A disk that can't read one file may still read all others. */
async function readUnlessDamaged(file: string): Promise<Found> {
  try {
    return await nullIfMissing(readFile(file))
  } catch (error) {
    if (systemCode(error) !== 'EIO') throw error
    return 'damaged'
  }
}

async function write(source: string, to: string, folder: string, original: Uint8Array): Promise<void> {
  const unfinished = path.join(to, unfinishedName(folder))
  const finished = path.join(to, folder)
  await rm(unfinished, { recursive: true, force: true })
  try {
    await mkdir(unfinished)
    await writeDurably(path.join(unfinished, originalFile), original)
    // The thumbnails too, as far as they are there: they would be made anew.
    for (const name of (await nullIfMissing(readdir(source))) ?? []) {
      if (!isImageFile(name) || name === originalFile) continue
      const bytes = await readUnlessDamaged(path.join(source, name))
      if (isWhole(bytes)) await writeDurably(path.join(unfinished, name), bytes)
    }
    await syncFolder(unfinished)
    await rm(finished, { recursive: true, force: true })
    await rename(unfinished, finished)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}
