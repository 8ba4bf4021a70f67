import { z } from 'zod'
import { referenceImagesMax } from '../../shared/limits.ts'
import { AppError } from '../errors/app-error.ts'
import { describeError } from '../errors/describe-error.ts'
import { parseForm, readStream, type FormPart } from '../formats/form.ts'
import { discardUploads } from '../images/trash.ts'
import { inspect, maskFromAlpha } from '../images/processing.ts'
import { findUploaded, withImageErrors } from '../images/upload-image.ts'
import { createUploadQueue } from '../rate-limits/keyed-queue.ts'
import { readJson } from '../rest/v1.ts'
import { invalidValue, missingParameter, parameterError, unreadableJson } from './openai-errors.ts'
import { editSchema, parseParameters } from './parameters.ts'
import { queueImages, repeatOrQueue, requireSupported, type ApiRequest } from './respond-with-images.ts'

/** Image of a request with its size in pixels, upright. */
interface InspectedFile extends ImageFile {
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

/**
 * Turns of each user in this process, since a rejected edit deletes new uploads, which another one may name. Bodies of a user are
 * limited already.
 */
const turns = createUploadQueue({ waiting: Infinity, waitingTotal: Infinity })

/**
 * Queues generations from the images of a request, which are stored as uploads of the user. Leaves no uploads behind if the
 * request is rejected.
 *
 * @throws AppError see `images.upload`, `images.uploadForEdit` and `images.generate`
 */
export async function queueEdit(request: ApiRequest, body: EditBody) {
  const parameters = parseParameters(editSchema, body.parameters)
  const files = [...body.images, body.mask].map((file) => file?.bytes)
  const images = await repeatOrQueue(request, parameters, files, async (identified) => {
    // Before the images are stored, and have ids.
    const engine = await requireSupported(identified.caller, parameters, {
      referenceImageIds: body.images.map(({ param }) => param),
      maskImageId: body.mask?.param,
    })
    const references: InspectedFile[] = []
    for (const image of body.images) references.push(await inspectFile(image))
    const mask = body.mask && (await convertMask(await inspectFile(body.mask), references))
    return turns.run(identified.viewer.id, identified.signal, async () => {
      const uploads: Upload[] = []
      try {
        for (const file of references) uploads.push(await upload(identified, file, 'upload'))
        if (mask) uploads.push(await upload(identified, mask, 'uploadForEdit'))
        const ids = uploads.map(({ id }) => id)
        const referenceImageIds = ids.slice(0, references.length)
        const maskImageId = mask && ids.at(-1)
        return await queueImages(identified, parameters, engine, { referenceImageIds, maskImageId })
      } catch (error) {
        await discard(identified, uploads)
        throw error
      }
    })
  })
  return { parameters: { ...parameters, model: parameters.model ?? images[0]?.engine ?? undefined }, images }
}

interface Upload {
  readonly id: string
  /** False for an upload that existed before. */
  readonly isNew: boolean
}

async function upload(
  { caller, context, viewer }: ApiRequest,
  { param, bytes }: ImageFile,
  procedure: 'upload' | 'uploadForEdit',
): Promise<Upload> {
  const existing = await findUploaded(context.services, viewer, bytes)
  const { id } = await withParameter(param, () => caller.images[procedure](bytes))
  return { id, isNew: existing === null }
}

/** Discards new uploads. Does not throw, as the caller reports why the request was rejected. */
async function discard({ context, viewer, logError }: ApiRequest, uploads: readonly Upload[]): Promise<void> {
  try {
    const newIds = uploads.flatMap(({ id, isNew }) => (isNew ? [id] : []))
    await discardUploads(context.services, viewer.id, newIds)
  } catch (error) {
    logError(error instanceof Error ? error : new Error(String(error)))
  }
}

/** @throws AppError `bad_input` or `too_large` for a file that is not an image, or has too many pixels */
async function inspectFile(file: ImageFile): Promise<InspectedFile> {
  return { ...file, ...(await withParameter(file.param, () => inspect(file.bytes))) }
}

/**
 * Converts a mask, which is transparent where the first image is redrawn, to one that is white there.
 *
 * @throws AppError `bad_input` for a mask without transparency or of another size than the first image
 */
async function convertMask(
  mask: InspectedFile,
  [image]: readonly Pick<InspectedFile, 'width' | 'height'>[],
): Promise<ImageFile> {
  const invalid = (message: string) =>
    parameterError('mask', 'invalid_mask_image_format', `Invalid mask image format: ${message}`)
  if (!mask.hasAlpha) throw invalid('the mask has no alpha channel.')
  if (mask.width !== image?.width || mask.height !== image.height) {
    const sizeOf = (one: typeof image) => `${one?.width}x${one?.height}`
    throw invalid(`the mask has ${sizeOf(mask)} pixels, but the first image has ${sizeOf(image)}.`)
  }
  return { param: mask.param, bytes: await withParameter(mask.param, () => maskFromAlpha(mask.bytes)) }
}

/** Names the parameter of an image that cannot be read. */
async function withParameter<Result>(param: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await withImageErrors(read)
  } catch (error) {
    const { reason, message } = describeError(error)
    if (reason !== 'bad_input' && reason !== 'too_large') throw error
    throw parameterError(param, 'invalid_image_file', `Invalid image '${param}': ${message}`, reason)
  }
}

