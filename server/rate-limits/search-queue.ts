import { abandoned, throwIfAbandoned } from '../errors/abandoned.ts'
import { AppError } from '../errors/app-error.ts'

/** How many searches of one client network there may be. */
export interface SearchLimits {
  /** At the same time. Searches of all networks share the database evenly, so this is a network's share of it. */
  readonly running: number
  /** For their turn. */
  readonly waiting: number
}

/** 256 in all: a page of everyone behind one address. */
export const usualSearchLimits: SearchLimits = { running: 4, waiting: 252 }

interface Line {
  running: number
  /** What lets each of them run, first come, first served. */
  readonly waiting: Set<() => void>
}

/** Bounds the running and waiting searches of each client network. */
export class SearchQueue {
  readonly #limits: SearchLimits
  readonly #lines = new Map<string, Line>()

  constructor(limits: SearchLimits = usualSearchLimits) {
    this.#limits = limits
  }

  /** Searches of all networks. */
  get load(): { readonly running: number; readonly waiting: number } {
    const lines = [...this.#lines.values()]
    return {
      running: lines.reduce((sum, line) => sum + line.running, 0),
      waiting: lines.reduce((sum, line) => sum + line.waiting.size, 0),
    }
  }

  /**
   * Searches when it is the network's turn.
   *
   * @throws AppError `busy` when too many of the network's searches wait already, and `cancelled` when the caller has
   * left before its turn
   */
  async run<Result>(
    network: string,
    signal: AbortSignal | undefined,
    search: () => Promise<Result>,
  ): Promise<Result> {
    throwIfAbandoned(signal)
    const line = this.#lines.get(network) ?? { running: 0, waiting: new Set() }
    this.#lines.set(network, line)
    if (line.running < this.#limits.running) line.running += 1
    else await this.#wait(line, signal)
    try {
      return await search()
    } finally {
      this.#leave(network, line)
    }
  }

  async #wait({ waiting }: Line, signal: AbortSignal | undefined): Promise<void> {
    if (waiting.size >= this.#limits.waiting) {
      throw new AppError('busy', 'Too many searches from your network at once. Try again in a moment.', {
        retryAfter: 2,
      })
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(start)
        reject(abandoned())
      }
      waiting.add(start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** Hands the place on to the search that waits longest. */
  #leave(network: string, line: Line): void {
    const [next] = line.waiting
    if (next) {
      line.waiting.delete(next)
      next()
      return
    }
    line.running -= 1
    if (line.running === 0) this.#lines.delete(network)
  }
}
