/** Queue that runs jobs in order, a limited number at once. */
export interface GenerationQueue<Job> {
  add(job: Job): void
  /** Removes a waiting job. Returns false if it is not waiting. */
  withdraw(job: Job): boolean
  /** Returns the number of jobs ahead of a waiting job; null if it is not waiting. */
  position(job: Job): number | null
  readonly waiting: number
  readonly running: number
  /** Resolves when no job is running or waiting. */
  idle(): Promise<void>
}

/**
 * Creates a queue in memory.
 *
 * @param concurrency maximum number of running jobs
 * @param run runs one job; must not reject
 * @param onMoved called with each waiting job that moves up, and its position
 */
export function createGenerationQueue<Job>(
  concurrency: number,
  run: (job: Job) => Promise<void>,
  onMoved: (job: Job, position: number) => void,
): GenerationQueue<Job> {
  const waiting: Job[] = []
  const running = new Set<Promise<void>>()

  function fill(): void {
    while (running.size < concurrency) {
      const job = waiting.shift()
      if (job === undefined) return
      const done = run(job).finally(() => {
        running.delete(done)
        fill()
        announce()
      })
      running.add(done)
    }
  }

  function announce(from = 0): void {
    waiting.slice(from).forEach((job, index) => onMoved(job, from + index))
  }

  return {
    add(job) {
      waiting.push(job)
      fill()
    },
    withdraw(job) {
      const index = waiting.indexOf(job)
      if (index < 0) return false
      waiting.splice(index, 1)
      announce(index)
      return true
    },
    position(job) {
      const index = waiting.indexOf(job)
      return index < 0 ? null : index
    },
    get waiting() {
      return waiting.length
    },
    get running() {
      return running.size
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
