import { z } from 'zod'
import { roles } from '../../../shared/viewer.ts'
import { administratorProcedure, router } from '../../trpc/init.ts'
import { notAnObject } from '../../trpc/inputs.ts'
import { listAdminEngines, updateEngine } from './engines.ts'

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

/** Engines of the site, for administrators. */
export const adminEnginesRouter = router({
  /** All engines with their state, the default first. */
  list: administratorProcedure.query(async ({ ctx }) => ({ engines: await listAdminEngines(ctx.services) })),

  /** Pauses or resumes an engine, chooses the lowest role that may use it, or makes it the default. Returns all engines. */
  update: administratorProcedure.input(updateInput).mutation(async ({ ctx, input }) => {
    await updateEngine(ctx.services, ctx.viewer, input)
    return { engines: await listAdminEngines(ctx.services) }
  }),
})
