import type { EngineTest } from '../../shared/admin.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { completeInput, completeSetup, tryInput, type SetupServices } from './setup.ts'

const { publicProcedure, router } = proceduresWith<SetupServices>()

/** Calls of the page on which the site is set up, with the code in the body, which logs do not contain. */
export const setupRouter = router({
  /** Checks an engine that is not stored, without generating an image. */
  tryEngine: publicProcedure.input(tryInput).mutation(async ({ ctx, input }): Promise<EngineTest> => {
    const { setup, addedEngines, engines } = ctx.services
    await setup.requireCode(ctx.clientNetwork(), input.code)
    const { isAvailable, issue } = await engines.try(
      await addedEngines.create({ id: 'engine', ...input.engine }),
    )
    return { isAvailable, error: issue }
  }),

  /** Creates the first administrator, or makes the signed-in user that, and sets up the site. Once. */
  complete: publicProcedure.input(completeInput).mutation(({ ctx, input }) => completeSetup(ctx, input)),
})
