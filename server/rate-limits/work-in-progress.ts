import { abandoned } from '../tasks/shared-task.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'

/** Limits in units of work; one unit is about one row of a list. */
const defaultLimits = {
  /** All calls of a batch: a hundred pages of the gallery, or four lists of 1,000. */
  perRequest: 5_000,
  /** All unfinished requests of a client network: a list of 1,000 on each of 200 connections. */
  perNetwork: 200_000,
}

/** Units besides the requested rows. */
export const costs = {
  call: 10,
  /** All data of a user. */
  export: 2_000,
} as const

/** The work of one request; counts until its response is sent or its client has disconnected. */
export interface RequestWork {
  /**
   * Adds work before it is done.
   * @throws AppError `too_large` for a request, `busy` for its client network, `canceled` if it has ended
   */
  add(units: number): void
  end(): void
}

/** Counts the work of unfinished requests, in memory. @see docs/contributing/decisions/0031-work-per-request.md */
export class WorkInProgress {
  readonly #limits: typeof defaultLimits
  readonly #perNetwork = new Map<string, number>()

  constructor(limits = defaultLimits) {
    this.#limits = limits
  }

  begin(network: string): RequestWork {
    let units = 0
    let hasEnded = false
    return {
      add: (added) => {
        if (hasEnded) throw abandoned()
        if (units + added > this.#limits.perRequest) {
          const message = 'This request asks for too much at once. Send its calls in several requests.'
          throw new AppError('too_large', message)
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
      throw new AppError('busy', describedDetail('network_busy'), { retryAfter: 2 })
    }
    this.#perNetwork.set(network, inProgress)
  }

  #remove(network: string, units: number): void {
    const remaining = (this.#perNetwork.get(network) ?? 0) - units
    if (remaining > 0) this.#perNetwork.set(network, remaining)
    else this.#perNetwork.delete(network)
  }
}
