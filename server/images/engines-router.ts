import { listEngines, type Engines } from '../engines/engines.ts'
import type { Database } from '../db/open-database.ts'
import type { ReadSiteOptions } from '../site/site-options.ts'
import { proceduresWith } from '../procedures/procedures.ts'

interface EngineServices {
  readonly db: Database
  readonly engines: Engines
  readonly readOptions: ReadSiteOptions
}

const { publicProcedure, router } = proceduresWith<EngineServices>()

export const enginesRouter = router({
  /** Lists the engines that the caller may use, the default first. */
  list: publicProcedure.query(async ({ ctx }) => {
    const { db, engines, readOptions } = ctx.services
    const viewer = await ctx.viewer()
    return { engines: await listEngines(engines, await readOptions(db), viewer?.role ?? 'member') }
  }),
})
