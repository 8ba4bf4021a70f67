import type { AdminAction, AdminEngine } from '../../../shared/admin.ts'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { EngineOptions } from '../../../shared/site-options.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { inTransaction, lockSiteOptions } from '../../db/transaction.ts'
import type { Database } from '../../db/open-database.ts'
import { isPaused, optionsOf, orderedEngines, type Engines } from '../../engines/engines.ts'
import { AppError } from '../../errors/app-error.ts'
import { countUnfinishedByEngine } from '../../images/generation/states.ts'
import type { Generations } from '../../images/generation/generations.ts'
import { storeSiteOption } from '../../site/update-site-options.ts'
import type { ReadSiteOptions } from '../../site/site-options.ts'
import { recordAdminAction } from '../admin-log.ts'
import { readOutcomes } from '../figures/outcomes.ts'

interface EngineServices {
  readonly db: Database
  readonly now: () => number
  readonly engines: Engines
  readonly generations: Pick<Generations, 'queueChanged'>
  readonly readOptions: ReadSiteOptions
}

/** Hours in which the latest failure is looked for. */
const recentHours = 24

/** Lists all engines with their state, the default first. */
export async function listAdminEngines(services: EngineServices): Promise<readonly AdminEngine[]> {
  const { db, engines } = services
  const [options, unfinished, outcomes] = await Promise.all([
    services.readOptions(db),
    countUnfinishedByEngine(db),
    readOutcomes(db, recentHours, services.now()),
  ])
  const ordered = orderedEngines(engines, options)
  return Promise.all(
    ordered.map(async ({ id, kind, label, model }) => {
      const { isAvailable, issue } = await engines.statusOf(id)
      const [failure] = outcomes
        .filter(({ engine, outcome }) => engine === id && !['succeeded', 'canceled'].includes(outcome))
        .toSorted((a, b) => b.latestAt - a.latestAt)
      const { waiting = 0, running = 0 } = unfinished.get(id) ?? {}
      return {
        id,
        kind,
        label,
        model,
        isPaused: isPaused(options, id),
        access: optionsOf(options, id).access,
        isDefault: id === ordered[0]?.id,
        isAvailable,
        issue,
        waiting,
        running,
        failure: failure
          ? { code: failure.outcome as ErrorCode, at: new Date(failure.latestAt).toISOString() }
          : null,
      }
    }),
  )
}

/**
 * Pauses or resumes an engine, chooses who may use it, or makes it the default, in all processes.
 *
 * @throws AppError `not_found` for an engine that is not configured
 */
export async function updateEngine(
  services: EngineServices,
  administrator: Viewer,
  { id, isDefault, ...changes }: EngineChange,
): Promise<void> {
  const { db, engines, now, readOptions } = services
  if (!engines.get(id)) throw new AppError('not_found', 'Engine not found.')
  await inTransaction(db, async (transaction) => {
    await lockSiteOptions(transaction)
    const options = await readOptions(transaction)
    const record = (action: AdminAction, details: Readonly<Record<string, string>>) =>
      recordAdminAction(transaction, administrator, {
        action,
        details: { engine: id, ...details },
        now: now(),
      })
    const current = optionsOf(options, id)
    const next: EngineOptions = {
      isPaused: changes.isPaused ?? current.isPaused,
      access: changes.access ?? current.access,
    }
    if (next.isPaused !== current.isPaused) await record(next.isPaused ? 'pause_engine' : 'resume_engine', {})
    if (next.access !== current.access) {
      await record('change_engine_access', { from: current.access, to: next.access })
    }
    if (next.isPaused !== current.isPaused || next.access !== current.access) {
      await storeSiteOption(transaction, 'engines', { ...options.engines, [id]: next })
    }
    if (isDefault === true && orderedEngines(engines, options)[0]?.id !== id) {
      await storeSiteOption(transaction, 'defaultEngine', id)
      await record('change_default_engine', {})
    }
  })
  await services.generations.queueChanged()
}

/** Changes of an engine; what is left out stays. */
export interface EngineChange {
  readonly id: string
  readonly isPaused?: boolean | undefined
  readonly access?: EngineOptions['access'] | undefined
  readonly isDefault?: true | undefined
}
