import { APIError, type OpenAI } from 'openai'
import type { ImageEditParamsBase, ImageGenerateParamsBase } from 'openai/resources/images'
import type { Logger } from 'pino'
import { EngineError } from '../engine-error.ts'
import type { EngineRequest } from '../image-engine.ts'
import { createEditMask } from './edit-mask.ts'
import { readError } from './engine-errors.ts'
import { isOpenAiModel, sizesOf } from './openai-capabilities.ts'
import type { Endpoint } from './openai-client.ts'
import {
  sendRequest,
  type AcceptedRequest,
  type IsRejected,
  type RejectedParameters,
} from './send-request.ts'

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
export interface Sender {
  readonly client: OpenAI
  readonly endpoint: Endpoint
  readonly model: string
  readonly log: Logger
  /** Rejected parameters of each route, which may differ. */
  readonly rejected: Readonly<Record<ImageRoute, RejectedParameters>>
}

/** Route of the Images API. */
export type ImageRoute = 'generations' | 'edits'

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
  const size = width === undefined ? sizesOf(endpoint, model)[0] : `${width}x${height}`
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
