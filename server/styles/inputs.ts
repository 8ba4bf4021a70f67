import { z } from 'zod'
import { nameLimit } from '../../shared/limits.ts'
import { promptSlot, styleTextLimit } from '../../shared/styles.ts'
import { describedDetail } from '../errors/app-error.ts'
import { atMost, byId, engineId, imageSize, lorasSchema, text } from '../procedures/inputs.ts'

const nameMissing = 'Please give the style a name.'
const { message: slotSentence, detail: slotDetail } = describedDetail('style_template', { slot: promptSlot })

const fields = {
  name: text('name', nameLimit).refine((value) => value !== '', nameMissing),
  template: text('template', styleTextLimit)
    .superRefine((value, context) => {
      if (value.split(promptSlot).length === 2) return
      context.addIssue({ code: 'custom', message: slotSentence, params: { detail: slotDetail } })
    })
    .describe(`Text for the engine, with \`${promptSlot}\` once. ${atMost('template', styleTextLimit)}`),
  negativePrompt: text('negative_prompt', styleTextLimit),
  engine: engineId.nullable().describe('Id of the only engine that it is for; null for any.'),
  size: imageSize.nullable(),
  loras: lorasSchema,
  isForModels: z
    .boolean('`isForModels` must be true or false.')
    .describe('True if its words mean nothing to the embedded engine.'),
}

export const createInput = z.object({
  ...fields,
  negativePrompt: fields.negativePrompt.default(''),
  engine: fields.engine.default(null),
  size: fields.size.default(null),
  loras: fields.loras.default([]),
  isForModels: fields.isForModels.default(false),
  isOfSite: z
    .boolean('`isOfSite` must be true or false.')
    .default(false)
    .describe('True for a style that everyone sees; for administrators.'),
})

export const updateInput = byId.extend(z.object(fields).partial().shape)

export type NewStyle = z.output<typeof createInput>
export type StyleChanges = z.output<typeof updateInput>
