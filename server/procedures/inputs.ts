import { z } from 'zod'
import { messages } from '../../shared/errors.ts'
import type { ImageSize } from '../../shared/engines.ts'
import {
  countMax,
  lorasMax,
  loraWeightMax,
  nameLimit,
  pageSize,
  pageSizeMax,
  parameterMax,
  promptLimit,
  referenceImagesMax,
  searchLimit,
  seedMax,
  watchedImagesMax,
  type TextLimit,
} from '../../shared/limits.ts'
import { visibilities } from '../../shared/posts.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { imageShapes } from '../../shared/image-files.ts'
import { imageFilters } from '../../shared/images.ts'
import { apiKeyLifetimes, apiKeyScopes } from '../../shared/account.ts'
import { describedDetail } from '../errors/app-error.ts'
import { cleanText } from '../text/clean-text.ts'
import { fold } from '../text/search-text.ts'

/** Message for an input that is not an object. */
export const notAnObject = 'The input must be an object.'

/** A text that users write. */
export type TextSubject =
  | 'prompt'
  | 'negative_prompt'
  | 'name'
  | 'search'
  | 'report'
  | 'appeal'
  | 'note'
  | 'title'
  | 'description'
  | 'template'
  | 'announcement'

/** Formats the message for a text with too many characters. */
export function atMost(subject: TextSubject, { characters }: TextLimit): string {
  return describedDetail('text_characters', { subject, max: characters }).message
}

/**
 * Creates the schema of a user's text, which is cleaned and limited in length.
 *
 * @param missing message for a value that is not a string
 * @param subject named by the message for a text that is too long
 */
export function text(missing: string, subject: TextSubject, limit: TextLimit) {
  const tooLong = {
    characters: describedDetail('text_characters', { subject, max: limit.characters }),
    codeUnits: describedDetail('text_code_units', { subject, max: limit.codeUnits }),
  }
  const checkLength = (value: string, context: z.RefinementCtx) => {
    const exceeded = exceededLimit(value, limit)
    if (!exceeded) return
    const { message, detail } = tooLong[exceeded]
    context.addIssue({ code: 'custom', message, params: { detail } })
  }
  // Checked before cleaning, which is slow for long texts, and after it, as composition splits some characters in two.
  return z.string(missing).superRefine(checkLength).transform(cleanText).superRefine(checkLength)
}

const promptTooLong = atMost('prompt', promptLimit)

/** Creates the schema of a prompt. @param missing message for a prompt that is missing or empty */
export function prompt(missing: string) {
  return text(missing, 'prompt', promptLimit)
    .refine((value) => value !== '', missing)
    .describe(`Description of the image. ${promptTooLong}`)
}

export const idPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Creates the schema of an id. @param field named by its messages */
export function idIn(field: string) {
  return z.string(`\`${field}\` must be a string.`).regex(idPattern, `\`${field}\` is not valid.`)
}

export const id = idIn('id')

export const visibility = z.enum(visibilities, `The visibility must be ${visibilities.join(', ')}.`)

export const isSensitive = z
  .boolean('`isSensitive` must be a boolean.')
  .describe('True if the image is blurred until a visitor asks for it.')

function cursor(maxLength: number) {
  const schema = z.string('`cursor` must be a string.')
  return schema.max(maxLength, 'The cursor is not one that this server gave out.')
}

/** Creates the schema of a whole number. @param what begins the message */
export function wholeNumber(what: string, min: number, max: number, end = '.') {
  const message = `${what} must be a whole number from ${min} to ${max.toLocaleString('en')}${end}`
  return z.int(message).min(min, message).max(max, message)
}

const limitTo = (max: number) => wholeNumber('The limit', 1, max)

/** Makes a schema optional; null counts as absent. */
export function optional<Output, Input>(schema: z.ZodType<Output, Input>) {
  return schema.nullish().transform((value) => value ?? undefined)
}

/** Returns the fields that an input has. */
export function definedOf<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}

