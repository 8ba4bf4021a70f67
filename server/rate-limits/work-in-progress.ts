import { abandoned } from '../tasks/shared-task.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'

/** Limits in units of work; one unit is about one row of a list. */
export interface WorkLimits {
  /** All calls of a batch: a hundred pages of the gallery, or four lists of 1,000. */
  readonly perRequest: number
  /** All unfinished requests of a client network: a list of 1,000 on each of 200 connections. */
  readonly perNetwork: number
}

const defaultLimits: WorkLimits = { perRequest: 5_000, perNetwork: 200_000 }

/** Units besides the requested rows. */
export const costs = {
  /** Any call. */
  call: 10,
  /** All data of a user. */
  export: 2_000,
} as const

/** The work of one request; counts until its response is sent or its client has disconnected. */
export interface RequestWork {
  /**
   * Adds work before it is done.
   *
   * @throws AppError `too_large` above the limit of a request, `busy` above that of the client network,
   * `canceled` if the request has ended
   */
  add(units: number): void
  end(): void
}

/** Counts the work of unfinished requests, in memory. @see docs/contributing/decisions/0031-work-per-request.md */
export class WorkInProgress {
  readonly #limits: WorkLimits
  readonly #perNetwork = new Map<string, number>()

  constructor(limits: WorkLimits = defaultLimits) {
    this.#limits = limits
  }

  begin(network: string): RequestWork {
    let units = 0
    let hasEnded = false
    return {
      add: (added) => {
        if (hasEnded) throw abandoned()
        if (units + added > this.#limits.perRequest) {
          throw new AppError(
            'too_large',
            'This request asks for too much at once. Send its calls in several requests.',
          )
        }
        this.#add(network, added)
        units += added
      },
      end: () => {
        if (!hasEnded) this.#remove(network, units)
        hasEnded = true
      },
    }
  }

  #add(network: string, units: number): void {
    const inProgress = (this.#perNetwork.get(network) ?? 0) + units
    if (inProgress > this.#limits.perNetwork) {
      throw new AppError('busy', describedDetail('network_busy'), {
        retryAfter: 2,
      })
    }
    this.#perNetwork.set(network, inProgress)
  }

  #remove(network: string, units: number): void {
    const remaining = (this.#perNetwork.get(network) ?? 0) - units
    if (remaining > 0) this.#perNetwork.set(network, remaining)
    else this.#perNetwork.delete(network)
  }
}
