import { storageFull } from '../errors/storage-fault.ts'

/** How much of a folder's room is taken; everything in bytes. */
export interface UploadsQuota {
  /** Takes room, or throws `storage_full` where that much is not left. */
  take(bytes: number): void
  /** Takes room for what is kept in any case. */
  count(bytes: number): void
  giveBack(bytes: number): void
  /** What is taken now. */
  readonly taken: number
}

/** A running total below a limit, which may be infinite. */
export function createUploadsQuota(maxBytes: number, inUse: number): UploadsQuota {
  let taken = inUse
  return {
    take(bytes) {
      if (taken + bytes > maxBytes) {
        throw storageFull(new Error(`UPLOADS_MAX_BYTES: ${taken} of ${maxBytes} bytes are taken already.`))
      }
      taken += bytes
    },
    count(bytes) {
      taken += bytes
    },
    giveBack(bytes) {
      taken -= bytes
    },
    get taken() {
      return taken
    },
  }
}