const requestKey = z
  .string('`requestKey` must be a string.')
  .regex(/^[\x21-\x7e]{1,200}$/, 'The request key must have 1 to 200 printable ASCII characters.')
  .describe('Idempotency key of your choice: another call with the same key returns the same image.')

/** Optional cursor. */
export const position = optional(cursor(100))

/** Input fields of paged lists. */
export const page = {
  cursor: position.describe('`nextCursor` of the previous page; without it the first page.'),
  limit: limitTo(pageSizeMax).default(pageSize).describe('Maximum number of entries.'),
}

/** Input fields of lists by a user's choice of fields, whose cursors contain texts. */
export const tablePage = { cursor: optional(cursor(2_000)), limit: limitTo(200).default(50) }

export const byId = z.object({ id }, notAnObject)

export const engineId = z.string('`engine` must be a string.').max(100, '`engine` is not valid.')

/** Part of a user's own images. */
const imagesOf = {
  filter: z.enum(imageFilters, '`filter` must be all, shared, failed or trash.').default('all'),
  search: optional(text('`search` must be a string.', 'search', searchLimit))
    .transform((term = '') => fold(term).toWellFormed())
    .describe(`Part of a prompt, ignoring case. ${atMost('search', searchLimit)}`),
  engine: optional(engineId).describe('Only images of this engine; empty for uploads.'),
  shape: optional(z.enum(imageShapes, '`shape` must be square, landscape or portrait.')),
}

/** Creates the schema of a time, which becomes milliseconds since 1970. */
export function time(field: string) {
  const schema = z.iso.datetime({ offset: true, error: `\`${field}\` must be a time in ISO 8601.` })
  return schema.transform((value) => Date.parse(value))
}

export const listImagesInput = z
  .object(
    {
      ...imagesOf,
      from: optional(time('from')).describe('Only images that were created then or later.'),
      to: optional(time('to')).describe('Only images that were created before.'),
      ...page,
    },
    notAnObject,
  )
  .prefault({})

export const imageMonthsInput = z.object(imagesOf, notAnObject).prefault({})

const watchedIds = `The ids must be a list of 1 to ${watchedImagesMax} ids.`

export const watchInput = z.object(
  {
    ids: z
      .array(id, watchedIds)
      .min(1, watchedIds)
      .max(watchedImagesMax, watchedIds)
      .transform((ids) => [...new Set(ids)]),
    lastEventId: z.string('`lastEventId` must be a string.').max(watchedImagesMax).nullish(),
  },
  notAnObject,
)

export const uploadExpected = 'Send the image as `file` of a form, or as application/octet-stream.'

/** Bytes of an upload: from a request as a stream, in which a form was replaced by its file. Clients send one of three types. */
export const uploadInput = z.custom<FormData | Blob | Uint8Array>(
  (body) => body instanceof Uint8Array || body instanceof ReadableStream,
  uploadExpected,
) as unknown as z.ZodType<Uint8Array | ReadableStream<Uint8Array>, FormData | Blob | Uint8Array>

const sizeSentence = 'The size must be a width and a height in pixels, such as 1024x768.'
const seedSentence = `The seed must be a whole number from 0 to ${seedMax}.`
const strengthSentence = 'The strength must be a number from 0 to 1.'
const referencesSentence = `The reference images must be a list of at most ${referenceImagesMax} ids of images.`

const lorasSentence = `The LoRAs must be a list of at most ${lorasMax} objects with a name and a weight from -${loraWeightMax} to ${loraWeightMax}.`
const lorasOnce = 'Each LoRA can be used once.'
const lora = z.object(
  {
    name: z.string(lorasSentence).min(1, lorasSentence).max(200, lorasSentence),
    weight: z
      .number(lorasSentence)
      .min(-loraWeightMax, lorasSentence)
      .max(loraWeightMax, lorasSentence)
      .default(1),
  },
  lorasSentence,
)

/** LoRAs of a request. */
export const lorasSchema = z
  .array(lora, lorasSentence)
  .max(lorasMax, lorasSentence)
  .refine((loras) => new Set(loras.map(({ name }) => name)).size === loras.length, lorasOnce)

