import { randomBytes } from 'node:crypto'
import type { Database } from '../db/open-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { storageFull, storageUnavailable } from '../errors/app-error.ts'

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
      const isReserved = reservation !== undefined && (await hasFolder(transaction, reservation))
      await this.#count(transaction, bytes, isReserved ? null : this.#maxBytes)
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

async function hasFolder(transaction: Database, folder: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('bucket_folders')
    .select('folder')
    .where('folder', '=', folder)
    .executeTakeFirst()
  return row !== undefined
}
