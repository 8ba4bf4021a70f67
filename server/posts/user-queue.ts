import { AppError, describedDetail } from '../errors/app-error.ts'

/** Time that an upload waits for the user's earlier uploads, in seconds. */
const timeoutSeconds = 10
/** Maximum number of waiting uploads per user. */
const maxWaitingPerUser = 8
/** Maximum number of waiting uploads of all users: each holds its bytes in memory. */
const maxWaiting = 32

/** Runs one upload per user at a time, in order of arrival. Users without uploads take no memory. */
export class UserQueue {
  /** Waiting uploads, by the id of each user with an upload in progress. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #waitingTotal = 0

  /** Number of users with an upload in progress. */
  get users(): number {
    return this.#waiting.size
  }

  /**
   * Runs work once all earlier work of the user has ended.
   *
   * @throws AppError `too_many_unfinished` after 10 seconds in the queue, or at once if the queue is full
   */
  async run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    await this.#wait(userId)
    try {
      return await work()
    } finally {
      const next = this.#waiting.get(userId)?.shift()
      if (next) next()
      else this.#waiting.delete(userId)
    }
  }

  #wait(userId: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(userId)
    if (!waiting) {
      this.#waiting.set(userId, [])
      return undefined
    }
    if (waiting.length >= maxWaitingPerUser || this.#waitingTotal >= maxWaiting) throw tooManyUploads()
    this.#waitingTotal += 1
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(tooManyUploads())
      }, timeoutSeconds * 1_000)
      waiting.push(start)
    }).finally(() => {
      this.#waitingTotal -= 1
    })
  }
}

function tooManyUploads(): AppError {
  return new AppError(
    'too_many_unfinished',
    describedDetail('upload_in_progress', { seconds: timeoutSeconds }),
    { retryAfter: timeoutSeconds },
  )
}
