import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { detailsOf, type Engine, type ModelDetails } from '../../shared/engines.ts'
import type { EngineStatus, ImageEngine } from './image-engine.ts'
import { untilAborted } from '../tasks/shared-task.ts'
import { defaultEngineOptions, type EngineOptions, type SiteOptions } from '../../shared/site-options.ts'
import { hasRole, type Role } from '../../shared/viewer.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'

/** Age after which the status of an engine is checked again, in milliseconds. The old one is used meanwhile. */
const statusMaxAgeMs = 30_000

const checkTimeoutMs = 10_000

/** Time that a list waits for the first check of an engine, in milliseconds. Until it is done, the engine counts as down. */
const firstCheckMs = 2_000

/** Maximum length of the reason for which an engine is not available, in UTF-16 code units. */
const issueMax = 500

/** The engines of the site. The first is the default. */
export class Engines {
  readonly default: ImageEngine
  readonly #configured: readonly ImageEngine[]
  readonly #log: Logger
  /** Statuses of all engines, by their ids. */
  #statuses: ReadonlyMap<string, CachedStatus> = new Map()

  constructor(engines: readonly ImageEngine[], log: Logger) {
    const [first] = engines
    if (!first) throw new Error('At least one engine is required.')
    this.default = first
    this.#configured = engines
    this.#log = log
    this.useAdded([])
  }

