import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { originalFile } from '../../shared/image-files.ts'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { isStorageError, storageUnavailable, storageFull } from '../errors/app-error.ts'
import type { BlobStore, ImageFiles, Reservation, StoredFolder } from './blob-store.ts'
import { folderOf, type Bucket } from './bucket.ts'
import { isImageFolder } from './uploads-folder.ts'
import { systemClock } from '../time/clock.ts'

/** Age in milliseconds from which an unlinked folder is orphaned. Images are stored before their rows are written. */
const orphanAgeMs = 60 * 60 * 1_000

/** `Retry-After` for a folder that was removed before a row referred to it. */
const retrySeconds = 5

export interface S3Services {
  readonly db: Database
  readonly log?: Logger
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Blob store that keeps each image under a prefix of a bucket. Several processes may use it at the same time.
 *
 * They share rows about the folders, and the total of their bytes: a limit holds exactly, and what a crash leaves is found
 * without listing the bucket. A row is inserted before the first object is written. It is unlinked until an image's row
 * refers to the folder, and again from the transaction that deletes that row. An unlinked folder is marked as removed
 * before its objects are deleted, and can't be linked from then on.
 *
 * Deleting is repeated after an hour by `sweep`: a thumbnail may be added while its image is removed, and a request that
 * timed out may still be carried out.
 */
export class S3BlobStore implements BlobStore {
  readonly hasQuarantine = false
  readonly size: BlobStore['size']
  readonly open: BlobStore['open']
  readonly read: BlobStore['read']
  readonly #bucket: Bucket
  readonly #services: S3Services
  readonly #maxBytes: number | null
  /** Folders of reservations. */
  readonly #reserved = new WeakMap<Reservation, string>()

  /** @param maxBytes limit of all images together; null for no limit */
  constructor(bucket: Bucket, maxBytes: number | null, services: S3Services) {
    this.#bucket = bucket
    this.#services = services
    this.#maxBytes = maxBytes
    this.size = (folder, file) => bucket.size(folder, file)
    this.open = (folder, file) => bucket.open(folder, file)
    this.read = (folder, file) => bucket.read(folder, file)
  }

  /** Verifies that the bucket answers. With a limit, the reserved bytes count until they are released. */
  async reserve(bytes: number): Promise<Reservation> {
    await this.check()
    if (this.#maxBytes === null) return { release: async () => {} }
    const folder = await this.#insert(bytes)
    const reservation = {
      release: () =>
        this.#leaveToSweep(folder, 'released storage', async () => {
          if (await this.#beginRemoval(folder)) await this.#forget(folder)
        }),
    }
    this.#reserved.set(reservation, folder)
    return reservation
  }

