import type { Logger } from 'pino'
import type { Engine } from '../../shared/engines.ts'
import type { EngineStatus, ImageEngine } from './image-engine.ts'

/** Age after which the status of an engine is checked again, in milliseconds. The old one is used meanwhile. */
const statusMaxAgeMs = 30_000

/** Timeout of a check, in milliseconds. */
const checkTimeoutMs = 10_000

/** Time that a list waits for the first check of an engine, in milliseconds. Until it is done, the engine counts as down. */
const firstCheckMs = 2_000

/** The engines of the site. The first is the default. */
export class Engines {
  readonly all: readonly ImageEngine[]
  readonly default: ImageEngine
  readonly #byId: ReadonlyMap<string, ImageEngine>
  readonly #statuses: ReadonlyMap<string, CachedStatus>

  constructor(engines: readonly ImageEngine[], log: Logger) {
    const [first] = engines
    if (!first) throw new Error('At least one engine is required.')
    this.all = engines
    this.default = first
    this.#byId = new Map(engines.map((engine) => [engine.id, engine]))
    this.#statuses = new Map(engines.map((engine) => [engine.id, new CachedStatus(engine, log)]))
  }

  /** Returns an engine; null if none has this id. */
  get(id: string): ImageEngine | null {
    return this.#byId.get(id) ?? null
  }

  /** Returns the models of an engine that clients may choose from. Takes 2 seconds at most, and never fails. */
  async modelsOf(id: string): Promise<readonly string[]> {
    return (await this.#statuses.get(id)?.read())?.models ?? []
  }

  /** Lists the engines for clients, the default first. Takes 2 seconds at most, and never fails. */
  list(): Promise<Engine[]> {
    return Promise.all(
      this.all.map(async ({ id, kind, label, model, capabilities }) => {
        const status = (await this.#statuses.get(id)?.read()) ?? null
        const models = status?.models.length ? status.models : [model].filter((name) => name !== '')
        return { id, kind, label, models, capabilities, isAvailable: status !== null }
      }),
    )
  }
}

/** Status of an engine, checked in the background when it is read. */
class CachedStatus {
  readonly #engine: ImageEngine
  readonly #log: Logger
  /** Null while the engine is down, or no check is done. */
  #status: EngineStatus | null = null
  #checkedAt = -Infinity
  #check: Promise<void> | null = null
  #isReportedDown = false

  constructor(engine: ImageEngine, log: Logger) {
    this.#engine = engine
    this.#log = log
  }

  /** @returns the latest status; null if the engine is down */
  async read(): Promise<EngineStatus | null> {
    if (performance.now() - this.#checkedAt > statusMaxAgeMs) {
      this.#check ??= this.#run().finally(() => (this.#check = null))
    }
    if (this.#checkedAt === -Infinity && this.#check) await Promise.race([this.#check, firstCheckDeadline()])
    return this.#status
  }

  async #run(): Promise<void> {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    try {
      this.#status = await Promise.race([this.#engine.check(signal), rejectWhenAborted(signal)])
      if (this.#isReportedDown)
        this.#log.info({ engine: this.#engine.id }, 'an image engine is available again')
      this.#isReportedDown = false
    } catch (error) {
      this.#status = null
      const err = (error instanceof Error && error.cause) || error
      if (!this.#isReportedDown)
        this.#log.warn({ err, engine: this.#engine.id }, 'an image engine is not available')
      this.#isReportedDown = true
    } finally {
      this.#checkedAt = performance.now()
    }
  }
}

function firstCheckDeadline(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, firstCheckMs).unref())
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
