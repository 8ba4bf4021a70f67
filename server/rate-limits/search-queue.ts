import { abandoned, throwIfAbandoned } from '../tasks/shared-task.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'

/** Limits per client network. */
export interface SearchLimits {
  /** Concurrent searches. All running searches share the database evenly, so this bounds a network's share. */
  readonly running: number
  readonly waiting: number
}

const defaultLimits: SearchLimits = { running: 4, waiting: 252 }

interface NetworkQueue {
  running: number
  /** Start functions, first in, first out. */
  readonly waiting: Set<() => void>
}

/** Limits the running and waiting searches of each client network. */
export class SearchQueue {
  readonly #limits: SearchLimits
  readonly #queues = new Map<string, NetworkQueue>()

  constructor(limits: SearchLimits = defaultLimits) {
    this.#limits = limits
  }

  /** Searches of all networks. */
  get load(): { readonly running: number; readonly waiting: number } {
    const queues = [...this.#queues.values()]
    return {
      running: queues.reduce((sum, queue) => sum + queue.running, 0),
      waiting: queues.reduce((sum, queue) => sum + queue.waiting.size, 0),
    }
  }

  /**
   * Runs a search as soon as fewer than the limit of its network are running.
   *
   * @throws AppError `busy` if too many searches of the network are waiting, `canceled` if the signal is aborted while
   * waiting
   */
  async run<Result>(
    network: string,
    signal: AbortSignal | undefined,
    search: () => Promise<Result>,
  ): Promise<Result> {
    throwIfAbandoned(signal)
    const queue = this.#queues.get(network) ?? { running: 0, waiting: new Set() }
    this.#queues.set(network, queue)
    if (queue.running < this.#limits.running) queue.running += 1
    else await this.#wait(queue, signal)
    try {
      return await search()
    } finally {
      this.#next(network, queue)
    }
  }

  async #wait({ waiting }: NetworkQueue, signal: AbortSignal | undefined): Promise<void> {
    if (waiting.size >= this.#limits.waiting) {
      throw new AppError('busy', describedDetail('searches_busy'), {
        retryAfter: 2,
      })
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', cancel)
        resolve()
      }
      const cancel = () => {
        waiting.delete(start)
        reject(abandoned())
      }
      waiting.add(start)
      signal?.addEventListener('abort', cancel, { once: true })
    })
  }

  /** Starts the search that has waited longest. */
  #next(network: string, queue: NetworkQueue): void {
    const [next] = queue.waiting
    if (next) {
      queue.waiting.delete(next)
      next()
      return
    }
    queue.running -= 1
    if (queue.running === 0) this.#queues.delete(network)
  }
}
