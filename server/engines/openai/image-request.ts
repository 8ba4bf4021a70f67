import type { IncomingMessage } from 'node:http'
import type { ImageEditParamsBase, ImageGenerateParamsBase } from 'openai/resources/images'
import type { Logger } from 'pino'
import sharp from 'sharp'
import type { EngineCapabilities, ImageSize } from '../../../shared/engines.ts'
import { EngineError } from '../engine-error.ts'
import { type EngineRequest, promptOnly, stableDiffusion } from '../image-engine.ts'
import { type Connection, sendBuilt } from './openai-client.ts'
import { ProviderError } from './provider-errors.ts'
import { type AcceptedRequest, type RejectedParameters, sendRequest } from './send-request.ts'

/** Optional parameters of a request. Only generations take `moderation`. */
type OptionalParameters = Partial<ImageEditParamsBase> & Pick<ImageGenerateParamsBase, 'moderation'>

/** Dependencies for sending requests to one server. */
export interface Sender {
  readonly connection: Connection
  readonly model: string
  readonly log: Logger
  /** Rejected parameters of each route, which may differ. */
  readonly rejected: Readonly<Record<ImageRoute, RejectedParameters>>
}

type ImageRoute = 'generations' | 'edits'

/** Part of a request to an engine that this one uses. */
export type ImageInput = Pick<EngineRequest, 'prompt' | 'size' | 'references' | 'mask'>

export function routeOf({ references }: ImageInput): ImageRoute {
  return references.length > 0 ? 'edits' : 'generations'
}

/** Requests one image. @throws EngineError, or a system error of the connection */
export async function sendImageRequest(
  sender: Sender,
  input: ImageInput,
  signal: AbortSignal,
): Promise<AcceptedRequest<OptionalParameters>> {
  const { rejected, log } = sender
  const all = parametersOf(sender, input)
  return sendRequest(
    {
      prompt: input.prompt,
      choose(isRejected) {
        const chosen = Object.entries(all).filter(([name, value]) => !isRejected(name, value))
        const { partial_images: previews, ...parameters } = Object.fromEntries(chosen) as OptionalParameters
        // Previews need a stream; requesting them without one is an error.
        return parameters.stream && previews !== undefined
          ? { ...parameters, partial_images: previews }
          : parameters
      },
      byValue: ['size'],
      rejected: rejected[routeOf(input)],
      send: await prepare(sender, input, signal),
      log,
    },
    signal,
  )
}

function parametersOf({ connection, model }: Sender, input: ImageInput): OptionalParameters {
  const isOpenAi = isOpenAiModel(connection, model)
  const { width, height } = input.size ?? {}
  // Other servers have a size of their own, for which they were started.
  const own = isOpenAi ? openAiSizes[0] : undefined
  const size = width === undefined ? own : `${width}x${height}`
  return {
    n: 1,
    output_format: 'jpeg',
    stream: true,
    // Two previews cost little.
    partial_images: 2,
    // OpenAI's `auto` is the most expensive quality. Other servers often respond with a URL by default.
    ...(isOpenAi ? { quality: 'medium' } : { response_format: 'b64_json' }),
    ...(size !== undefined && { size }),
    // Only generations take it.
    ...(isOpenAi && routeOf(input) === 'generations' && { moderation: 'auto' }),
  }
}

/** Prepares the files of an edit, and returns a function that sends a request with optional parameters. */
async function prepare(
  { connection, model }: Sender,
  { prompt, references, mask }: ImageInput,
  signal: AbortSignal,
): Promise<(parameters: OptionalParameters) => Promise<IncomingMessage>> {
  const [first] = references
  if (!first) {
    return (parameters) =>
      sendBuilt(
        connection,
        '/images/generations',
        (client) => client.images.generate({ model, prompt, ...parameters }),
        signal,
      )
  }
  const files = references.map((bytes, index) => toFile(bytes, `image-${index + 1}.jpg`, 'image/jpeg'))
  const [file = files] = files
  const alphaMask = mask && toFile(await createEditMask(mask, first), 'mask.png', 'image/png')
  const image = isOpenAiModel(connection, model) ? files : file
  const required = { model, prompt, image, ...(alphaMask && { mask: alphaMask }) }
  return async (parameters) => {
    try {
      return await sendBuilt(
        connection,
        '/images/edits',
        (client) => client.images.edit({ ...required, ...parameters }),
        signal,
      )
    } catch (thrown) {
      throw hasNoEdits(thrown) ? noReferences('the image service has no edits') : thrown
    }
  }
}

function toFile(bytes: Uint8Array, name: string, type: string): File {
  return new File([new Uint8Array(bytes)], name, { type })
}

/** Reports whether an error says that the server has no such route; with status 404 it may also have no such model. */
function hasNoEdits(thrown: unknown): boolean {
  if (!(thrown instanceof ProviderError)) return false
  const { status = 0 } = thrown.facts
  const { code = '', type = '', message = '' } = thrown.body
  return (
    status === 405 ||
    status === 501 ||
    (status === 404 && !/model|deployment/i.test(`${code} ${type} ${message}`))
  )
}

/** Creates the error for a server or a model that takes no reference images. */
export function noReferences(reason: string): EngineError {
  const message = 'This engine cannot use reference images. Remove them, or choose another engine.'
  return new EngineError('engine_failed', reason, {}, message)
}

/** Reports whether a model is one of OpenAI's, which are recognized by name behind any gateway. */
function isOpenAiModel({ isOpenAi }: Connection, model: string): boolean {
  return isOpenAi || /(^|\/)(chatgpt|gpt)-image/.test(model)
}

/** Reports whether a model is one of xAI's, whose API takes no size and has no edits in this form. */
export function isXaiModel(model: string): boolean {
  return /(^|\/)grok-/i.test(model)
}

/** Sizes that all of OpenAI's models accept, the default first. */
const openAiSizes: readonly ImageSize[] = ['1024x1024', '1536x1024', '1024x1536']

/** Capabilities of a model behind the Images API, by its name: the API does not report them. */
export function capabilitiesOf(connection: Connection, model: string): EngineCapabilities {
  if (isOpenAiModel(connection, model)) {
    return { ...promptOnly, sizes: openAiSizes, referenceImages: 4, mask: true, previews: true }
  }
  if (isXaiModel(model)) return promptOnly
  // Servers that accept none of these sizes generate their own.
  return { ...promptOnly, sizes: stableDiffusion.sizes, referenceImages: 1, mask: true }
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
    const raw = { width, height, channels: 1 } as const
    const alpha = Buffer.from(white.map((level) => 255 - level))
    const pixels = sharp(white, { raw }).joinChannel([white, white, alpha], { raw })
    return await pixels.toColourspace('srgb').png().toBuffer()
  } catch {
    throw new EngineError('engine_failed', 'the mask or the reference image cannot be decoded')
  }
}
