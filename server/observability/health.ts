import type { Logger } from 'pino'
import { within } from '../tasks/shared-task.ts'

/** Why a server is not ready: a part that does not work, or that it is stopping. */
export type NotReadyReason = 'database' | 'uploads' | 'stopping'

type Part = Exclude<NotReadyReason, 'stopping'>

interface Failure {
  readonly part: Part
  readonly cause: unknown
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
  readonly #checks: readonly (() => Promise<Failure | null>)[]
  #cached: { readonly failures: Promise<readonly Failure[]>; readonly expiresAt: number } | null = null
  #loggedParts = ''
  #isStopping = false

  constructor(log: Logger, checks: Readonly<Record<Part, () => Promise<void>>>) {
    this.#log = log
    this.#checks = Object.entries(checks).map(([part, check]) => oneAtATime(part as Part, check))
  }

  /** Resolves to no reasons if the server is ready. */
  async reasons(): Promise<readonly NotReadyReason[]> {
    if (this.#isStopping) return ['stopping']
    if (!this.#cached || performance.now() > this.#cached.expiresAt) {
      this.#cached = { failures: this.#check(), expiresAt: Infinity }
    }
    return (await this.#cached.failures).map(({ part }) => part)
  }

  /** Makes the server not ready from now on. */
  stop(): void {
    this.#isStopping = true
  }

  async #check(): Promise<readonly Failure[]> {
    const failures = (await Promise.all(this.#checks.map((check) => check()))).filter(
      (failure) => failure !== null,
    )
    const parts = failures.map(({ part }) => part).join()
    if (parts !== this.#loggedParts) {
      if (failures.length === 0) this.#log.info('the server is ready again')
      for (const { part, cause } of failures) this.#log.error({ err: cause, part }, 'the server is not ready')
    }
    this.#loggedParts = parts
    // Counted from the end of the check, or a slow one would be repeated at once.
    this.#cached = this.#cached && { ...this.#cached, expiresAt: performance.now() + cacheMs }
    return failures
  }
}

/** Shares one running check among all callers, each with a timeout of its own. Resolves to null for success. */
function oneAtATime(part: Part, check: () => Promise<void>): () => Promise<Failure | null> {
  let running: Promise<Failure | null> | null = null
  return async () => {
    running ??= check()
      .then(
        () => null,
        (cause: unknown) => ({ part, cause }),
      )
      .finally(() => (running = null))
    return within(timeoutMs, running, () => ({
      part,
      cause: new Error(`No response within ${timeoutMs} ms.`),
    }))
  }
}
