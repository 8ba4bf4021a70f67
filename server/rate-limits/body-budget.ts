import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AppError, describedDetail } from '../errors/app-error.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Bodies above this size come from signed-in users, count as writes, and as uploads if they are not readable. */
export const largeBodyBytes = megabyte

/** Limits of the memory of request bodies, in bytes. */
const limits = {
  perUser: 64 * megabyte,
  /** Bodies of callers that are not authenticated before they are read, none of which is large. */
  perNetwork: 16 * megabyte,
  total: 256 * megabyte,
}

/** Bodies up to this size are not counted: those of all connections of a network have less than 20 MB. */
const uncountedBytes = 64 * kilobyte

/** Time after which a rejected caller should try again, in seconds. */
export const uploadRetrySeconds = 10

/** Time after the last body until its memory is collected: V8 does not, while a server is idle. */
const collectionDelayMs = 10_000

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** Memory that one body may take. */
export interface BodyReservation {
  /** Reserves so many bytes. @throws AppError `too_many_unfinished` above the limit of the user, `busy` above the others */
  reserve(bytes: number): void
  release(): void
}

/** Counts the memory of the bodies that this process has accepted, from before they are read until they are handled. */
export class BodyBudget {
  readonly #perOwner = new Map<string, number>()
  #total = 0
  #collection: NodeJS.Timeout | undefined

  get reservedBytes(): number {
    return this.#total
  }

  /** Begins an empty reservation for a body of a user, or of a client network. */
  begin(owner: { readonly userId: string } | { readonly network: string }): BodyReservation {
    const isUser = 'userId' in owner
    const key = isUser ? `user ${owner.userId}` : `network ${owner.network}`
    const max = isUser ? limits.perUser : limits.perNetwork
    let reserved = 0
    return {
      reserve: (bytes) => {
        // A single body is always accepted, also one that takes more memory to parse than its user may reserve.
        const wanted = bytes <= uncountedBytes ? 0 : Math.min(bytes, max)
        const others = (this.#perOwner.get(key) ?? 0) - reserved
        if (others + wanted > max) throw isUser ? tooManyUploads() : busy('network_busy')
        if (this.#total - reserved + wanted > limits.total) throw busy('photos_busy')
        this.#add(key, wanted - reserved)
        reserved = wanted
      },
      release: () => {
        this.#add(key, -reserved)
        reserved = 0
      },
    }
  }

  #add(key: string, bytes: number): void {
    this.#total += bytes
    if (bytes < 0 && this.#total === 0) {
      clearTimeout(this.#collection)
      this.#collection = setTimeout(collectGarbage, collectionDelayMs).unref()
    }
    const remaining = (this.#perOwner.get(key) ?? 0) + bytes
    if (remaining > 0) this.#perOwner.set(key, remaining)
    else this.#perOwner.delete(key)
  }
}

/** Creates the error of a user whose earlier uploads are not finished. */
export function tooManyUploads(): AppError {
  const detail = describedDetail('upload_in_progress', { seconds: uploadRetrySeconds })
  return new AppError('too_many_unfinished', detail, { retryAfter: uploadRetrySeconds })
}

function busy(code: 'network_busy' | 'photos_busy'): AppError {
  return new AppError('busy', describedDetail(code), { retryAfter: uploadRetrySeconds })
}
