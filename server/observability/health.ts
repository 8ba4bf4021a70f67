import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { within } from '../tasks/shared-task.ts'

/** Why a server is not ready: a part that does not work, or that it is stopping. */
export type NotReadyReason = 'database' | 'uploads' | 'stopping'

type Part = Exclude<NotReadyReason, 'stopping'>

interface Outcome {
  /** Undefined if the part works. */
  readonly failure?: { readonly cause: unknown }
}

/** Time that a result is reused, so that frequent probes cost little. */
const cacheMs = 1_000

/** Time after which a part that has not answered counts as failing. Probes wait no longer. */
const timeoutMs = 2_000

/**
 * Readiness of the server, for load balancers. Checks each part at most once a second and once at a time: a check that
 * hangs is not repeated. Changes are logged with the cause, which responses do not contain.
 */
export class Readiness {
  readonly #log: Logger
  readonly #parts: readonly Part[]
  readonly #outcomes: LRUCache<Part, Outcome>
  #loggedParts = ''
  #isStopping = false

  constructor(log: Logger, checks: Readonly<Record<Part, () => Promise<void>>>) {
    this.#log = log
    this.#parts = Object.keys(checks) as Part[]
    this.#outcomes = new LRUCache<Part, Outcome>({
      max: this.#parts.length,
      ttl: cacheMs,
      perf: { now: () => performance.now() },
      fetchMethod: (part) =>
        checks[part]().then(
          () => ({}),
          (cause: unknown) => ({ failure: { cause } }),
        ),
    })
  }

  /** Resolves to no reasons if the server is ready. */
  async reasons(): Promise<readonly NotReadyReason[]> {
    if (this.#isStopping) return ['stopping']
    const late = () => ({ failure: { cause: new Error(`No response within ${timeoutMs} ms.`) } })
    const outcomes = await Promise.all(
      this.#parts.map((part) => within(timeoutMs, this.#outcomes.forceFetch(part), late)),
    )
    const failing = this.#parts.filter((_, index) => outcomes[index]?.failure)
    if (failing.join() === this.#loggedParts) return failing
    this.#loggedParts = failing.join()
    if (failing.length === 0) this.#log.info('the server is ready again')
    for (const part of failing) {
      const err = outcomes[this.#parts.indexOf(part)]?.failure?.cause
      this.#log.error({ err, part }, 'the server is not ready')
    }
    return failing
  }

  /** Makes the server not ready from now on. */
  stop(): void {
    this.#isStopping = true
  }
}
