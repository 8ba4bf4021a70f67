import { proceduresWith } from '../procedures/procedures.ts'
import { completeInput, completeSetup, tryEngine, tryInput, type SetupServices } from './setup.ts'

const { publicProcedure, router } = proceduresWith<SetupServices>()

/** Calls of the page on which the site is set up, with the code in the body, which logs do not contain. */
export const setupRouter = router({
  tryEngine: publicProcedure.input(tryInput).mutation(({ ctx, input }) => tryEngine(ctx, input)),
  complete: publicProcedure.input(completeInput).mutation(({ ctx, input }) => completeSetup(ctx, input)),
})
