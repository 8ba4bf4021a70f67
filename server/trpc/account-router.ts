import { exportPerson } from '../people/export-person.ts'
import { router, signedInProcedure } from './init.ts'

export const accountRouter = router({
  /** Everything that the server keeps of the caller, for them to take away. */
  data: signedInProcedure.query(({ ctx }) => exportPerson(ctx.services, ctx.viewer)),
})
