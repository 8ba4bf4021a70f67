import { publicProcedure, router } from '../trpc/init.ts'

export const enginesRouter = router({
  /** Lists the engines to choose from, the default first. */
  list: publicProcedure.query(async ({ ctx }) => ({ engines: await ctx.services.engines.list() })),
})
