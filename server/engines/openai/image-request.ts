import { APIError } from 'openai'
import type { ImageEditParamsBase, ImageGenerateParamsBase } from 'openai/resources/images'
import type { Logger } from 'pino'
import { EngineError } from '../engine-error.ts'
import { type EngineRequest, stableDiffusionSizes } from '../image-engine.ts'
import { readError } from './provider-errors.ts'
import type { Connection, Endpoint } from './openai-client.ts'
import {
  type AcceptedRequest,
  type IsRejected,
  type RejectedParameters,
  sendRequest,
} from './send-request.ts'
import type { EngineCapabilities, ImageSize } from '../../../shared/engines.ts'
import sharp from 'sharp'

/** Parameters of generations and edits for OpenAI's models. Their `auto` quality is the most expensive one; two previews cost little. */
const openAiParameters = {
  n: 1,
  output_format: 'jpeg',
  quality: 'medium',
  stream: true,
  partial_images: 2,
} as const satisfies Partial<ImageGenerateParamsBase & ImageEditParamsBase>

/** Parameters for other models, whose servers often respond with a URL by default. */
const compatibleParameters = {
  n: 1,
  output_format: 'jpeg',
  response_format: 'b64_json',
  stream: true,
  partial_images: 2,
} as const satisfies Partial<ImageGenerateParamsBase & ImageEditParamsBase>

/** Optional parameters of a request. Only generations take `moderation`. */
type OptionalParameters = Partial<
  typeof openAiParameters &
    typeof compatibleParameters & { readonly size: string; readonly moderation: 'auto' }
>

/** Dependencies for sending requests to one endpoint. */
export interface Sender extends Pick<Connection, 'client' | 'endpoint'> {
  readonly model: string
  readonly log: Logger
  /** Rejected parameters of each route, which may differ. */
  readonly rejected: Readonly<Record<ImageRoute, RejectedParameters>>
}

/** Route of the Images API. */
type ImageRoute = 'generations' | 'edits'

/** Part of a request to an engine that this one uses. */
export type ImageInput = Pick<EngineRequest, 'prompt' | 'size' | 'references' | 'mask'>

/** Chooses the route of a request: an image with references is an edit. */
export function routeOf({ references }: ImageInput): ImageRoute {
  return references.length > 0 ? 'edits' : 'generations'
}

/**
 * Requests one image.
 *
 * @throws EngineError
 */
export async function sendImageRequest(
  sender: Sender,
  input: ImageInput,
  signal: AbortSignal,
): Promise<AcceptedRequest<OptionalParameters>> {
  const { rejected, log } = sender
  const route = routeOf(input)
  const all = parametersOf(sender, input)
  const send =
    route === 'edits' ? await prepareEdit(sender, input, signal) : prepareGeneration(sender, input, signal)
  return sendRequest(
    {
      prompt: input.prompt,
      choose: (isRejected) => chooseParameters(all, isRejected),
      byValue: ['size'],
      rejected: rejected[route],
      send,
      log,
    },
    signal,
  )
}

function parametersOf({ endpoint, model }: Sender, input: ImageInput): OptionalParameters {
  const isOpenAi = isOpenAiModel(endpoint, model)
  const { width, height } = input.size ?? {}
  // Other servers have a size of their own, for which they were started.
  const own = isOpenAi ? openAiSizes[0] : undefined
  const size = width === undefined ? own : `${width}x${height}`
  return {
    ...(isOpenAi ? openAiParameters : compatibleParameters),
    ...(size !== undefined && { size }),
    ...(isOpenAi && routeOf(input) === 'generations' && { moderation: 'auto' }),
  }
}

function chooseParameters(all: OptionalParameters, isRejected: IsRejected): OptionalParameters {
  const names = Object.keys(all) as (keyof OptionalParameters)[]
  const chosen: Partial<Record<keyof OptionalParameters, unknown>> = {}
  for (const name of names) if (!isRejected(name, all[name])) chosen[name] = all[name]
  // Previews need a stream; requesting them without one is an error.
  if (!chosen.stream) delete chosen.partial_images
  return chosen as OptionalParameters
}

type Send = (parameters: OptionalParameters) => Promise<Response>

function prepareGeneration({ client, model }: Sender, { prompt }: ImageInput, signal: AbortSignal): Send {
  return (parameters) => client.images.generate({ model, prompt, ...parameters }, { signal }).asResponse()
}

