import { z } from 'zod'
import type { AdminEngine } from '../../shared/admin.ts'
import type { EngineOptions } from '../../shared/site-options.ts'
import { roles } from '../../shared/viewer.ts'
import type { UserServices } from '../access/user-access.ts'
import { isPaused, optionsOf, orderedEngines, type Engines } from '../engines/engines.ts'
import { AppError } from '../errors/app-error.ts'
import type { Generations } from '../images/generation/generations.ts'
import { countUnfinishedByEngine } from '../images/generation/states.ts'
import { storeSiteOption, type ReadSiteOptions } from '../site/site-options.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import { notAnObject } from '../procedures/inputs.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import { describeFailure, failuresOf, readOutcomes } from './figures.ts'

interface EngineServices extends UserServices, AdministrationServices {
  readonly engines: Engines
  readonly generations: Pick<Generations, 'queueChanged'>
  readonly readOptions: ReadSiteOptions
}

const { administratorProcedure, router } = proceduresWith<EngineServices>()

/** Hours in which the latest failure is looked for. */
const recentHours = 24

async function listAdminEngines(services: EngineServices): Promise<readonly AdminEngine[]> {
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
      const [failure] = failuresOf(id, outcomes)
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
        failure: failure ? describeFailure(failure) : null,
      }
    }),
  )
}

const updateInput = z.object(
  {
    id: z.string('`id` must be a string.').max(100, '`id` is not valid.'),
    isPaused: z.boolean('`isPaused` must be a boolean.').optional(),
    access: z.enum(roles, `\`access\` must be one of ${roles.join(', ')}.`).optional(),
    isDefault: z
      .literal(true, '`isDefault` must be true: make another engine the default instead.')
      .optional(),
  },
  notAnObject,
)

export const adminEnginesRouter = router({
  /** All engines with their state, the default first. */
  list: administratorProcedure.query(async ({ ctx }) => ({ engines: await listAdminEngines(ctx.services) })),

  /** Pauses or resumes an engine, chooses the lowest role that may use it, or makes it the default. Returns all engines. */
  update: administratorProcedure
    .input(updateInput)
    .mutation(async ({ ctx: { services, viewer }, input: { id, isDefault, isPaused: pauses, access } }) => {
      const { engines, readOptions } = services
      if (!engines.get(id)) throw new AppError('not_found', 'Engine not found.')
      await asAdministrator(services, viewer, async (transaction, record) => {
        const options = await readOptions(transaction)
        const current = optionsOf(options, id)
        const next: EngineOptions = {
          isPaused: pauses ?? current.isPaused,
          access: access ?? current.access,
        }
        const isPauseNew = next.isPaused !== current.isPaused
        const isAccessNew = next.access !== current.access
        if (isPauseNew) {
          await record({ action: next.isPaused ? 'pause_engine' : 'resume_engine', details: { engine: id } })
        }
        if (isAccessNew) {
          const details = { engine: id, from: current.access, to: next.access }
          await record({ action: 'change_engine_access', details })
        }
        if (isPauseNew || isAccessNew) {
          await storeSiteOption(transaction, 'engines', { ...options.engines, [id]: next })
        }
        if (isDefault === true && orderedEngines(engines, options)[0]?.id !== id) {
          await storeSiteOption(transaction, 'defaultEngine', id)
          await record({ action: 'change_default_engine', details: { engine: id } })
        }
      })
      await services.generations.queueChanged()
      return { engines: await listAdminEngines(services) }
    }),
})
