import { AppError } from '../errors/app-error.ts'

/** Seconds that an upload waits for its user's earlier one. */
const waitSeconds = 10
/** Uploads of one user that may wait for an earlier one. */
const waitingPerUserMax = 8
/** Uploads that may wait for an earlier one of the same user, of all users: each holds its bytes in memory. */
const waitingMax = 32

/** Runs one upload at a time per user, in the order they came. Users with nothing under way take no memory. */
export class UserQueue {
  /** What waits, by the id of each user that has an upload under way. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #waitingTotal = 0

  /** Users with an upload under way. */
  get users(): number {
    return this.#waiting.size
  }

  /**
   * Runs work of a user's once no earlier work of theirs runs.
   *
   * @throws AppError `too_many_unfinished` if that takes longer than 10 seconds, or at once if too many wait already
   */
  async run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(userId)
    try {
      return await work()
    } finally {
      const next = this.#waiting.get(userId)?.shift()
      if (next) next()
      else this.#waiting.delete(userId)
    }
  }

  #turn(userId: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(userId)
    if (!waiting) {
      this.#waiting.set(userId, [])
      return undefined
    }
    if (waiting.length >= waitingPerUserMax || this.#waitingTotal >= waitingMax) throw tooManyUploads()
    this.#waitingTotal += 1
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(tooManyUploads())
      }, waitSeconds * 1_000)
      waiting.push(start)
    }).finally(() => {
      this.#waitingTotal -= 1
    })
  }
}

function tooManyUploads(): AppError {
  return new AppError(
    'too_many_unfinished',
    `Another upload of yours is still being processed. Try again in ${waitSeconds} seconds.`,
    { retryAfter: waitSeconds },
  )
}
