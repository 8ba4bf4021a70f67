import { storageFull } from '../errors/app-error.ts'

/** Minimum time between two measurements of a full folder, in milliseconds. */
const minIntervalMs = 3_000

/** Time between two measurements as a multiple of what one takes, so that a large folder is not read all the time. */
const intervalFactor = 4

/**
 * A running total of the bytes in a folder below a limit, which may be infinite. Other processes remove files too, as the
 * command that deletes an account does: before anything is refused, the folder is measured again.
 */
export class UploadsQuota {
  readonly #maxBytes: number
  readonly #measureFolder: () => Promise<number>
  #files = 0
  #reserved = 0
  /** Bytes of the files that are being written: a measurement may see them or not. */
  #writing = 0
  /** Bytes that a measurement which is going on may not have seen. */
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

  /** Reserves bytes for later. @throws AppError `storage_full` */
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

  /** Counts a file before it is written whose bytes are reserved. */
  beginReservedWrite(bytes: number): void {
    this.#files += bytes
    this.#writing += bytes
    this.#unseen += bytes
  }

  /** Ends a write; what is not on the disk after it is removed besides. */
  endWrite(bytes: number): void {
    this.#writing -= bytes
  }

  remove(bytes: number): void {
    this.#files -= bytes
  }

  /** Adds what was in the folder before. */
  add(bytes: number): void {
    this.#files += bytes
  }

  /** Synchronous, so that nothing is counted between the check and what it allows. */
  #requireSpace(bytes: number): void {
    if (this.#fits(bytes)) return
    const taken = this.#files + this.#reserved
    throw storageFull(new Error(`UPLOADS_MAX_BYTES: ${taken} of ${this.#maxBytes} bytes are taken already.`))
  }

  #fits(bytes: number): boolean {
    return this.#files + this.#reserved + bytes <= this.#maxBytes
  }

  /** One measurement for all that wait for it; none where the last one is recent. */
  async #measureAgain(): Promise<void> {
    if (performance.now() >= this.#nextMeasurementAt) {
      this.#measuring ??= this.#measure().finally(() => (this.#measuring = null))
    }
    await this.#measuring
  }

  /** Never too little: what is written meanwhile may count twice, and what is removed meanwhile once, until the next one. */
  async #measure(): Promise<void> {
    const began = performance.now()
    this.#unseen = this.#writing
    const measured = await this.#measureFolder()
    this.#files = measured + this.#unseen
    const took = performance.now() - began
    this.#nextMeasurementAt = performance.now() + Math.max(minIntervalMs, took * intervalFactor)
  }
}