/** Prepares the files of an edit, and requests it. */
async function prepareEdit(
  { client, endpoint, model }: Sender,
  { prompt, references, mask }: ImageInput,
  signal: AbortSignal,
): Promise<Send> {
  const files = references.map((bytes, index) => toFile(bytes, `image-${index + 1}.jpg`, 'image/jpeg'))
  const [first, firstBytes] = [files[0], references[0]]
  if (!first || !firstBytes) throw new TypeError('An edit requires a reference image.')
  const image = isOpenAiModel(endpoint, model) ? files : first
  const alphaMask = mask && toFile(await createEditMask(mask, firstBytes), 'mask.png', 'image/png')
  const request = { model, prompt, image, ...(alphaMask && { mask: alphaMask }) }
  return async (parameters) => {
    try {
      return await client.images.edit({ ...request, ...parameters }, { signal }).asResponse()
    } catch (thrown) {
      throw hasNoEdits(thrown) ? noEdits() : thrown
    }
  }
}

function toFile(bytes: Uint8Array, name: string, type: string): File {
  return new File([new Uint8Array(bytes)], name, { type })
}

/** Reports whether an error says that the server has no such route; with status 404 it may also have no such model. */
function hasNoEdits(thrown: unknown): boolean {
  if (!(thrown instanceof APIError)) return false
  if (thrown.status === 405 || thrown.status === 501) return true
  const { code = '', type = '', message = '' } = readError(thrown.error)
  return thrown.status === 404 && !/model|deployment/i.test(`${code} ${type} ${message}`)
}

function noEdits(): EngineError {
  return new EngineError('engine_failed', 'the image service has no edits', {}, noReferencesMessage)
}

/** Message for users if a server or model takes no reference images. */
export const noReferencesMessage =
  'This engine cannot use reference images. Remove them, or choose another engine.'

/** Reports whether a model is one of OpenAI's, which are recognized by name behind any gateway. */
function isOpenAiModel(endpoint: Endpoint, model: string): boolean {
  return endpoint.isOpenAi || /(^|\/)(chatgpt|gpt)-image/.test(model)
}

/** Reports whether a model is one of xAI's, whose API takes no size and has no edits in this form. */
export function isXaiModel(model: string): boolean {
  return /(^|\/)grok-/i.test(model)
}

/** Sizes that all of OpenAI's models accept. */
const openAiSizes: readonly ImageSize[] = ['1024x1024', '1536x1024', '1024x1536']

/** Sizes of a model, the default first; empty if its API takes none. */
function sizesOf(endpoint: Endpoint, model: string): readonly ImageSize[] {
  if (isOpenAiModel(endpoint, model)) return openAiSizes
  // Servers that accept none of these generate their own size.
  return isXaiModel(model) ? [] : stableDiffusionSizes.sizes
}

/** Capabilities of a model behind the Images API, by its name: the API does not report them. */
export function capabilitiesOf(endpoint: Endpoint, model: string): EngineCapabilities {
  const isOpenAi = isOpenAiModel(endpoint, model)
  const hasEdits = isOpenAi || !isXaiModel(model)
  return {
    sizes: sizesOf(endpoint, model),
    customSizes: null,
    seed: false,
    negativePrompt: false,
    count: 4,
    referenceImages: isOpenAi ? 4 : hasEdits ? 1 : 0,
    strength: false,
    mask: hasEdits,
    progress: false,
    previews: isOpenAi,
  }
}

/** Gray level from which a mask counts as white: JPEG compression changes plain white and black a little. */
const whiteLevel = 128

/**
 * Creates the mask of an edit, a PNG of the size of the reference image. White areas become transparent, as the Images API
 * redraws what is transparent; they stay white, as stable-diffusion.cpp ignores transparency and redraws what is white.
 *
 * @throws EngineError if one of the files cannot be decoded
 */
export async function createEditMask(mask: Uint8Array, reference: Uint8Array): Promise<Buffer> {
  try {
    const { width, height } = await sharp(reference).metadata()
    const white = await sharp(mask)
      .flatten()
      .resize(width, height, { fit: 'fill' })
      .greyscale()
      .threshold(whiteLevel)
      .raw()
      .toBuffer()
    const alpha = Buffer.from(white.map((level) => 255 - level))
    const plane = { raw: { width, height, channels: 1 } } as const
    return await sharp(white, plane)
      .joinChannel([white, white, alpha], plane)
      .toColourspace('srgb')
      .png()
      .toBuffer()
  } catch {
    throw new EngineError('engine_failed', 'the mask or the reference image cannot be decoded')
  }
}
