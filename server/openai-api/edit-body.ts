import { z } from 'zod'
import { referenceImagesMax } from '../../shared/limits.ts'
import { AppError } from '../errors/app-error.ts'
import { readJson } from '../rest/read-json.ts'
import { parameterError, unreadableJson } from './openai-errors.ts'

/** Body of `POST /v1/images/edits`. */
export interface EditBody {
  readonly images: readonly ImageFile[]
  readonly mask: ImageFile | undefined
  /** The other parameters, unchecked. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** An image of a request. Its bytes are unchecked, and its declared type and name are ignored. */
export interface ImageFile {
  /** Parameter for error messages. */
  readonly param: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Maximum number of parts of a form, and of bytes of the headers of a part: parsing more blocks other requests for seconds. */
const formLimits = { parts: 100, headerBytes: 4_096 }

/** `image`, and `image[]` or `image[0]` for several. */
const imageField = /^image(?:\[\d{0,3}\])?$/

const numbers: ReadonlySet<string> = new Set(['n', 'output_compression', 'partial_images'])

/**
 * Reads the body of an edit: a form with files, or JSON with data URLs.
 *
 * @throws AppError `bad_input`, with the parameter where there is one
 */
export async function readEditBody(request: Request): Promise<EditBody> {
  const type = request.headers.get('content-type') ?? ''
  if (/^multipart\/form-data *;/i.test(type)) return fromForm(await readForm(request, type))
  if (/^application\/json *(?:;|$)/i.test(type)) return fromJson(await readJson(request, unreadableJson))
  throw new AppError(
    'bad_input',
    `Unsupported content type: '${type.slice(0, 100)}'. Send multipart/form-data or application/json.`,
  )
}

/** Parses a form with a parser that takes it as a whole, after checking that it does not take long. */
async function readForm(request: Request, type: string): Promise<FormData> {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(type) ?? []
  const boundary = quoted ?? plain ?? ''
  // @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
  if (!/^[\w'()+,\-./:=? ]{1,70}$/.test(boundary)) throw unreadableForm()
  const bytes = Buffer.from(await request.arrayBuffer())
  requireModestForm(bytes, `--${boundary}`)
  // No other parameter of the header, from which the parser could take another boundary.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  try {
    return await new Response(bytes, { headers }).formData()
  } catch (cause) {
    throw unreadableForm(cause)
  }
}

/** @throws AppError `bad_input` for a form that would take seconds to parse, which no program sends */
function requireModestForm(bytes: Buffer, delimiter: string): void {
  let parts = 0
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    const head = bytes.subarray(at + delimiter.length, at + delimiter.length + formLimits.headerBytes)
    if (head.subarray(0, 2).equals(Buffer.from('--'))) return
    parts += 1
    if (parts > formLimits.parts || !head.includes('\r\n\r\n')) throw unreadableForm()
  }
}

function unreadableForm(cause?: unknown): AppError {
  return new AppError('bad_input', 'We could not parse the form in the body of your request.', { cause })
}

async function fromForm(form: FormData): Promise<EditBody> {
  const images: File[] = []
  const others = new Map<string, File | string>()
  for (const [name, value] of form) {
    if (imageField.test(name)) {
      images.push(requireFile('image', value))
    } else if (others.has(name)) {
      throw parameterError({ param: name, code: 'duplicate_parameter' }, `Duplicate parameter: '${name}'.`)
    } else {
      others.set(name, value)
    }
  }
  requireCount('image', images.length)
  const mask = others.get('mask')
  others.delete('mask')
  return {
    images: await Promise.all(
      images.map((file, index) => toImageFile(images.length === 1 ? 'image' : `image[${index}]`, file)),
    ),
    mask: mask === undefined ? undefined : await toImageFile('mask', requireFile('mask', mask)),
    parameters: Object.fromEntries([...others].map(([name, value]) => [name, fromField(name, value)])),
  }
}

function requireFile(param: string, value: File | string): File {
  if (typeof value !== 'string') return value
  throw parameterError(
    { param, code: 'invalid_type' },
    `Invalid type for '${param}': expected a file, but got a string instead.`,
  )
}

async function toImageFile(param: string, file: File): Promise<ImageFile> {
  return { param, bytes: new Uint8Array(await file.arrayBuffer()) }
}

/** Converts the text of a field to the type of its parameter, if it is one of that type. */
function fromField(name: string, value: File | string): unknown {
  if (typeof value !== 'string') return value
  if (numbers.has(name) && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (name === 'stream' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return value
}

/** @throws AppError `bad_input` for no image, or more than a generation takes */
function requireCount(param: string, count: number): void {
  if (count === 0) {
    throw parameterError(
      { param, code: 'missing_required_parameter' },
      `Missing required parameter: '${param}'.`,
    )
  }
  if (count > referenceImagesMax) {
    throw parameterError(
      { param, code: 'array_above_max_length' },
      `Invalid '${param}': expected at most ${referenceImagesMax} images, but got ${count} instead.`,
    )
  }
}

const reference = z.strictObject({ image_url: z.string().optional(), file_id: z.string().optional() })

const jsonImages = z.looseObject({ images: z.array(reference).optional(), mask: reference.nullish() })

function fromJson(body: unknown): EditBody {
  const parsed = jsonImages.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const param = pathOf(issue?.path ?? [])
    if (param === '') throw new AppError('bad_input', 'The body must be a JSON object.')
    throw parameterError(
      { param, code: 'invalid_type' },
      `Invalid type for '${param}': expected an image reference, such as { "image_url": "data:image/png;base64,…" }.`,
    )
  }
  const { images = [], mask, ...parameters } = parsed.data
  requireCount('images', images.length)
  return {
    images: images.map((one, index) => fromReference(`images[${index}]`, one)),
    mask: mask ? fromReference('mask', mask) : undefined,
    parameters,
  }
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  )
}

/** Reads the image of a data URL. Files of OpenAI do not exist here, and other addresses are not fetched. */
function fromReference(
  name: string,
  { image_url: url, file_id: fileId }: z.infer<typeof reference>,
): ImageFile {
  if (fileId !== undefined) {
    const param = `${name}.file_id`
    throw parameterError(
      { param, code: 'invalid_value' },
      `Invalid value for '${param}': send the image as a data URL in 'image_url'.`,
    )
  }
  const param = `${name}.image_url`
  if (url === undefined) {
    throw parameterError(
      { param, code: 'missing_required_parameter' },
      `Missing required parameter: '${param}'.`,
    )
  }
  const prefix = /^data:[^,]{0,100};base64,/i.exec(url)?.[0]
  if (prefix === undefined) {
    throw parameterError(
      { param, code: 'invalid_value' },
      `Invalid value for '${param}': only data URLs with base64 are accepted.`,
    )
  }
  return { param, bytes: new Uint8Array(Buffer.from(url.slice(prefix.length), 'base64')) }
}
