import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { originalFile } from '../../../shared/image-files.ts'
import type { Database } from '../../db/open-database.ts'
import { acquireFileLock, type Release } from '../../db/sqlite/file-lock.ts'
import { StartError } from '../../errors/app-error.ts'
import type { StoredImage } from '../../images/stored-images.ts'
import type { Bucket } from '../../storage/bucket.ts'
import { nullIfMissing, syncFolder } from '../../files/disk-files.ts'
import {
  isImageFile,
  isImageFolder,
  lockFile,
  makeSiteFolder,
  readSiteId,
  writeSiteId,
} from '../../storage/uploads-folder.ts'
import {
  copyImage,
  isIntact,
  readFileIfReadable,
  readOriginal,
  type CopyResult,
} from '../backup/copy-image.ts'

/** Store that images are imported into, under the folder names that the rows have. */
export interface ImageDestination {
  /** Keeps servers from using the store, if it supports locks. @throws StartError if one does */
  lock(releases: Release[]): Promise<void>
  /** Ties the store to a site. @throws StartError if it belongs to another one */
  claim(siteId: string): Promise<void>
  /** Copies the files of an image from an uploads folder unless the store has them. */
  copy(from: string, image: StoredImage): Promise<CopyResult>
  /** Makes all copies durable. */
  finish(): Promise<void>
  /** Writes the rows that the store needs about its images, in the transaction that imports all others. */
  link(transaction: Database): Promise<void>
  /** Closes connections. */
  close(): void
}

/** Uploads folder as a destination; the one that is imported from is left as it is. */
export function folderDestination(directory: string, source: string): ImageDestination {
  const isSource = async () => {
    const found = await Promise.all([directory, source].map((folder) => nullIfMissing(realpath(folder))))
    return found[0] !== null && found[0] === found[1]
  }
  return {
    async lock(releases) {
      if (await isSource()) return
      await makeSiteFolder(directory)
      const release = acquireFileLock(lockFile(directory))
      if (!release)
        throw new StartError(`UPLOADS_DIR: a server is using ${directory}; stop it before the import.`)
      releases.push(release)
    },
    async claim(siteId) {
      if (await isSource()) return
      const existing = await readSiteId(directory)
      if (existing === null) await writeSiteId(directory, siteId)
      else if (existing !== siteId) {
        throw new StartError(
          `UPLOADS_DIR: the folder ${directory} belongs to another site. Name a new folder for the import.`,
        )
      }
    },
    copy: (from, image) => copyImage(from, directory, image, 'size'),
    finish: () => syncFolder(directory),
    async link() {},
    close() {},
  }
}

/** Number of rows per statement. */
const rowsPerInsert = 10_000

/** Bucket as a destination. Its servers are found by their connections to the database, so that it needs no lock. */
export function bucketDestination(bucket: Bucket): ImageDestination {
  /** Bytes of the images that the bucket has, by folder. */
  const bytesByFolder = new Map<string, number>()
  return {
    async lock() {},
    async claim(siteId) {
      const existing = await bucket.siteId()
      if (existing === siteId) return
      if (existing !== null || (await bucket.hasImages())) {
        throw new StartError(
          `S3_BUCKET: the bucket ${bucket.name} belongs to another site. Name a new bucket or another S3_PREFIX for the import.`,
        )
      }
      await bucket.writeSiteId(siteId)
    },
    async copy(from, { folder, sha256 }) {
      if (!isImageFolder(folder)) return 'damaged'
      const source = path.join(from, folder)
      const stored = await bucket.size(folder, originalFile)
      const present = stored !== null && (await sizeOf(source, originalFile)) === stored
      const original = present ? null : await readOriginal(source, sha256)
      if (!present && !isIntact(original)) return original ?? 'missing'
      let bytes = present ? stored : 0
      for (const file of (await nullIfMissing(readdir(source))) ?? []) {
        if (!isImageFile(file) || file === originalFile) continue
        if (present) bytes += (await sizeOf(source, file)) ?? 0
        else {
          const thumbnail = await readFileIfReadable(path.join(source, file))
          if (!isIntact(thumbnail)) continue
          await bucket.replace(folder, file, thumbnail)
          bytes += thumbnail.byteLength
        }
      }
      if (isIntact(original)) {
        // Last, as its presence shows that the image was copied.
        await bucket.replace(folder, originalFile, original)
        bytes += original.byteLength
      }
      bytesByFolder.set(folder, bytes)
      return present ? 'present' : 'copied'
    },
    async finish() {},
    async link(transaction) {
      await transaction.deleteFrom('bucket_folders').execute()
      const entries = Array.from(bytesByFolder, ([folder, bytes]) => ({ folder, bytes }))
      for (let done = 0; done < entries.length; done += rowsPerInsert) {
        const rows = entries.slice(done, done + rowsPerInsert)
        await transaction.insertInto('bucket_folders').values(rows).execute()
      }
      const total = sql`(SELECT coalesce(sum(bytes), 0) FROM bucket_folders)`
      await sql`UPDATE bucket_usage SET bytes = ${total}`.execute(transaction)
    },
    close: () => bucket.close(),
  }
}

async function sizeOf(folder: string, file: string): Promise<number | undefined> {
  return (await nullIfMissing(stat(path.join(folder, file))))?.size
}
