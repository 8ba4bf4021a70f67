import { abandoned } from '../errors/abandoned.ts'
import { AppError } from '../errors/app-error.ts'

/** How much may be asked for, in units of work: about one row of a list. */
export interface WorkLimits {
  /** By one request, with all calls of its batch: a hundred pages of the gallery, or four lists of 1,000. */
  readonly perRequest: number
  /** By all unfinished requests of one client network: a list of 1,000 over each of 200 connections. */
  readonly perNetwork: number
}

export const usualWorkLimits: WorkLimits = { perRequest: 5_000, perNetwork: 200_000 }

/** What calls cost beside the rows that they are asked for. */
export const costs = {
  /** Of any call. */
  call: 10,
  /** The JPEG of an image, as base64: a megabyte, and up to 27. */
  photo: 1_000,
  /** Everything that is stored of a user. */
  export: 2_000,
} as const

/** The work of one request; it counts until its answer is sent or its client has left. */
export interface RequestWork {
  /**
   * Announces work, before it is done.
   *
   * @throws AppError `too_large` beyond the limit of a request, `busy` beyond that of the client's network, and
   * `cancelled` when the request has ended
   */
  add(units: number): void
  end(): void
}

/** Counts the work that unfinished requests have asked for, in memory. */
export class WorkInProgress {
  readonly #limits: WorkLimits
  readonly #perNetwork = new Map<string, number>()

  constructor(limits: WorkLimits = usualWorkLimits) {
    this.#limits = limits
  }

  /** Begins to count for a request. */
  begin(network: string): RequestWork {
    let asked = 0
    let hasEnded = false
    return {
      add: (units) => {
        if (hasEnded) throw abandoned()
        if (asked + units > this.#limits.perRequest) {
          throw new AppError(
            'too_large',
            'This request asks for too much at once. Send its calls in several requests.',
          )
        }
        this.#add(network, units)
        asked += units
      },
      end: () => {
        if (!hasEnded) this.#remove(network, asked)
        hasEnded = true
      },
    }
  }

  #add(network: string, units: number): void {
    const inProgress = (this.#perNetwork.get(network) ?? 0) + units
    if (inProgress > this.#limits.perNetwork) {
      throw new AppError('busy', 'Too many requests from your network at once. Try again in a moment.', {
        retryAfter: 2,
      })
    }
    this.#perNetwork.set(network, inProgress)
  }

  #remove(network: string, units: number): void {
    const left = (this.#perNetwork.get(network) ?? 0) - units
    if (left > 0) this.#perNetwork.set(network, left)
    else this.#perNetwork.delete(network)
  }
}
