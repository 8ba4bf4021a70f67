import type { Logger } from 'pino'
import { originalFile } from '../../shared/image-files.ts'
import type { Database } from '../db/open-database.ts'
import { isStorageError, storageUnavailable } from '../errors/app-error.ts'
import type { BlobStore, ImageFiles, Reservation, StoredFolder } from './blob-store.ts'
import { folderOf, type Bucket } from './bucket.ts'
import { BucketUsage } from './bucket-usage.ts'
import { isImageFolder } from './uploads-folder.ts'

/** Age in milliseconds from which an unlinked folder is orphaned. Images are stored before their rows are written. */
const orphanAgeMs = 60 * 60 * 1_000

interface S3Services {
  readonly db: Database
  readonly log?: Logger
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Blob store that keeps each image under a prefix of a bucket. Several processes may use it at the same time.
 *
 * Deleting is repeated after an hour by `sweep`: a thumbnail may be added while its image is removed, and a request that
 * timed out may still be carried out.
 */
export class S3BlobStore implements BlobStore {
  readonly #bucket: Bucket
  readonly hasQuarantine = false
  readonly #usage: BucketUsage
  readonly #services: S3Services
  readonly #maxBytes: number | null
  /** Folders of reservations. */
  readonly #reserved = new WeakMap<Reservation, string>()

  /** @param maxBytes limit of all images together; null for no limit */
  constructor(bucket: Bucket, maxBytes: number | null, services: S3Services) {
    this.#bucket = bucket
    this.#services = services
    this.#maxBytes = maxBytes
    this.#usage = new BucketUsage(services.db, maxBytes, services.now)
  }

  /** Verifies that the bucket answers. With a limit, the reserved bytes count until they are released. */
  async reserve(bytes: number): Promise<Reservation> {
    await this.check()
    if (this.#maxBytes === null) return { release: async () => {} }
    const folder = await this.#usage.insert(bytes)
    const reservation = { release: () => this.#release(folder) }
    this.#reserved.set(reservation, folder)
    return reservation
  }

  async #release(folder: string): Promise<void> {
    try {
      if (await this.#usage.beginRemoval(folder)) await this.#usage.forget(folder)
    } catch (err) {
      // The next sweep releases it.
      if (!isStorageError(err)) throw err
      this.#services.log?.warn({ err, folder }, 'reserved storage could not be released')
    }
  }

  async put(files: ImageFiles, reservation?: Reservation): Promise<string> {
    const size = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0)
    const folder = await this.#usage.insert(size, reservation && this.#reserved.get(reservation))
    const { [originalFile]: original, ...others } = files
    try {
      await Promise.all(Object.entries(others).map(([file, bytes]) => this.#bucket.put(folder, file, bytes)))
      if (original) await this.#bucket.put(folder, originalFile, original)
      return folder
    } catch (error) {
      await this.#removeFailed(folder)
      throw error
    }
  }

  /** Removes what a failed write left, unless the next sweep has to. */
  async #removeFailed(folder: string): Promise<void> {
    try {
      await this.remove(folder)
    } catch (err) {
      if (!isStorageError(err)) throw err
      this.#services.log?.debug({ err, folder }, 'a failed write is left to the next sweep')
    }
  }

  async add(folder: string, file: string, bytes: Uint8Array): Promise<boolean> {
    const [original, previous] = await Promise.all([
      this.#bucket.size(folder, originalFile),
      this.#bucket.size(folder, file),
    ])
    if (original === null) return false
    const added = bytes.byteLength - (previous ?? 0)
    if (!(await this.#usage.add(folder, added))) return false
    try {
      await this.#bucket.replace(folder, file, bytes)
    } catch (error) {
      // If this fails too, the bytes count until the image is removed.
      if ((await this.#bucket.size(folder, file)) === previous) await this.#usage.add(folder, -added)
      throw error
    }
    return true
  }

  size(folder: string, file: string) {
    return this.#bucket.size(folder, file)
  }

  open(folder: string, file: string) {
    return this.#bucket.open(folder, file)
  }

  read(folder: string, file: string) {
    return this.#bucket.read(folder, file)
  }

  link(transaction: Database, folder: string): Promise<void> {
    return this.#usage.link(transaction, folder)
  }

  unlink(transaction: Database, folders: readonly string[]): Promise<void> {
    return this.#usage.unlink(transaction, folders)
  }

  async remove(folder: string): Promise<void> {
    if (isImageFolder(folder) && (await this.#usage.beginRemoval(folder))) await this.#deleteObjects(folder)
  }

  /** @returns true if there were objects */
  async #deleteObjects(folder: string): Promise<boolean> {
    const keys: string[] = []
    for await (const { key } of this.#bucket.list(`${folder}/`)) keys.push(key)
    const original = `${folder}/${originalFile}`
    if (keys.includes(original)) await this.#bucket.delete(original)
    await Promise.all(keys.filter((key) => key !== original).map((key) => this.#bucket.delete(key)))
    await this.#usage.endRemoval(folder)
    return keys.length > 0
  }

  /** Verifies that the bucket answers and belongs to the site. Writes nothing, as versioned buckets keep everything. */
  async check(): Promise<void> {
    const siteId = await this.#bucket.siteId()
    if (siteId === null) throw storageUnavailable(new Error('The bucket has no site.json any more.'), 30)
  }

  bytes(): Promise<number> {
    return this.#usage.bytes()
  }

  async freeBytes(): Promise<number | null> {
    return this.#maxBytes === null ? null : Math.max(0, this.#maxBytes - (await this.bytes()))
  }

  async *olderThan(ageMs: number): AsyncGenerator<StoredFolder> {
    const newest = Date.now() - ageMs
    const unlinked = new Set(await this.#usage.unlinked())
    let [name, latest] = ['', 0]
    const folder = () => ({ name, isFinished: !unlinked.has(name), changedAt: latest })
    for await (const { key, changedAt } of this.#bucket.list()) {
      if (folderOf(key) === name) {
        latest = Math.max(latest, changedAt)
        continue
      }
      if (isImageFolder(name) && latest < newest) yield folder()
      ;[name, latest] = [folderOf(key), changedAt]
    }
    if (isImageFolder(name) && latest < newest) yield folder()
  }

  async discard(folder: string): Promise<void> {
    if (!isImageFolder(folder)) return
    await this.#usage.insertRemoved(folder)
    await this.remove(folder)
  }

  /**
   * Deletes the objects of folders that have been unlinked for an hour, unless a process has begun to recently.
   *
   * @param now milliseconds since 1970
   * @returns the number of images whose objects it deleted
   */
  async sweep(now: number): Promise<number> {
    if (!(await this.#usage.claimSweep(now))) return 0
    let removed = 0
    for (const folder of await this.#usage.unlinked(now - orphanAgeMs)) {
      if (!(await this.#usage.beginRemoval(folder))) continue
      if (await this.#deleteObjects(folder)) removed += 1
      await this.#usage.forget(folder)
    }
    return removed
  }
}
