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
export class FolderDestination implements ImageDestination {
  readonly #directory: string
  readonly #source: string

  constructor(directory: string, source: string) {
    this.#directory = directory
    this.#source = source
  }

  async lock(releases: Release[]): Promise<void> {
    if (await this.#isSource()) return
    await makeSiteFolder(this.#directory)
    const release = acquireFileLock(lockFile(this.#directory))
    if (!release) {
      throw new StartError(`UPLOADS_DIR: a server is using ${this.#directory}; stop it before the import.`)
    }
    releases.push(release)
  }

  async claim(siteId: string): Promise<void> {
    if (await this.#isSource()) return
    const existing = await readSiteId(this.#directory)
    if (existing === siteId) return
    if (existing !== null) {
      throw new StartError(
        `UPLOADS_DIR: the folder ${this.#directory} belongs to another site. Name a new folder for the import.`,
      )
    }
    await writeSiteId(this.#directory, siteId)
  }

  copy(from: string, image: StoredImage): Promise<CopyResult> {
    return copyImage(from, this.#directory, image, 'size')
  }

  finish(): Promise<void> {
    return syncFolder(this.#directory)
  }

  async link(): Promise<void> {}

  close(): void {}

  async #isSource(): Promise<boolean> {
    const [directory, source] = await Promise.all(
      [this.#directory, this.#source].map((folder) => nullIfMissing(realpath(folder))),
    )
    return directory !== null && directory === source
  }
}

/** Number of rows per statement. */
const rowsPerInsert = 10_000

/** Bucket as a destination. */
export class BucketDestination implements ImageDestination {
  readonly #bucket: Bucket
  /** Bytes of the images that the bucket has, by folder. */
  readonly #bytes = new Map<string, number>()

  constructor(bucket: Bucket) {
    this.#bucket = bucket
  }

  /** Servers of a bucket are found by their connections to the database. */
  async lock(): Promise<void> {}

  async claim(siteId: string): Promise<void> {
    const existing = await this.#bucket.siteId()
    if (existing === siteId) return
    if (existing !== null || (await this.#bucket.hasImages())) {
      throw new StartError(
        `S3_BUCKET: the bucket ${this.#bucket.name} belongs to another site. Name a new bucket or another S3_PREFIX for the import.`,
      )
    }
    await this.#bucket.writeSiteId(siteId)
  }

  async copy(from: string, { folder, sha256 }: StoredImage): Promise<CopyResult> {
    if (!isImageFolder(folder)) return 'damaged'
    const source = path.join(from, folder)
    const stored = await this.#bucket.size(folder, originalFile)
    const present = stored !== null && (await sizeOf(source, originalFile)) === stored
    const original = present ? null : await readOriginal(source, sha256)
    if (!present && !isIntact(original)) return original ?? 'missing'
    let bytes = stored ?? 0
    for (const file of (await nullIfMissing(readdir(source))) ?? []) {
      if (!isImageFile(file) || file === originalFile) continue
      if (present) bytes += (await sizeOf(source, file)) ?? 0
      else {
        const thumbnail = await readFileIfReadable(path.join(source, file))
        if (!isIntact(thumbnail)) continue
        await this.#bucket.replace(folder, file, thumbnail)
        bytes += thumbnail.byteLength
      }
    }
    if (isIntact(original)) {
      // Last, as its presence shows that the image was copied.
      await this.#bucket.replace(folder, originalFile, original)
      bytes += original.byteLength - (stored ?? 0)
    }
    this.#bytes.set(folder, bytes)
    return present ? 'present' : 'copied'
  }

  async finish(): Promise<void> {}

  async link(transaction: Database): Promise<void> {
    await transaction.deleteFrom('bucket_folders').execute()
    const entries = [...this.#bytes]
    for (let done = 0; done < entries.length; done += rowsPerInsert) {
      const rows = entries.slice(done, done + rowsPerInsert)
      await sql`
        INSERT INTO bucket_folders (folder, bytes)
        SELECT * FROM unnest(${rows.map(([folder]) => folder)}::text[], ${rows.map(([, bytes]) => bytes)}::bigint[])`.execute(
        transaction,
      )
    }
    await sql`
      UPDATE bucket_usage SET bytes = (SELECT coalesce(sum(bytes), 0) FROM bucket_folders)`.execute(
      transaction,
    )
  }

  close(): void {
    this.#bucket.close()
  }
}

async function sizeOf(folder: string, file: string): Promise<number | undefined> {
  return (await nullIfMissing(stat(path.join(folder, file))))?.size
}