const parametersSentence =
  '`parameters` must be an object of at most 30 values: texts, numbers, true or false.'

export const imageSize = z
  .string(sizeSentence)
  .regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/, sizeSentence)
  .transform((size) => size as ImageSize)

export const generateInput = z.object(
  {
    prompt: prompt(messages.promptMissing),
    engine: optional(engineId).describe('Id of an image engine, from `engines.list`; the first by default.'),
    model: optional(z.string('`model` must be a string.').max(500, '`model` is not valid.')).describe(
      'One of the models of the engine; its default without it.',
    ),
    size: optional(imageSize).describe(
      'Width and height in pixels, such as `1024x768`; the default of the engine without it.',
    ),
    count: optional(wholeNumber('The count', 1, countMax)).describe(
      'Number of images, each counted; either all are accepted or none.',
    ),
    seed: optional(z.int(seedSentence).min(0, seedSentence).max(seedMax, seedSentence)).describe(
      'Random seed: the same settings and seed give a similar image again. Further images take the following seeds.',
    ),
    negativePrompt: optional(
      text('`negativePrompt` must be a string.', 'negative_prompt', promptLimit),
    ).describe(`What the image should not show. ${atMost('negative_prompt', promptLimit)}`),
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
      z
        .record(
          z.string().max(100, parametersSentence),
          z.union([z.string().max(parameterMax), z.number(), z.boolean()], parametersSentence),
          parametersSentence,
        )
        .refine((values) => Object.keys(values).length <= 30, parametersSentence),
    ).describe('Values of the parameters of the model, as `modelDetails` of `engines.list` types them.'),
    loras: optional(lorasSchema).describe('LoRAs of the engine, from its capabilities, and their weights.'),
    expand: optional(z.boolean('`expand` must be true or false.')).describe(
      'True to generate `count` images of each combination of choices such as `{red|blue}` in the prompt, four in all; `\\{`, `\\}` and `\\|` are the characters.',
    ),
    styleId: optional(id).describe(
      'Id of a style, from `styles.list`: its template surrounds the prompt, its negative prompt is added, and its engine, size and LoRAs apply where the request has none.',
    ),
    remixOf: optional(id).describe('Id of the post that the image is a remix of.'),
    requestKey: requestKey.optional(),
  },
  messages.promptMissing,
)

export const upscaleInput = z.object(
  {
    imageId: idIn('imageId').describe('Id of one of your images.'),
    engine: optional(engineId).describe(
      'Id of an engine whose capabilities list the factor; the first by default.',
    ),
    factor: wholeNumber('The factor', 2, 8).describe('How many times wider and higher the new image is.'),
    requestKey: requestKey.optional(),
  },
  notAnObject,
)

export const accountSettingsInput = z
  .object(
    { defaultVisibility: visibility, mailNotices: z.boolean('`mailNotices` must be true or false.') },
    notAnObject,
  )
  .partial()

/** Creates the schema of a name. @param missing message for an empty one */
function requiredName(missing: string) {
  return text('`name` must be a string.', 'name', nameLimit).refine((value) => value !== '', missing)
}

const lifetimes = apiKeyLifetimes.slice(0, -1).join(', ')
const lifetimeSentence = `The field expiresInDays must be ${lifetimes} or ${apiKeyLifetimes.at(-1)}, or null for a key that does not expire.`

const scopesSentence = `The scopes must be a list of ${apiKeyScopes.join(', ')}, with at least one of them.`

export const createApiKeyInput = z.object(
  {
    name: requiredName('Please give the API key a name.'),
    expiresInDays: z.literal(apiKeyLifetimes, lifetimeSentence).nullable().default(null),
    scopes: z
      .array(z.enum(apiKeyScopes, scopesSentence), scopesSentence)
      .min(1, scopesSentence)
      .transform((scopes) => apiKeyScopes.filter((scope) => scopes.includes(scope)))
      .optional(),
  },
  notAnObject,
)

export const renamePasskeyInput = z.object(
  { id, name: requiredName('Please give the passkey a name.') },
  notAnObject,
)
