import { z } from 'zod'
import { engineKinds, secretSettings } from '../../shared/engines.ts'
import type { EngineOptions } from '../../shared/site-options.ts'
import { roles } from '../../shared/viewer.ts'
import { isPaused, optionsOf, orderedEngines } from '../engines/engines.ts'
import { AppError } from '../errors/app-error.ts'
import { countUnfinishedByEngine } from '../images/generation/states.ts'
import { storeSiteOption } from '../site/site-options.ts'
import { engineId } from '../procedures/inputs.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import type { Config } from '../config/config.ts'
import { readAddedEngines } from '../site/added-engines.ts'
import { addEngine, changeEngine, deleteEngine, type ChangeEngineServices } from './change-engines.ts'
import { toEngineFailure, failuresOf, readOutcomes } from './statistics.ts'

interface EngineServices extends ChangeEngineServices {
  readonly config: Pick<Config, 'enginesVariable'>
}

const { administratorProcedure, router } = proceduresWith<EngineServices>()

async function listAdminEngines(services: EngineServices) {
  const { db, engines, addedEngines } = services
  const options = await services.readOptions(db)
  const [added, unfinished, outcomes] = await Promise.all([
    readAddedEngines(db),
    countUnfinishedByEngine(db),
    readOutcomes(db, services.now()),
  ])
  const ordered = orderedEngines(engines, options)
  const unusable = added.map(({ settings: { id, kind, label } }) => ({
    id,
    /** Null if a newer version added it, whose kind is not known. */
    kind: engineKinds.find((one) => one === kind) ?? null,
    label: typeof label === 'string' ? label : id,
    /** Default model; '' if unknown. */
    model: '',
  }))
  return Promise.all(
    [...ordered, ...unusable.filter(({ id }) => !engines.get(id))].map(async ({ id, kind, label, model }) => {
      const stored = added.find(({ settings }) => settings.id === id)
      const status = await engines.statusOf(id)
      const [failure] = failuresOf(id, outcomes)
      const { waiting = 0, running = 0 } = unfinished.get(id) ?? {}
      const entry = stored && addedEngines.secrets.openReadable(stored)
      // The form finds those of the kind by their names.
      const settings = stored?.settings as { readonly url?: string; readonly model?: string } | undefined
      return Object.assign({}, settings, {
        /** Names of the secrets that are stored. */
        secrets: secretSettings.filter((name) => entry && name in entry),
        /** True if it was added on the site, where it can be changed. */
        isAdded: stored !== undefined,
        /** The variable that configures it; null if it was added, or is the one without any configuration. */
        fixedBy: stored ? null : services.config.enginesVariable,
        id,
        kind,
        label,
        model,
        /** Model of its entry, if it was added; '' for the usual one. */
        ownModel: settings?.model ?? '',
        isPaused: isPaused(options, id),
        access: optionsOf(options, id).access,
        isDefault: id === ordered[0]?.id,
        isAvailable: status.isAvailable,
        /** Reason for which it is not available, in words of its server; null without one. */
        issue: (stored && addedEngines.issueOf(stored)) ?? status.issue,
        waiting,
        running,
        /** Latest failure of the last day; null without one. */
        failure: failure ? toEngineFailure(failure) : null,
      })
    }),
  )
}

const byEngineId = z.object({ id: engineId })

const updateInput = z.looseObject({
  id: engineId,
  isPaused: z.boolean().optional(),
  access: z.enum(roles, `\`access\` must be one of ${roles.join(', ')}.`).optional(),
  isDefault: z.literal(true, '`isDefault` must be true: make another engine the default instead.').optional(),
  before: engineId.nullable().optional(),
})

export const adminEnginesRouter = router({
  /** All engines with their state, the default first. */
  list: administratorProcedure.query(async ({ ctx }) => ({ engines: await listAdminEngines(ctx.services) })),

  /** Adds an engine: an entry as in the engines file, whose secrets are never returned. Returns its id, and all engines. */
  create: administratorProcedure
    .input(z.looseObject({}))
    .mutation(async ({ ctx: { services, viewer }, input }) => {
      const id = await addEngine(services, viewer, input)
      return { id, engines: await listAdminEngines(services) }
    }),

  /** Deletes an engine that was added. What waits for it fails with a refund. Returns the others. */
  delete: administratorProcedure
    .input(byEngineId)
    .mutation(async ({ ctx: { services, viewer }, input: { id } }) => {
      await deleteEngine(services, viewer, id)
      return { id, engines: await listAdminEngines(services) }
    }),

  /** Checks an engine now, without generating an image. `error` says why it is not available, if that is known. */
  test: administratorProcedure.input(byEngineId).mutation(async ({ ctx: { services }, input: { id } }) => {
    await services.readOptions(services.db)
    if (!services.engines.get(id)) throw new AppError('not_found', 'Engine not found.')
    const { isAvailable, issue } = await services.engines.test(id)
    return { isAvailable, error: issue }
  }),

  /**
   * Pauses or resumes an engine, chooses the lowest role that may use it, or makes it the default; of one that was added, also
   * changes settings of its entry, null to remove one, and its place: `before` another one, or null for the end. Returns all engines.
   */
  update: administratorProcedure.input(updateInput).mutation(async ({ ctx: { services, viewer }, input }) => {
    const { id, isDefault, isPaused: pauses, access, before, ...changes } = input
    const { engines, readOptions } = services
    await readOptions(services.db)
    if (before !== undefined || Object.keys(changes).length > 0)
      await changeEngine(services, viewer, { ...changes, id, before })
    else if (!engines.get(id)) throw new AppError('not_found', 'Engine not found.')
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
