import type { Image } from '../../shared/images.ts'
import type { AppError } from '../errors/app-error.ts'
import { describeError } from '../errors/describe-error.ts'
import { discardUploads } from '../images/trash.ts'
import { inspect, maskFromAlpha, UnreadableImage } from '../images/processing.ts'
import { findUploaded } from '../images/upload-image.ts'
import type { EditBody, ImageFile } from './edit-body.ts'
import { parameterError } from './openai-errors.ts'
import { parseEdit, type ImageParameters } from './parameters.ts'
import { queueImages, requireSupported, type ApiRequest } from './respond-with-images.ts'

/** Image of a request with its size in pixels, upright. */
interface InspectedFile extends ImageFile {
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
}

/** An edit whose generations are queued. */
interface QueuedEdit {
  readonly parameters: ImageParameters
  readonly images: readonly Image[]
}

/**
 * Queues generations from the images of a request, which are stored as uploads of the user.
 *
 * @throws AppError see `images.upload` and `images.generate`
 */
export async function queueEdit(request: ApiRequest, body: EditBody): Promise<QueuedEdit> {
  const requested = parseEdit(body.parameters)
  const demand = { images: body.images.length, mask: body.mask !== undefined }
  const parameters = { ...requested, model: await requireSupported(request.caller, requested, demand) }
  const images = await Promise.all(body.images.map(inspectFile))
  const mask = body.mask && (await convertMask(await inspectFile(body.mask), images))
  return { parameters, images: await storeAndQueue(request, parameters, { images, mask }) }
}

/** Stores the images of a request and queues its generations. Leaves no uploads behind if the request is rejected. */
async function storeAndQueue(
  request: ApiRequest,
  parameters: ImageParameters,
  { images, mask }: { readonly images: readonly ImageFile[]; readonly mask: ImageFile | undefined },
): Promise<readonly Image[]> {
  const { viewer } = request
  const { services } = request.context
  const newIds: string[] = []
  const store = async (file: ImageFile) => {
    const existing = await findUploaded(services, viewer, file.bytes)
    const id = await upload(request, file)
    if (existing === null) newIds.push(id)
    return id
  }
  try {
    const referenceImageIds: string[] = []
    for (const image of images) referenceImageIds.push(await store(image))
    const maskImageId = mask && (await store(mask))
    return await queueImages(request, parameters, { referenceImageIds, maskImageId })
  } catch (error) {
    await discard(request, viewer.id, newIds)
    throw error
  }
}

async function upload({ caller }: ApiRequest, { param, bytes }: ImageFile): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([bytes]))
  try {
    const { id } = await caller.images.upload(form)
    return id
  } catch (error) {
    const { reason, message } = describeError(error)
    if (reason === 'bad_input' || reason === 'too_large') throw invalidImage(param, message, reason)
    throw error
  }
}

async function discard({ context, logError }: ApiRequest, ownerId: string, ids: readonly string[]) {
  try {
    await discardUploads(context.services, ownerId, ids)
  } catch (error) {
    // The caller reports why the request was rejected.
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
    parameterError(
      { param: 'mask', code: 'invalid_mask_image_format' },
      `Invalid mask image format: ${message}`,
    )
  if (!mask.hasAlpha) throw invalid('the mask has no alpha channel.')
  if (mask.width !== image?.width || mask.height !== image.height) {
    const sizeOf = (one: typeof image) => `${one?.width}x${one?.height}`
    throw invalid(`the mask has ${sizeOf(mask)} pixels, but the first image has ${sizeOf(image)}.`)
  }
  return { param: mask.param, bytes: await withParameter(mask.param, () => maskFromAlpha(mask.bytes)) }
}

async function withParameter<Result>(param: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error
    throw invalidImage(param, error.message, error.tooLarge ? 'too_large' : 'bad_input')
  }
}

function invalidImage(param: string, message: string, status: 'bad_input' | 'too_large'): AppError {
  return parameterError({ param, code: 'invalid_image_file', status }, `Invalid image '${param}': ${message}`)
}