/** Body of `POST /v1/images/edits`. */
interface EditBody {
  readonly images: readonly ImageFile[]
  readonly mask: ImageFile | undefined
  /** The other parameters, unchecked. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** An image of a request. Its bytes are unchecked, and its declared type and name are ignored. */
interface ImageFile {
  /** Parameter for error messages. */
  readonly param: string
  readonly bytes: Uint8Array
}

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
  if (/^multipart\/form-data *;/i.test(type)) return fromForm(parseForm(await readStream(request.body), type))
  if (/^application\/json *(?:;|$)/i.test(type)) return fromJson(await readJson(request, unreadableJson))
  throw new AppError(
    'bad_input',
    `Unsupported content type: '${type.slice(0, 100)}'. Send multipart/form-data or application/json.`,
  )
}

function fromForm(parts: readonly FormPart[] | null): EditBody {
  if (parts === null)
    throw new AppError('bad_input', 'We could not parse the form in the body of your request.')
  const images: Uint8Array[] = []
  const others = new Map<string, FormPart>()
  for (const part of parts) {
    const { name } = part
    if (imageField.test(name)) {
      images.push(requireFile('image', part))
    } else if (others.has(name)) {
      throw invalidValue(name, 'it is there twice.')
    } else {
      others.set(name, part)
    }
  }
  requireCount('image', images.length)
  const mask = others.get('mask')
  others.delete('mask')
  return {
    images: images.map((bytes, index) => ({
      param: images.length === 1 ? 'image' : `image[${index}]`,
      bytes,
    })),
    mask: mask && { param: 'mask', bytes: requireFile('mask', mask) },
    parameters: Object.fromEntries([...others].map(([name, part]) => [name, fromField(part)])),
  }
}

function requireFile(param: string, { isFile, bytes }: FormPart): Uint8Array {
  if (isFile) return bytes
  throw invalidValue(param, 'a file is expected, not a text.')
}

/** Converts the text of a field to the type of its parameter, if it is one of that type. */
function fromField({ name, isFile, bytes }: FormPart): unknown {
  if (isFile) return bytes
  const value = bytes.toString()
  if (numbers.has(name) && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (name === 'stream' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return value
}

/** @throws AppError `bad_input` for no image, or more than a generation takes */
function requireCount(param: string, count: number): void {
  if (count === 0) throw missingParameter(param)
  if (count > referenceImagesMax)
    throw invalidValue(param, `at most ${referenceImagesMax} images are accepted, not ${count}.`)
}

const reference = z.strictObject({ image_url: z.string().optional(), file_id: z.string().optional() })

/** Takes references unchecked: there may be very many. */
const jsonBody = z.looseObject({ images: z.array(z.unknown()).optional(), mask: z.unknown().optional() })

function fromJson(body: unknown): EditBody {
  const { data, error } = jsonBody.safeParse(body)
  if (!data) {
    const [param] = error.issues[0]?.path ?? []
    throw param === undefined
      ? new AppError('bad_input', 'The body must be a JSON object.')
      : invalidReference(String(param))
  }
  const { images = [], mask = null, ...parameters } = data
  requireCount('images', images.length)
  return {
    images: images.map((one, index) => fromReference(`images[${index}]`, one)),
    mask: mask === null ? undefined : fromReference('mask', mask),
    parameters,
  }
}

function invalidReference(param: string): AppError {
  const example = '{ "image_url": "data:image/png;base64,…" }'
  return invalidValue(param, `an image reference is expected, such as ${example}.`)
}

/** Reads the image of a data URL. Files of OpenAI do not exist here, and other addresses are not fetched. */
function fromReference(name: string, value: unknown): ImageFile {
  const { data, error } = reference.safeParse(value)
  if (!data) throw invalidReference([name, ...(error.issues[0]?.path ?? [])].join('.'))
  const { image_url: url, file_id: fileId } = data
  if (fileId !== undefined) {
    throw invalidValue(`${name}.file_id`, "send the image as a data URL in 'image_url'.")
  }
  const param = `${name}.image_url`
  if (url === undefined) throw missingParameter(param)
  const prefix = /^data:[^,]{0,100};base64,/i.exec(url)?.[0]
  if (prefix === undefined) throw invalidValue(param, 'only data URLs with base64 are accepted.')
  return { param, bytes: Buffer.from(url.slice(prefix.length), 'base64') }
}