  /** Does work on a folder. If the storage fails, the next sweep does it. */
  async #leaveToSweep(folder: string, what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (err) {
      if (!isStorageError(err)) throw err
      this.#services.log?.warn({ err, folder }, `${what} is left to the next sweep`)
    }
  }

  async put(files: ImageFiles, reservation?: Reservation): Promise<string> {
    const size = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0)
    const folder = await this.#insert(size, reservation && this.#reserved.get(reservation))
    const { [originalFile]: original, ...others } = files
    try {
      await Promise.all(Object.entries(others).map(([file, bytes]) => this.#bucket.put(folder, file, bytes)))
      if (original) await this.#bucket.put(folder, originalFile, original)
      return folder
    } catch (error) {
      await this.#leaveToSweep(folder, 'a failed write', () => this.remove(folder))
      throw error
    }
  }

  async add(folder: string, file: string, bytes: Uint8Array): Promise<boolean> {
    const [original, previous] = await Promise.all([
      this.#bucket.size(folder, originalFile),
      this.#bucket.size(folder, file),
    ])
    if (original === null) return false
    const added = bytes.byteLength - (previous ?? 0)
    if (!(await this.#addBytes(folder, added))) return false
    try {
      await this.#bucket.replace(folder, file, bytes)
    } catch (error) {
      // If this fails too, the bytes count until the image is removed.
      if ((await this.#bucket.size(folder, file)) === previous) await this.#addBytes(folder, -added)
      throw error
    }
    return true
  }

  async link(transaction: Database, folder: string): Promise<void> {
    const { numUpdatedRows } = await transaction
      .updateTable('bucket_folders')
      .set({ unlinked_at: null })
      .where('folder', '=', folder)
      .where('unlinked_at', 'is not', null)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) return
    throw storageUnavailable(new Error(`The folder ${folder} was removed before it was used.`), retrySeconds)
  }

  async unlink(transaction: Database, folders: readonly string[]): Promise<void> {
    if (folders.length === 0) return
    const now = this.#services.now()
    await transaction
      .updateTable('bucket_folders')
      .set({ unlinked_at: now, removed_at: now })
      .where('folder', 'in', folders)
      .execute()
  }

  async remove(folder: string): Promise<void> {
    if (isImageFolder(folder) && (await this.#beginRemoval(folder))) await this.#deleteObjects(folder)
  }

  /** @returns true if there were objects */
  async #deleteObjects(folder: string): Promise<boolean> {
    const keys: string[] = []
    for await (const { key } of this.#bucket.list(`${folder}/`)) keys.push(key)
    const original = `${folder}/${originalFile}`
    if (keys.includes(original)) await this.#bucket.delete(original)
    await Promise.all(keys.filter((key) => key !== original).map((key) => this.#bucket.delete(key)))
    await this.#subtract(folder)
    return keys.length > 0
  }

  /** Verifies that the bucket answers and belongs to the site. Writes nothing, as versioned buckets keep everything. */
  async check(): Promise<void> {
    const siteId = await this.#bucket.siteId()
    if (siteId === null) throw storageUnavailable(new Error('The bucket has no site.json any more.'), 30)
  }

  async bytes(): Promise<number> {
    const { db } = this.#services
    return (await db.selectFrom('bucket_usage').select('bytes').executeTakeFirstOrThrow()).bytes
  }

  async freeBytes(): Promise<number | null> {
    return this.#maxBytes === null ? null : Math.max(0, this.#maxBytes - (await this.bytes()))
  }

  async *olderThan(ageMs: number): AsyncGenerator<StoredFolder> {
    const newest = systemClock() - ageMs
    const unlinked = new Set(await this.#unlinked())
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

  /** Removes a folder that may be unknown. */
  async discard(folder: string): Promise<void> {
    if (!isImageFolder(folder)) return
    const now = this.#services.now()
    await this.#services.db
      .insertInto('bucket_folders')
      .values({ folder, bytes: 0, unlinked_at: now, removed_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await this.remove(folder)
  }

  /** Deletes what has been unlinked for an hour, and returns the number of images. Several processes at once do no harm. */
  async sweep(now: number): Promise<number> {
    let removed = 0
    for (const folder of await this.#unlinked(now - orphanAgeMs)) {
      if (!(await this.#beginRemoval(folder))) continue
      if (await this.#deleteObjects(folder)) removed += 1
      await this.#forget(folder)
    }
    return removed
  }

  /** Inserts an unlinked folder, for which bytes may be reserved, and returns its name. @throws AppError `storage_full` */
  #insert(bytes: number, reservation?: string): Promise<string> {
    return inTransaction(this.#services.db, async (transaction) => {
      const rows = transaction.selectFrom('bucket_folders').select('folder')
      const reserved = reservation && (await rows.where('folder', '=', reservation).executeTakeFirst())
      await this.#count(transaction, bytes, reserved ? null : this.#maxBytes)
      const folder = randomBytes(16).toString('base64url')
      await transaction
        .insertInto('bucket_folders')
        .values({ folder, bytes, unlinked_at: this.#services.now() })
        .execute()
      return folder
    })
  }

  /** Adds bytes, which may be negative; false if there is no such folder, or it is being removed. @throws AppError `storage_full` */
  #addBytes(folder: string, bytes: number): Promise<boolean> {
    return inTransaction(this.#services.db, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('bucket_folders')
        .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
        .where('folder', '=', folder)
        .where('removed_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      await this.#count(transaction, bytes, bytes > 0 ? this.#maxBytes : null)
      return true
    })
  }

  /** Marks an unlinked folder as removed. Returns false if there is none of that name. */
  async #beginRemoval(folder: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#services.db
      .updateTable('bucket_folders')
      .set({ removed_at: this.#services.now() })
      .where('folder', '=', folder)
      .where('unlinked_at', 'is not', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Subtracts the bytes of a removed folder from the total, once. */
  #subtract(folder: string): Promise<void> {
    return inTransaction(this.#services.db, async (transaction) => {
      const folders = transaction.selectFrom('bucket_folders').select('bytes').where('folder', '=', folder)
      const { bytes = 0 } = (await folders.executeTakeFirst()) ?? {}
      if (bytes === 0) return
      const { numUpdatedRows } = await transaction
        .updateTable('bucket_folders')
        .set({ bytes: 0 })
        .where('folder', '=', folder)
        // Not changed since by another process.
        .where('bytes', '=', bytes)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 1n) await this.#count(transaction, -bytes, null)
    })
  }

  /** Deletes the row of a folder without objects. */
  async #forget(folder: string): Promise<void> {
    await this.#subtract(folder)
    await this.#services.db
      .deleteFrom('bucket_folders')
      .where('folder', '=', folder)
      .where('removed_at', 'is not', null)
      .where('bytes', '=', 0)
      .execute()
  }

  /** Lists the folders that have been unlinked since a time or longer, oldest first. */
  async #unlinked(since = Number.MAX_SAFE_INTEGER): Promise<readonly string[]> {
    const rows = await this.#services.db
      .selectFrom('bucket_folders')
      .select('folder')
      .where('unlinked_at', '<=', since)
      .orderBy('unlinked_at')
      .execute()
    return rows.map(({ folder }) => folder)
  }

  /** Changes the total, which is the sum of the rows at any time. @throws AppError `storage_full` above `maxBytes` */
  async #count(transaction: Database, bytes: number, maxBytes: number | null): Promise<void> {
    let update = transaction.updateTable('bucket_usage').set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    if (maxBytes !== null) update = update.where('bytes', '<=', maxBytes - bytes)
    const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) return
    throw storageFull(new Error(`UPLOADS_MAX_BYTES: ${bytes} more bytes exceed ${maxBytes}.`))
  }
}
