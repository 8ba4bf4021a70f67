import { listEngines } from './engines.ts'
import { publicProcedure, router } from '../trpc/init.ts'

export const enginesRouter = router({
  /** Lists the engines that the caller may use, the default first. */
  list: publicProcedure.query(async ({ ctx }) => {
    const { db, engines, readOptions } = ctx.services
    const viewer = await ctx.viewer()
    return { engines: await listEngines(engines, await readOptions(db), viewer?.role ?? 'member') }
  }),
})
