import type { Readable } from 'node:stream'
import type { Database } from '../db/open-database.ts'

export type ImageFiles = Readonly<Record<string, Uint8Array>>

export interface StoredFile {
  readonly size: number
  /** Opens a stream of the file, which must be consumed or destroyed. */
  readonly stream: () => Readable
}

/** Storage space reserved for an image. */
export interface Reservation {
  /** Releases the space, used or not. To be called once. */
  release(): Promise<void>
}

export interface StoredFolder {
  readonly name: string
  /** False for a folder that is being written or removed, or was when the process ended. */
  readonly isFinished: boolean
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

/** An orphaned image that will be deleted unless its row comes back. */
export interface QuarantinedImage {
  readonly name: string
  /** Day of its quarantine, `YYYY-MM-DD` in UTC. */
  readonly day: string
  /** End of that day, in milliseconds since 1970. */
  readonly since: number
}

/**
 * Storage of the bytes of images. Each image is a folder with an unguessable name, which grants access to it. If the
 * storage fails, every method throws AppError `storage_unavailable`.
 */
export interface BlobStore {
  /** Reserves space, so that work whose result could not be stored is not started. @throws AppError `storage_full` */
  reserve(bytes: number): Promise<Reservation>
  /**
   * Stores all files or none, durably, and returns the folder's name.
   * @throws AppError `storage_full`; with a reservation only for the disk itself
   */
  put(files: ImageFiles, reservation?: Reservation): Promise<string>
  /** Adds or replaces a file of a stored image; false if there is none. @throws AppError `storage_full` */
  add(folder: string, file: string, bytes: Uint8Array): Promise<boolean>
  /** Returns the size of a file in bytes; null if it does not exist, also for names that `put` never returns. */
  size(folder: string, file: string): Promise<number | null>
  /** Finds a file to read; null if it does not exist. */
  open(folder: string, file: string): Promise<StoredFile | null>
  /** Reads a whole file; null if it does not exist. */
  read(folder: string, file: string): Promise<Uint8Array | null>
  /**
   * Called in the transaction that writes a new folder to an image's row.
   * @throws AppError `storage_unavailable` if a sweep removed it
   */
  link(transaction: Database, folder: string): Promise<void>
  /** Called in the transaction that deletes the rows of images; `remove` follows. A sweep completes what that leaves. */
  unlink(transaction: Database, folders: readonly string[]): Promise<void>
  /** Deletes an image that no row refers to. A missing image is not an error. */
  remove(folder: string): Promise<void>
  /** Verifies that the storage works, and leaves nothing behind. @throws AppError if not */
  check(): Promise<void>
  /** Counts the bytes of everything stored; null while a disk is measured. Without a limit, they may be an hour old. */
  bytes(): Promise<number | null>
  /** Returns how many bytes can still be stored; null if that is not known, as in a bucket without a limit. */
  freeBytes(): Promise<number | null>
  /** Lists the folders, finished or not, that have not changed for `ageMs` milliseconds. */
  olderThan(ageMs: number): AsyncIterable<StoredFolder>
  /** Moves an orphaned or unfinished folder into quarantine, or deletes it from a store that has none. */
  discard(folder: string): Promise<void>
  /** True if discarded images can be restored. */
  readonly hasQuarantine: boolean
}

/** Blob store on a disk, with a quarantine. Bytes in quarantine still count. */
export interface DiskBlobStore extends BlobStore {
  /** Reads the id of the site that the store belongs to; null for a store without one. */
  siteId(): Promise<string | null>
  quarantined(): AsyncIterable<QuarantinedImage>
  /** Moves an image out of quarantine. Returns false if an image of that name is stored. */
  restore(image: QuarantinedImage): Promise<boolean>
  purge(image: QuarantinedImage): Promise<void>
}
