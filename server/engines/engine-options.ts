import type { Engine } from '../../shared/engines.ts'
import { defaultEngineOptions, type EngineOptions, type SiteOptions } from '../../shared/site-options.ts'
import { hasRole, type Role } from '../../shared/viewer.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { Engines } from './engines.ts'
import type { ImageEngine } from './image-engine.ts'

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

/** Lists the engines that a role may use, for clients, the default first. A paused one is not available. */
export async function listEngines(
  engines: Engines,
  options: Options,
  role: Role,
): Promise<readonly Engine[]> {
  const listed = await engines.list()
  return orderedEngines(engines, options).flatMap(({ id }) => {
    const engine = listed.find((candidate) => candidate.id === id)
    if (!engine || !hasRole(role, optionsOf(options, id).access)) return []
    return isPaused(options, id) ? [{ ...engine, isAvailable: false, isPaused: true as const }] : [engine]
  })
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
  const usable = orderedEngines(engines, options).filter((engine) =>
    hasRole(role, optionsOf(options, engine.id).access),
  )
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
