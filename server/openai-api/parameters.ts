import { z } from 'zod'
import { countMax } from '../../shared/limits.ts'
import type { ImageSize } from '../../shared/engines.ts'
import { AppError } from '../errors/app-error.ts'
import { requirementOf } from '../errors/describe-error.ts'
import { optional, wholeNumber } from '../procedures/inputs.ts'
import { invalidValue, missingParameter, parameterError } from './openai-errors.ts'

const outputFormats = ['png', 'jpeg', 'webp'] as const

/** Drops a text that means nothing here, and may be long, once it is checked. */
const ignored = optional(z.string()).transform(() => undefined)

/**
 * The parameters of both endpoints. Those that mean nothing here are checked and ignored: `quality`, `style`, `moderation`,
 * `input_fidelity`, `user` and `safety_identifier`, and `background`, unless it asks for a transparent one.
 *
 * @see https://platform.openai.com/docs/api-reference/images/create
 */
const imageParameters = {
  prompt: z.string(),
  background: optional(z.enum(['transparent', 'opaque', 'auto'])),
  model: optional(z.string()),
  moderation: optional(z.enum(['low', 'auto'])),
  n: optional(wholeNumber('it', 1, countMax, '')),
  output_compression: optional(wholeNumber('it', 0, 100, '')),
  output_format: optional(z.enum(outputFormats)).transform((format) => format ?? 'png'),
  partial_images: optional(wholeNumber('it', 0, 3, '')),
  quality: optional(z.enum(['standard', 'hd', 'low', 'medium', 'high', 'auto'])),
  response_format: optional(z.enum(['url', 'b64_json'])),
  safety_identifier: ignored,
  size: optional(
    z.string().transform((size, context) => {
      if (size === 'auto') return undefined
      if (/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(size)) return size as ImageSize
      context.addIssue({
        code: 'custom',
        message: `The size must be 'auto', or a width and a height in pixels, such as '1024x768'`,
      })
      return z.NEVER
    }),
  ),
  stream: optional(z.boolean()),
  user: ignored,
}

export type ImageParameters = z.infer<z.ZodObject<typeof imageParameters>>

/** Body of `POST /v1/images/generations`. */
export const generationSchema = z.strictObject({
  ...imageParameters,
  style: optional(z.enum(['vivid', 'natural'])),
})

/** Parameters of `POST /v1/images/edits`, without the images. */
export const editSchema = z.strictObject({
  ...imageParameters,
  input_fidelity: optional(z.enum(['high', 'low'])),
})

/** @throws AppError `bad_input` for parameters that exclude each other */
function checkCombinations(parameters: ImageParameters): void {
  const { background, n, output_compression: compression, output_format: format, stream } = parameters
  if (background === 'transparent')
    throw invalidValue('background', 'transparent backgrounds are not supported.')
  if (format === 'png' && (compression ?? 100) < 100)
    throw invalidValue('output_compression', 'a compression of less than 100 is not supported for PNG.')
  if (!stream) return
  if ((n ?? 1) > 1) throw invalidValue('n', 'a stream has one image.')
  if (parameters.response_format === 'url')
    throw invalidValue('response_format', 'a stream contains the image as base64.')
}

/** Parses parameters. @throws AppError `bad_input`, with the parameter of the first issue */
export function parseParameters(schema: z.ZodType<ImageParameters>, body: unknown): ImageParameters {
  const { data, error } = schema.safeParse(body)
  if (data) {
    checkCombinations(data)
    return data
  }
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys') {
    const param = (issue.keys[0] ?? '').slice(0, 100)
    throw parameterError(param, 'unknown_parameter', `Unknown parameter: '${param}'.`)
  }
  const [param] = issue?.path ?? []
  if (!issue || typeof param !== 'string') throw new AppError('bad_input', 'The body must be a JSON object.')
  if (Object(body)[param] === undefined) throw missingParameter(param)
  const requirement = requirementOf(issue)
  throw invalidValue(param, `${requirement === null ? issue.message : `it ${requirement}`}.`)
}
