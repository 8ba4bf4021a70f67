import { storageFull } from '../errors/app-error.ts'
import { folderSize } from '../files/disk-files.ts'

/** Minimum interval between two measurements of a full folder. */
const minIntervalMs = 3_000

/** Minimum interval as a multiple of the duration of a measurement, so that a large folder is not read all the time. */
const intervalFactor = 4

/** Age after which a folder whose bytes are not counted is measured again, in milliseconds. */
const measurementMaxAgeMs = 60 * 60 * 1_000

/** Measures a folder before it is used, since a limit must be enforced from the start. */
export async function limitedQuota(directory: string, maxBytes: number): Promise<UploadsQuota> {
  const quota = new UploadsQuota(maxBytes, () => folderSize(directory))
  quota.add(await folderSize(directory))
  return quota
}

/**
 * Measures a folder in the background, since nothing depends on the total without a limit. Files that are removed before
 * the measurement reaches them are subtracted too often until the next start.
 *
 * @param isNew reports whether a folder was added since, and is counted separately
 * @returns also the bytes of all files; null while they are measured. Throws if the measurement failed
 */
export function unlimitedQuota(directory: string, isNew: (name: string) => boolean) {
  // Never full, and so never measured again.
  const quota = new UploadsQuota(Infinity, () => folderSize(directory))
  let bytes = (): number | null => null
  async function measure(): Promise<void> {
    try {
      quota.add(await folderSize(directory, (name) => !isNew(name)))
      bytes = () => quota.bytes
    } catch (error) {
      bytes = () => {
        throw error
      }
    }
  }
  void measure()
  return { quota, bytes: () => bytes() }
}

/**
 * Creates a function that returns the bytes of a folder, null until they are known. It measures the folder in the background:
 * reading a large one at each start would be for nothing if its size is not asked for.
 */
export function measureOnDemand(directory: string): () => number | null {
  let bytes: number | null = null
  let measuredAt = -Infinity
  let isMeasuring = false
  async function measure(): Promise<void> {
    isMeasuring = true
    // Nothing depends on it: a folder that can't be read fails the check of the storage.
    bytes = await folderSize(directory).catch(() => null)
    measuredAt = performance.now()
    isMeasuring = false
  }
  return () => {
    if (!isMeasuring && performance.now() - measuredAt > measurementMaxAgeMs) void measure()
    return bytes
  }
}

/**
 * Running total of the bytes in a folder, with a limit that may be infinite. Other processes remove files, too, such as
 * the command that deletes an account: the folder is measured again before anything is rejected.
 */
export class UploadsQuota {
  readonly #maxBytes: number
  readonly #measureFolder: () => Promise<number>
  #files = 0
  #reserved = 0
  /** Bytes of files that are being written, which a measurement may include or not. */
  #writing = 0
  /** Bytes that the current measurement may have missed. */
  #unseen = 0
  #measuring: Promise<void> | null = null
  #nextMeasurementAt = 0

  constructor(maxBytes: number, measureFolder: () => Promise<number>) {
    this.#maxBytes = maxBytes
    this.#measureFolder = measureFolder
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#files
  }

  /** Reserves bytes for a later write. @throws AppError `storage_full` */
  async reserve(bytes: number): Promise<void> {
    if (!this.#fits(bytes)) await this.#measureAgain()
    this.#requireSpace(bytes)
    this.#reserved += bytes
  }

  release(bytes: number): void {
    this.#reserved -= bytes
  }

  /** Counts a file before it is written. @throws AppError `storage_full` */
  async beginWrite(bytes: number): Promise<void> {
    if (!this.#fits(bytes)) await this.#measureAgain()
    this.#requireSpace(bytes)
    this.beginReservedWrite(bytes)
  }

  /** Counts a file, for which bytes are reserved, before it is written. */
  beginReservedWrite(bytes: number): void {
    this.#files += bytes
    this.#writing += bytes
    this.#unseen += bytes
  }

  /** Ends a write. Call `remove` as well if the file is not on the disk. */
  endWrite(bytes: number): void {
    this.#writing -= bytes
  }

  remove(bytes: number): void {
    this.#files -= bytes
  }

  /** Adds bytes of files that existed before. */
  add(bytes: number): void {
    this.#files += bytes
  }

  /** Synchronous, so that nothing is counted between the check and the write that it allows. */
  #requireSpace(bytes: number): void {
    if (this.#fits(bytes)) return
    const taken = this.#files + this.#reserved
    throw storageFull(new Error(`UPLOADS_MAX_BYTES: ${taken} of ${this.#maxBytes} bytes are taken already.`))
  }

  #fits(bytes: number): boolean {
    return this.#files + this.#reserved + bytes <= this.#maxBytes
  }

  /** Shares one measurement among all callers; does nothing if the last one is recent. */
  async #measureAgain(): Promise<void> {
    if (performance.now() >= this.#nextMeasurementAt) {
      this.#measuring ??= this.#measure().finally(() => (this.#measuring = null))
    }
    await this.#measuring
  }

  /**
   * Never counts too little: files removed meanwhile may count too much until the next measurement. A measurement that files
   * were written during can have found them, so that the running total, which has counted each once, may be closer.
   */
  async #measure(): Promise<void> {
    const startedAt = performance.now()
    this.#unseen = this.#writing
    const measured = await this.#measureFolder()
    this.#files = this.#unseen === 0 ? measured : Math.min(this.#files, measured + this.#unseen)
    const durationMs = performance.now() - startedAt
    this.#nextMeasurementAt = performance.now() + Math.max(minIntervalMs, durationMs * intervalFactor)
  }
}