  get all(): readonly ImageEngine[] {
    return Array.from(this.#statuses.values(), ({ engine }) => engine)
  }

  /** Replaces the engines that were added to those of the configuration, whose ids none of them takes. */
  useAdded(added: readonly ImageEngine[]): void {
    const ids = new Set(this.#configured.map(({ id }) => id))
    const all = [...this.#configured, ...added.filter(({ id }) => !ids.has(id))]
    const known = this.#statuses
    this.#statuses = new Map(
      all.map((engine) => {
        const status = known.get(engine.id)
        return [engine.id, status?.engine === engine ? status : new CachedStatus(engine, this.#log)]
      }),
    )
  }

  /** Checks an engine now. Takes 10 seconds at most, and never fails. */
  async test(id: string): Promise<KnownStatus> {
    return (await this.#statuses.get(id)?.test()) ?? unknownStatus
  }

  get(id: string): ImageEngine | null {
    return this.#statuses.get(id)?.engine ?? null
  }

  /** Returns the latest status of an engine. Takes 2 seconds at most, and never fails. */
  async statusOf(id: string): Promise<KnownStatus> {
    return (await this.#statuses.get(id)?.read()) ?? unknownStatus
  }

  /** Lists engines for clients. Takes 2 seconds at most, and never fails. */
  list(engines = this.all): Promise<Engine[]> {
    return Promise.all(
      engines.map(async (engine) => {
        const { id, kind, label, model } = engine
        const status = await this.statusOf(id)
        const { capabilities = engine.capabilities } = status
        const models = status.models.length > 0 ? status.models : [model].filter((name) => name !== '')
        // Details that all models share are listed once, unless their prices differ.
        const isShared = status.modelDetails?.[''] !== undefined && !engine.prices
        return {
          id,
          kind,
          label,
          models,
          capabilities,
          ...((status.modelDetails || engine.prices) && {
            modelDetails: Object.fromEntries(
              (models.length > 0 && !isShared ? models : ['']).map((name): [string, ModelDetails] => {
                const details = detailsOf({ ...status, capabilities }, name)
                return [name, { ...details, price: priceOf(engine, name, details.price) }]
              }),
            ),
          }),
          isAvailable: status.isAvailable,
        }
      }),
    )
  }
}

/** Returns the USD of an image: as the operator says, or else as the provider `listed` it; null if unknown. */
export function priceOf(
  { prices = {} }: Pick<ImageEngine, 'prices'>,
  model: string,
  listed: number | null,
): number | null {
  return (Object.hasOwn(prices, model) ? prices[model] : prices['default']) ?? listed
}

/** Status of an engine, with the models that it reported while it was up. */
interface KnownStatus extends EngineStatus {
  readonly isAvailable: boolean
  /** Reason of the engine while it is not available, for the operator; null without one. */
  readonly issue: string | null
}

const unknownStatus: KnownStatus = { models: [], isAvailable: false, issue: null }

/** Status of an engine, checked in the background when it is read. */
class CachedStatus {
  readonly engine: ImageEngine
  readonly #log: Logger
  #status = unknownStatus
  #checkedAt = -Infinity
  #check: Promise<void> | null = null

  constructor(engine: ImageEngine, log: Logger) {
    this.engine = engine
    this.#log = log
  }

  async read(): Promise<KnownStatus> {
    const isFirst = this.#checkedAt === -Infinity
    const check = performance.now() - this.#checkedAt > statusMaxAgeMs ? this.test() : null
    if (isFirst) await Promise.race([check, setTimeout(firstCheckMs, undefined, { ref: false })])
    return this.#status
  }

  async test(): Promise<KnownStatus> {
    await (this.#check ??= this.#run().finally(() => (this.#check = null)))
    return this.#status
  }

  async #run(): Promise<void> {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    // Logged once each time.
    const wasDown = this.#status.issue !== null
    try {
      const status = await untilAborted(this.engine.check(signal), signal)
      this.#status = { ...status, isAvailable: true, issue: null }
      if (wasDown) this.#log.info({ engine: this.engine.id }, 'an image engine is available again')
    } catch (error) {
      this.#status = { ...this.#status, isAvailable: false, issue: issueOf(error) }
      if (!wasDown)
        this.#log.warn({ err: causeOf(error), engine: this.engine.id }, 'an image engine is not available')
    } finally {
      this.#checkedAt = performance.now()
    }
  }
}

const causeOf = (error: unknown) => (error instanceof Error && error.cause) || error

/** Returns why an engine failed, for the operator. */
export function issueOf(error: unknown): string {
  const cause = causeOf(error)
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, issueMax)
}

type Options = Pick<SiteOptions, 'engines' | 'defaultEngine'>

/** Returns what administrators decided about an engine. */
export function optionsOf({ engines }: Options, id: string): EngineOptions {
  return (Object.hasOwn(engines, id) && engines[id]) || defaultEngineOptions
}

/** Checks whether an engine is paused; one that is not configured any more is not. */
export function isPaused(options: Options, id: string): boolean {
  return optionsOf(options, id).isPaused
}

/** Returns all engines in the order in which they are offered: the default of administrators first. */
export function orderedEngines(
  { all }: Pick<Engines, 'all'>,
  { defaultEngine }: Options,
): readonly ImageEngine[] {
  const first = all.find(({ id }) => id === defaultEngine)
  return first ? [first, ...all.filter((engine) => engine !== first)] : all
}

function usableEngines(engines: Pick<Engines, 'all'>, options: Options, role: Role): readonly ImageEngine[] {
  return orderedEngines(engines, options).filter(({ id }) => hasRole(role, optionsOf(options, id).access))
}

/** Lists the engines that a role may use, for clients, the default first. A paused one is not available. */
export async function listEngines(
  engines: Engines,
  options: Options,
  role: Role,
): Promise<readonly Engine[]> {
  const listed = await engines.list(usableEngines(engines, options, role))
  return listed.flatMap((engine) =>
    isPaused(options, engine.id) ? [{ ...engine, isAvailable: false, isPaused: true as const }] : [engine],
  )
}

/**
 * Returns the engine of a request: the named one, or else the first that the role may use and that is not paused.
 *
 * @throws AppError `bad_input` for an unknown engine, `forbidden` for one that the role may not use, `engine_unavailable` for a
 *   paused one
 */
export function chooseEngine(
  engines: Pick<Engines, 'all' | 'get'>,
  options: Options,
  { role, id }: { readonly role: Role; readonly id: string | undefined },
): ImageEngine {
  const usable = usableEngines(engines, options, role)
  const engine =
    id === undefined
      ? (usable.find((candidate) => !isPaused(options, candidate.id)) ?? usable[0])
      : engines.get(id)
  if (!engine) {
    throw id === undefined
      ? new AppError('forbidden', describedDetail('no_engine'))
      : new AppError('bad_input', `This site has no image engine "${id}".`)
  }
  const { label } = engine
  if (!usable.includes(engine))
    throw new AppError('forbidden', describedDetail('engine_restricted', { label }))
  if (isPaused(options, engine.id)) {
    throw new AppError('engine_unavailable', describedDetail('engine_paused', { label }))
  }
  return engine
}
