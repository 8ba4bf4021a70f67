import { z } from 'zod'
import type { ParameterValues } from '../../shared/engines.ts'
import { messages } from '../../shared/errors.ts'
import { imageShapes } from '../../shared/image-files.ts'
import { imageFilters } from '../../shared/images.ts'
import {
  countMax,
  parameterMax,
  promptLimit,
  referenceImagesMax,
  searchLimit,
  seedMax,
  watchedImagesMax,
} from '../../shared/limits.ts'
import {
  atMost,
  engineId,
  id,
  imageSize,
  lorasSchema,
  optional,
  page,
  prompt,
  text,
  time,
  wholeNumber,
} from '../procedures/inputs.ts'
import { searchTerm } from '../text/search-text.ts'

/** Part of a user's own images. */
const imagesOf = {
  filter: z.enum(imageFilters, '`filter` must be all, shared, failed or trash.').default('all'),
  search: optional(text('search', searchLimit))
    .transform((term = '') => searchTerm(term))
    .describe(`Part of a prompt, ignoring case. ${atMost('search', searchLimit)}`),
  engine: optional(engineId).describe('Only images of this engine; empty for uploads.'),
  shape: optional(z.enum(imageShapes, '`shape` must be square, landscape or portrait.')),
}

export const listImagesInput = z
  .object({
    ...imagesOf,
    from: optional(time('from')).describe('Only images that were created then or later.'),
    to: optional(time('to')).describe('Only images that were created before.'),
    ...page,
  })
  .prefault({})

export const imageMonthsInput = z.object(imagesOf).prefault({})

const watchedIds = `The ids must be a list of 1 to ${watchedImagesMax} ids.`

export const watchInput = z.object({
  ids: z
    .array(id, watchedIds)
    .min(1, watchedIds)
    .max(watchedImagesMax, watchedIds)
    .transform((ids) => [...new Set(ids)]),
  lastEventId: z.string().max(watchedImagesMax).nullish(),
})

const seedSentence = `The seed must be a whole number from 0 to ${seedMax}.`
const strengthSentence = 'The strength must be a number from 0 to 1.'
const referencesSentence = `The reference images must be a list of at most ${referenceImagesMax} ids of images.`

const parametersMax = 30

const parametersSentence = `\`parameters\` must be an object of at most ${parametersMax} values: texts, numbers, true or false.`

const requestKey = optional(
  z.string().regex(/^[\x21-\x7e]{1,200}$/, 'The request key must have 1 to 200 printable ASCII characters.'),
).describe('Idempotency key of your choice: another call with the same key returns the same image.')

export const generateInput = z.object(
  {
    prompt: prompt(messages.promptMissing),
    engine: optional(engineId).describe('Id of an image engine, from `engines.list`; the first by default.'),
    model: optional(z.string().max(500)).describe('One of the models of the engine; its default without it.'),
    size: optional(imageSize).describe(
      'Width and height in pixels, such as `1024x768`; the default of the engine without it.',
    ),
    count: optional(wholeNumber('The count', 1, countMax)).describe(
      'Number of images, each counted; either all are accepted or none.',
    ),
    seed: optional(z.int(seedSentence).min(0, seedSentence).max(seedMax, seedSentence)).describe(
      'Random seed: the same settings and seed give a similar image again. Further images take the following seeds.',
    ),
    negativePrompt: optional(text('negative_prompt', promptLimit)).describe(
      `What the image should not show. ${atMost('negative_prompt', promptLimit)}`,
    ),
    referenceImageIds: optional(
      z.array(id, referencesSentence).max(referenceImagesMax, referencesSentence),
    ).describe('Ids of finished images of the caller that the new image is based on.'),
    maskImageId: optional(id).describe(
      'Id of a finished image of the caller whose white areas are redrawn in the first reference image.',
    ),
    strength: optional(z.number(strengthSentence).min(0, strengthSentence).max(1, strengthSentence)).describe(
      'How far the image may differ from the first reference image, from 0 to 1.',
    ),
    parameters: optional(
      z.preprocess(
        // Before the values are checked, which takes a second for 80,000 of them.
        (values: ParameterValues, context) => {
          if (!(values instanceof Object && Object.keys(values).length > parametersMax)) return values
          context.addIssue(parametersSentence)
          return z.NEVER
        },
        z.record(
          z.string().max(100, parametersSentence),
          z.union([z.string().max(parameterMax), z.number(), z.boolean()], parametersSentence),
          parametersSentence,
        ),
      ),
    ).describe('Values of the parameters of the model, as `modelDetails` of `engines.list` types them.'),
    loras: optional(lorasSchema).describe('LoRAs of the engine, from its capabilities, and their weights.'),
    expand: optional(z.boolean('`expand` must be true or false.')).describe(
      'True to generate `count` images of each combination of choices such as `{red|blue}` in the prompt, four in all; `\\{`, `\\}` and `\\|` are the characters.',
    ),
    styleId: optional(id).describe(
      'Id of a style, from `styles.list`: its template surrounds the prompt, its negative prompt is added, and its engine, size and LoRAs apply where the request has none.',
    ),
    remixOf: optional(id).describe('Id of the post that the image is a remix of.'),
    requestKey,
  },
  messages.promptMissing,
)

export const upscaleInput = z.object({
  imageId: id.describe('Id of one of your images.'),
  engine: optional(engineId).describe(
    'Id of an engine whose capabilities list the factor; the first by default.',
  ),
  factor: wholeNumber('The factor', 2, 8).describe('How many times wider and higher the new image is.'),
  requestKey,
})
