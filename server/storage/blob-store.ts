import type { Readable } from 'node:stream'

/** The files of one image, by name. */
export type ImageFiles = Readonly<Record<string, Uint8Array>>

/** One file of an image, ready to be sent. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number
  /** Reads the file; must be consumed or destroyed. */
  readonly stream: () => Readable
}

/** Room set aside for an image that is still to come. */
export interface Room {
  /** Gives it back, used or not. To be called once. */
  release(): void
}

/** A folder in a blob store. */
export interface StoredFolder {
  readonly name: string
  /** False for one that is being written or removed, or was when something stopped it. */
  readonly isFinished: boolean
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

/** An orphaned image that is to be removed if its row does not come back. */
export interface QuarantinedImage {
  readonly name: string
  /** Day of its quarantine, `YYYY-MM-DD` in UTC. */
  readonly day: string
  /** End of that day, in milliseconds since 1970. */
  readonly since: number
}

/**
 * Where the bytes of images lie. Each image is a folder with an unguessable name; whoever knows
 * the name may read it. Where the disk fails, every call throws AppError `storage_unavailable`.
 */
export interface BlobStore {
  /**
   * Sets room aside, so that nothing is begun which then can't be kept. Throws AppError `storage_full` where that many
   * bytes are not left.
   */
  reserve(bytes: number): Promise<Room>
  /**
   * Stores all files or none, for good: when it resolves, a power cut can't take them away. Returns the folder's name.
   * Throws AppError `storage_full`; for what has room set aside only where the disk itself is full.
   */
  put(files: ImageFiles, room?: Room): Promise<string>
  /**
   * Adds a file to an image that is stored; one of that name is replaced. Returns false where there is no such image.
   * Throws AppError `storage_full`.
   */
  add(folder: string, file: string, bytes: Uint8Array): Promise<boolean>
  /** One file, or null where there is none. Names that no `put` could have made are simply not found. */
  open(folder: string, file: string): Promise<StoredFile | null>
  /** The whole of one file, or null where there is none. */
  read(folder: string, file: string): Promise<Uint8Array | null>
  /** Removes an image; one that is not there is no error. */
  remove(folder: string): Promise<void>
  /** Makes sure that an image could be stored now; throws where it could not. Leaves nothing behind. */
  check(): Promise<void>
  /** Bytes that everything takes; null where nobody counts them, or while they are being counted for the first time. */
  readonly bytes: number | null
  /** Lists the folders, finished or not, that have not changed for `age` milliseconds. */
  olderThan(age: number): AsyncIterable<StoredFolder>
  /** Reads the id of the site that the store belongs to; null for a store without one. */
  siteId(): Promise<string | null>
  /** Moves an image to where no call but the next three finds it. Its bytes still count. */
  quarantine(folder: string): Promise<void>
  /** Lists the images in quarantine. */
  quarantined(): AsyncIterable<QuarantinedImage>
  /** Moves an image back. False where there is one of that name. */
  restore(image: QuarantinedImage): Promise<boolean>
  /** Removes an image in quarantine for good. */
  purge(image: QuarantinedImage): Promise<void>
}
