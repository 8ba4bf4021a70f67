import { storageFull } from '../errors/app-error.ts'

/** Minimum interval between two measurements of a full folder. */
const minIntervalMs = 3_000

/** Minimum interval as a multiple of the duration of a measurement, so that a large folder is not read all the time. */
const intervalFactor = 4

/** Age after which a folder without a limit is measured again, in milliseconds. */
const measurementMaxAgeMs = 60 * 60 * 1_000

/**
 * Running total of the bytes in a folder. Other processes remove files, too, such as the command that deletes an account: the
 * folder is measured again before anything is rejected; one without a limit in the background when its bytes are asked for, at
 * most once an hour.
 */
export class UploadsQuota {
  readonly #maxBytes: number
  readonly #measureFolder: (startedAt: number) => Promise<number>
  /** Infinity until it was measured. */
  #files: number
  #reserved = 0
  /** Bytes of files that are being written, which a measurement may include or not. */
  #writing = 0
  /** Bytes that the current measurement may have missed. */
  #unseen = 0
  #measuring: Promise<void> | null = null
  #nextMeasurementAt = 0

  /**
   * @param maxBytes the limit; Infinity for none
   * @param bytes of the files in the folder; Infinity if that is not known, which requires no limit
   * @param measureFolder called with the current time of `performance.now()`
   */
  constructor(maxBytes: number, bytes: number, measureFolder: (startedAt: number) => Promise<number>) {
    this.#maxBytes = maxBytes
    this.#files = bytes
    this.#measureFolder = measureFolder
  }

  /** Null until they were measured for the first time. */
  get bytes(): number | null {
    // Nothing depends on it: a folder that can't be read fails the check of the storage.
    if (this.#maxBytes === Infinity) void this.#measureAgain().catch(() => {})
    return this.#files === Infinity ? null : this.#files
  }

  get reserved(): number {
    return this.#reserved
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
    const isLimited = this.#maxBytes < Infinity
    try {
      const measured = (await this.#measureFolder(startedAt)) + this.#unseen
      this.#files = isLimited && this.#unseen > 0 ? Math.min(this.#files, measured) : measured
    } finally {
      const now = performance.now()
      const intervalMs = Math.max(minIntervalMs, (now - startedAt) * intervalFactor)
      this.#nextMeasurementAt = now + (isLimited ? intervalMs : measurementMaxAgeMs)
    }
  }
}
