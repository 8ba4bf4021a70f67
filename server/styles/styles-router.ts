import { byId } from '../procedures/inputs.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { createStyle, deleteStyle, updateStyle, type StylesServices } from './change-style.ts'
import { createInput, updateInput } from './inputs.ts'
import { listStyles } from './stored-styles.ts'

const { publicProcedure, router, signedInProcedure } = proceduresWith<StylesServices>()

export const stylesRouter = router({
  /** Lists the caller's own styles, newest first, then those of the site. `images.generate` takes the id of one. */
  list: publicProcedure.query(async ({ ctx }) => ({
    styles: await listStyles(ctx.services, await ctx.viewer()),
  })),

  /** Creates a style: the caller's own, or with `isOfSite` one of the site, for administrators. */
  create: signedInProcedure.input(createInput).mutation(createStyle),

  /** Changes a style of the caller, or one of the site, for administrators, which restores it if it is deleted. Fields that are left out stay as they are. */
  update: signedInProcedure.input(updateInput).mutation(updateStyle),

  /** Deletes a style of the caller, or one of the site, for administrators. */
  delete: signedInProcedure.input(byId).mutation(deleteStyle),
})
