import { proceduresWith } from '../procedures/procedures.ts'
import { renderMarkdown } from '../text/markdown.ts'
import {
  appearanceInput,
  readAppearanceSettings,
  rulesInput,
  updateAppearance,
  type AppearanceServices,
} from './appearance.ts'

const { publicProcedure, administratorProcedure, router } = proceduresWith<AppearanceServices>()

export const siteRouter = router({
  /** What administrators chose, null for the default, and the variables that fix parts of it. */
  appearance: publicProcedure.query(({ ctx }) => readAppearanceSettings(ctx.services)),

  /** Changes what is given; null returns to the default. Rejects what a variable fixes. Returns all. */
  updateAppearance: administratorProcedure
    .input(appearanceInput)
    .mutation(({ ctx, input }) => updateAppearance(ctx.services, ctx.viewer, input)),

  /** Renders rules as their page would. */
  previewRules: administratorProcedure
    .input(rulesInput)
    .mutation(({ input }) => renderMarkdown(input.rules, 'Rules')),
})
