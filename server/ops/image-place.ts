import { mkdir, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { originalFile } from '../../shared/image-files.ts'
import { nullIfMissing, syncFolder, systemCode, writeDurably } from '../files/disk-files.ts'
import type { ImageFiles } from '../storage/blob-store.ts'
import type { Bucket } from '../storage/bucket.ts'
import { isImageFolder, readSiteId, unfinishedName, writeSiteId } from '../storage/uploads-folder.ts'

/** The bytes of a file; null for a missing one. */
export type ReadResult = Uint8Array | 'damaged' | null

/** Where images are stored, each in a folder of its own: a folder or a bucket. */
export interface ImagePlace {
  /** Variable, or option of the command, that names it. */
  readonly setting: 'UPLOADS_DIR' | 'S3_BUCKET' | '--uploads'
  /** Such as `the bucket images`. */
  readonly name: string
  /** What to name for another site. */
  readonly another: string
  /** What to do if images are missing that it should have. */
  readonly advice: string
  /** Id of the site that it belongs to; null for none. */
  siteId(): Promise<string | null>
  writeSiteId(id: string): Promise<void>
  hasImages(): Promise<boolean>
  /** Returns the bytes of an original; null if there is none. */
  size(folder: string): Promise<number | null>
  readOriginal(folder: string): Promise<ReadResult>
  /** Stores an image, or replaces it. Durable after `sync`. */
  replace(folder: string, files: ImageFiles): Promise<void>
  sync(): Promise<void>
}

/** An uploads folder, or the images of a folder of backups. */
export function folderPlace(directory: string, setting: ImagePlace['setting'] = 'UPLOADS_DIR'): ImagePlace {
  return {
    setting,
    name: `the uploads folder ${directory}`,
    another: 'a new folder',
    advice: 'Mount its disk',
    siteId: () => readSiteId(directory),
    writeSiteId: (id) => writeSiteId(directory, id),
    async hasImages() {
      for await (const { name } of (await nullIfMissing(opendir(directory))) ?? [])
        if (isImageFolder(name)) return true
      return false
    },
    size: (folder) => fileSize(path.join(directory, folder, originalFile)),
    readOriginal: (folder) => readFileIfReadable(path.join(directory, folder, originalFile)),
    async replace(folder, files) {
      const unfinished = path.join(directory, unfinishedName(folder))
      const finished = path.join(directory, folder)
      await rm(unfinished, { recursive: true, force: true })
      try {
        await mkdir(unfinished)
        for (const [name, bytes] of Object.entries(files))
          await writeDurably(path.join(unfinished, name), bytes)
        await syncFolder(unfinished)
        await rm(finished, { recursive: true, force: true })
        await rename(unfinished, finished)
      } catch (error) {
        await rm(unfinished, { recursive: true, force: true })
        throw error
      }
    },
    sync: () => syncFolder(directory),
  }
}

export function bucketPlace(bucket: Bucket): ImagePlace {
  return {
    setting: 'S3_BUCKET',
    name: `the bucket ${bucket.name}`,
    another: 'a new bucket or another S3_PREFIX',
    advice: 'Copy the images into it',
    siteId: () => bucket.siteId(),
    writeSiteId: (id) => bucket.writeSiteId(id),
    hasImages: () => bucket.hasImages(),
    size: (folder) => bucket.size(folder, originalFile),
    readOriginal: (folder) => bucket.read(folder, originalFile),
    async replace(folder, { [originalFile]: original, ...others }) {
      for (const [name, bytes] of Object.entries(others)) await bucket.replace(folder, name, bytes)
      // Last, as its presence shows that the image was copied.
      if (original) await bucket.replace(folder, originalFile, original)
    },
    async sync() {},
  }
}

export async function fileSize(file: string): Promise<number | null> {
  return (await nullIfMissing(stat(file)))?.size ?? null
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
