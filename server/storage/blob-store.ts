import type { Readable } from 'node:stream'

/** The files of one image, by name. */
export type ImageFiles = Readonly<Record<string, Uint8Array>>

/** One file of an image. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number
  /** Opens a stream of the file, which must be consumed or destroyed. */
  readonly stream: () => Readable
}

/** Storage space reserved for an image. */
export interface Reservation {
  /** Releases the space, used or not. To be called once. */
  release(): void
}

/** A folder in a blob store. */
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
  /**
   * Reserves space, so that work whose result could not be stored is not started.
   *
   * @throws AppError `storage_full`
   */
  reserve(bytes: number): Promise<Reservation>
  /**
   * Stores all files or none, durably: they survive a power cut once the promise resolves.
   *
   * @returns the name of the folder
   * @throws AppError `storage_full`; with a reservation only if the disk itself is full
   */
  put(files: ImageFiles, reservation?: Reservation): Promise<string>
  /**
   * Adds a file to a stored image, or replaces it.
   *
   * @returns false if there is no such image
   * @throws AppError `storage_full`
   */
  add(folder: string, file: string, bytes: Uint8Array): Promise<boolean>
  /** Finds a file; null if it does not exist, also for names that `put` never returns. */
  open(folder: string, file: string): Promise<StoredFile | null>
  /** Reads a whole file; null if it does not exist. */
  read(folder: string, file: string): Promise<Uint8Array | null>
  /** Deletes an image. A missing image is not an error. */
  remove(folder: string): Promise<void>
  /** Verifies that an image could be stored now, and leaves nothing behind. @throws AppError if not */
  check(): Promise<void>
  /** Bytes of everything stored; null if they are not counted, or while they are counted for the first time. */
  readonly bytes: number | null
  /** Lists the folders, finished or not, that have not changed for `ageMs` milliseconds. */
  olderThan(ageMs: number): AsyncIterable<StoredFolder>
  /** Reads the id of the site that the store belongs to; null for a store without one. */
  siteId(): Promise<string | null>
  /** Moves an image into quarantine, where only the next three methods find it. Its bytes still count. */
  quarantine(folder: string): Promise<void>
  /** Lists the images in quarantine. */
  quarantined(): AsyncIterable<QuarantinedImage>
  /** Moves an image out of quarantine. Returns false if an image of that name is stored. */
  restore(image: QuarantinedImage): Promise<boolean>
  /** Deletes an image in quarantine. */
  purge(image: QuarantinedImage): Promise<void>
}
