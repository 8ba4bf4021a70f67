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

  #release(folder: string): Promise<void> {
    return this.#leaveToSweep(folder, 'released storage', async () => {
      if (await this.#usage.beginRemoval(folder)) await this.#usage.forget(folder)
    })
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
    const folder = await this.#usage.insert(size, reservation && this.#reserved.get(reservation))
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
    const newest = systemClock() - ageMs
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

/** `Retry-After` for a folder that was removed before a row referred to it. */
const retrySeconds = 5

/** Minimum time between two sweeps. Each process begins one at its start and every hour. */
const minSweepIntervalMs = 10 * 60 * 1_000

/**
 * Rows about the folders of images in a bucket, and the total of their bytes. All processes share them: a limit holds
 * exactly, and what a crash leaves is found without listing the bucket. The total is the sum of the rows at any time.
 *
 * A row is inserted before the first object is written. It is unlinked until an image's row refers to the folder, and
 * again from the transaction that deletes that row. An unlinked folder is marked as removed before its objects are
 * deleted, and can't be linked from then on.
 */
export class BucketUsage {
  readonly #db: Database
  readonly #maxBytes: number | null
  readonly #now: () => number

  /**
   * @param maxBytes limit of the total; null for no limit
   * @param now returns milliseconds since 1970
   */
  constructor(db: Database, maxBytes: number | null, now: () => number) {
    this.#db = db
    this.#maxBytes = maxBytes
    this.#now = now
  }

  /** Bytes of all folders. */
  async bytes(): Promise<number> {
    const row = await this.#db.selectFrom('bucket_usage').select('bytes').executeTakeFirstOrThrow()
    return row.bytes
  }

  /**
   * Inserts an unlinked folder.
   *
   * @param reservation folder whose bytes are reserved for this one, so that the limit does not apply
   * @returns the name of the folder
   * @throws AppError `storage_full`
   */
  insert(bytes: number, reservation?: string): Promise<string> {
    return inTransaction(this.#db, async (transaction) => {
      const rows = transaction.selectFrom('bucket_folders').select('folder')
      const reserved = reservation && (await rows.where('folder', '=', reservation).executeTakeFirst())
      await this.#count(transaction, bytes, reserved ? null : this.#maxBytes)
      const folder = randomBytes(16).toString('base64url')
      await transaction
        .insertInto('bucket_folders')
        .values({ folder, bytes, unlinked_at: this.#now() })
        .execute()
      return folder
    })
  }

  /**
   * Adds bytes to a folder, or subtracts them if `bytes` is negative.
   *
   * @returns false if there is no such folder, or it is being removed
   * @throws AppError `storage_full`
   */
  add(folder: string, bytes: number): Promise<boolean> {
    return inTransaction(this.#db, async (transaction) => {
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

  /** Links a folder in the transaction that writes it to an image's row. @throws AppError if it was removed */
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

  /** Marks folders as removed in the transaction that deletes their images' rows. */
  async unlink(transaction: Database, folders: readonly string[]): Promise<void> {
    if (folders.length === 0) return
    const now = this.#now()
    await transaction
      .updateTable('bucket_folders')
      .set({ unlinked_at: now, removed_at: now })
      .where('folder', 'in', folders)
      .execute()
  }

  /** Marks an unlinked folder as removed. Returns false if there is none of that name. */
  async beginRemoval(folder: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('bucket_folders')
      .set({ removed_at: this.#now() })
      .where('folder', '=', folder)
      .where('unlinked_at', 'is not', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Subtracts the bytes of a removed folder from the total, once. */
  async endRemoval(folder: string): Promise<void> {
    await inTransaction(this.#db, async (transaction) => {
      const row = await transaction
        .selectFrom('bucket_folders')
        .select('bytes')
        .where('folder', '=', folder)
        .executeTakeFirst()
      if (!row || row.bytes === 0) return
      const { numUpdatedRows } = await transaction
        .updateTable('bucket_folders')
        .set({ bytes: 0 })
        .where('folder', '=', folder)
        // Not changed since by another process.
        .where('bytes', '=', row.bytes)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 1n) await this.#count(transaction, -row.bytes, null)
    })
  }

  /** Deletes the row of a folder without objects. */
  async forget(folder: string): Promise<void> {
    await this.endRemoval(folder)
    await this.#db
      .deleteFrom('bucket_folders')
      .where('folder', '=', folder)
      .where('removed_at', 'is not', null)
      .where('bytes', '=', 0)
      .execute()
  }

  /** Inserts an unknown folder as removed. */
  async insertRemoved(folder: string): Promise<void> {
    const now = this.#now()
    await this.#db
      .insertInto('bucket_folders')
      .values({ folder, bytes: 0, unlinked_at: now, removed_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** Lists the folders that have been unlinked since a time (milliseconds since 1970) or longer, oldest first. */
  async unlinked(since = Number.MAX_SAFE_INTEGER): Promise<readonly string[]> {
    const rows = await this.#db
      .selectFrom('bucket_folders')
      .select('folder')
      .where('unlinked_at', '<=', since)
      .orderBy('unlinked_at')
      .execute()
    return rows.map(({ folder }) => folder)
  }

  /**
   * Claims the sweep of unlinked folders. Two sweeps at once would do no harm, only the same work; so this is no lock, which a
   * connection pooler could lose.
   *
   * @param now milliseconds since 1970
   * @returns false if a process has begun one recently
   */
  async claimSweep(now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('bucket_usage')
      .set({ swept_at: now })
      .where('swept_at', '<=', now - minSweepIntervalMs)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Changes the total. @throws AppError `storage_full` if it would exceed `maxBytes` */
  async #count(transaction: Database, bytes: number, maxBytes: number | null): Promise<void> {
    let update = transaction.updateTable('bucket_usage').set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    if (maxBytes !== null) update = update.where('bytes', '<=', maxBytes - bytes)
    const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) return
    throw storageFull(new Error(`UPLOADS_MAX_BYTES: ${bytes} more bytes exceed ${maxBytes}.`))
  }
}
