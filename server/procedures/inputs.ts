import { z } from 'zod'
import type { ImageSize } from '../../shared/engines.ts'
import {
  lorasMax,
  loraWeightMax,
  pageSize,
  pageSizeMax,
  promptLimit,
  type TextLimit,
} from '../../shared/limits.ts'
import { visibilities } from '../../shared/posts.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { describedDetail } from '../errors/app-error.ts'
import { cleanText } from '../text/clean-text.ts'

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
 * @param subject named by the message for a text that is too long
 * @param missing message for a value that is not a string; by default, it names the field
 */
export function text(subject: TextSubject, limit: TextLimit, missing?: string) {
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
  return text('prompt', promptLimit, missing)
    .refine((value) => value !== '', missing)
    .describe(`Description of the image. ${promptTooLong}`)
}

export const idPattern = /^[A-Za-z0-9_-]{1,64}$/

export const id = z.string().regex(idPattern)

export const visibility = z.enum(visibilities, `The visibility must be ${visibilities.join(', ')}.`)

export const isSensitive = z.boolean().describe('True if the image is blurred until a visitor asks for it.')

function cursor(maxLength: number) {
  return z.string().max(maxLength, 'The cursor is not one that this server gave out.')
}

/** Creates the schema of a whole number. @param what begins the message */
export function wholeNumber(what: string, min: number, max: number, end = '.') {
  const message = `${what} must be a whole number from ${min} to ${max.toLocaleString('en')}${end}`
  return z.int(message).min(min, message).max(max, message)
}

/** Creates the schema of an amount of money. @param what begins the message */
export function dollars(what: string, min: number, max: number, end = '.') {
  const message = `${what} must be USD, a number from ${min} to ${max.toLocaleString('en')}${end}`
  return z.number(message).min(min, message).max(max, message)
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

export const position = optional(cursor(100))

/** Input fields of paged lists. */
export const page = {
  cursor: position.describe('`nextCursor` of the previous page; without it the first page.'),
  limit: limitTo(pageSizeMax).default(pageSize).describe('Maximum number of entries.'),
}

/** Input fields of lists by a user's choice of fields, whose cursors contain texts. */
export const tablePage = { cursor: optional(cursor(2_000)), limit: limitTo(200).default(50) }

export const byId = z.object({ id })

export const engineId = z.string().max(100)

/** Creates the schema of a time, which becomes milliseconds since 1970. */
export function time(field: string) {
  const schema = z.iso.datetime({
    offset: true,
    error: `\`${field}\` must be a time in ISO 8601, such as 2026-11-01T00:00:00Z.`,
  })
  return schema.transform((value) => Date.parse(value))
}

export const uploadExpected = 'Send the image as `file` of a form, or as application/octet-stream.'

/** Bytes of an upload: from a request as a stream, in which a form was replaced by its file. Clients send one of three types. */
export const uploadInput = z.custom<FormData | Blob | Uint8Array>(
  (body) => body instanceof Uint8Array || body instanceof ReadableStream,
  uploadExpected,
) as unknown as z.ZodType<Uint8Array | ReadableStream<Uint8Array>, FormData | Blob | Uint8Array>

const sizeSentence = 'The size must be a width and a height in pixels, such as 1024x768.'
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

export const lorasSchema = z
  .array(lora, lorasSentence)
  .max(lorasMax, lorasSentence)
  .refine((loras) => new Set(loras.map(({ name }) => name)).size === loras.length, lorasOnce)

export const imageSize = z
  .string(sizeSentence)
  .regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/, sizeSentence)
  .transform((size) => size as ImageSize)
