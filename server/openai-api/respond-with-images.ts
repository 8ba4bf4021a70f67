import { randomInt } from 'node:crypto'
import { detailsOf, type Engine } from '../../shared/engines.ts'
import { isSucceeded, type Image, type SucceededImage } from '../../shared/images.ts'
import { seedMax } from '../../shared/limits.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { digestOfSettings, findUnsupported } from '../images/generation/generation-options.ts'
import { findRepeated } from '../images/generation/insert-queued.ts'
import { noSuchImage } from '../images/images.ts'
import { imageXmp } from '../formats/xmp.ts'
import { encodeOriginal, sha256, UnreadableImage, type Encoding } from '../images/processing.ts'
import { hasScope } from '../access/authenticator.ts'
import { createCaller, type Caller } from '../trpc/caller.ts'
import type { RequestContext } from '../trpc/context.ts'
import { isStored } from './serve-link.ts'
import { invalidValue, openAiError, parameterError, parametersOfInputs } from './openai-errors.ts'
import type { ImageParameters } from './parameters.ts'

/** A request of a program, with an API key or the service token. */
export interface ApiRequest {
  readonly caller: Caller
  readonly context: RequestContext
  /** User of the credential. That of the context is null for an API key without the scope `read`. */
  readonly viewer: Viewer
  /** Value of the header `Idempotency-Key`; undefined without it. */
  readonly requestKey: string | undefined
  /** Aborted when the client has disconnected. Its generation continues, and the image is among those of the user. */
  readonly signal: AbortSignal
  /** Logs an error of a stream after its response has begun. */
  readonly logError: (error: Error) => void
}

interface EditInput {
  readonly referenceImageIds?: string[]
  readonly maskImageId?: string | undefined
}

/** Images cost no tokens here, but the SDK's types require their number in events. */
const noTokens = {
  input_tokens: 0,
  input_tokens_details: { image_tokens: 0, text_tokens: 0 },
  output_tokens: 0,
  total_tokens: 0,
} as const

/**
 * Returns the images of an earlier request with the same key and the same content, whatever has become of its engine or of the
 * images that it edited, or queues new ones.
 *
 * @param files bytes of the images and of the mask of an edit
 * @param queue queues the images of the request that it receives
 * @throws AppError `rate_limited`; errors of `queue`
 */
export async function repeatOrQueue(
  request: ApiRequest,
  { prompt, model, size, n: count = 1 }: ImageParameters,
  files: readonly (Uint8Array | undefined)[],
  queue: (request: ApiRequest) => Promise<readonly Image[]>,
): Promise<readonly Image[]> {
  const { context, viewer, requestKey: key } = request
  if (key === undefined) return queue(request)
  const hashes = await Promise.all(files.map(async (bytes) => bytes && sha256(bytes)))
  const requestDigest = digestOfSettings([key, prompt, model, size, count, hashes])
  const { db, writeLimits } = context.services
  const identity = await context.identity()
  if (identity && hasScope(identity, 'generate')) {
    const repeated = { key, prompts: [prompt], count, digest: requestDigest }
    const images = await findRepeated(db, viewer.id, repeated)
    if (images.length > 0) {
      await writeLimits.perUser.consume(viewer.id)
      return images
    }
  }
  return queue({ ...request, caller: createCaller({ ...context, requestDigest }) })
}

/**
 * Queues the images of a request, which `requireSupported` has accepted. The first gets a random seed: programs that ask for
 * several images by several requests expect different ones, also of an engine that draws the same one without a seed.
 *
 * @throws AppError see `images.generate`
 */
export async function queueImages(
  { caller, requestKey }: ApiRequest,
  { prompt, size, n }: ImageParameters,
  engine: Engine | undefined,
  edit: EditInput = {},
): Promise<readonly Image[]> {
  const { images } = await caller.images.generate({
    ...edit,
    prompt,
    engine: engine?.id,
    size,
    count: n,
    seed: engine?.capabilities.seed ? randomInt(seedMax + 1) : undefined,
    requestKey,
  })
  return images
}

/**
 * Waits for queued images and responds with them, or with a stream of events.
 *
 * @param operation prefix of the types of events
 * @throws AppError the error of the generation, unless the response is a stream
 */
export async function respondWithImages(
  request: ApiRequest,
  operation: 'image_generation' | 'image_edit',
  parameters: ImageParameters,
  images: readonly Image[],
): Promise<Response> {
  const ids = images.map(({ id }) => id)
  const [first] = ids
  if (!parameters.stream || first === undefined)
    return Response.json(await waitForAll(request, parameters, ids))
  return eventStream((send, left) =>
    streamImage(
      { ...request, signal: AbortSignal.any([request.signal, left]) },
      { operation, parameters, id: first },
      send,
    ),
  )
}

/** Finds the engine with an id. @throws AppError `not_found` for one that does not exist or that the user may not use */
export function requireEngine(engines: readonly Engine[], id: string): Engine {
  const engine = engines.find((candidate) => candidate.id === id)
  if (engine) return engine
  const message = `The model '${id.slice(0, 100)}' does not exist or you do not have access to it.`
  throw parameterError('model', 'model_not_found', message, 'not_found')
}

/**
 * Checks the engine of a request, and the parameters that `images.generate` would reject without their names.
 *
 * @returns the engine: without `model`, the first one that takes the images of an edit; undefined if there is none
 * @throws AppError `not_found` for an unknown engine, `bad_input`
 */
export async function requireSupported(
  caller: Caller,
  { model, size, n = 1 }: ImageParameters,
  edit: EditInput = {},
): Promise<Engine | undefined> {
  const listed = (await caller.engines.list()).engines
  // With the capabilities of the default model, where an engine has several.
  const engines = listed.map((engine): Engine =>
    Object.assign(engine, { capabilities: detailsOf(engine, null).capabilities }),
  )
  const usable = engines.filter(({ isPaused }) => !isPaused)
  const named = engines.find(({ id }) => id === model)
  const engine =
    model === undefined || (!named && openAiModels.test(model))
      ? (usable.find((candidate) => !findUnsupported(candidate, edit)) ?? usable[0] ?? engines[0])
      : (named ?? requireEngine(engines, model))
  // Without any, `images.generate` says why.
  if (!engine) return undefined
  const unsupported = findUnsupported(engine, { size, count: n, ...edit })
  if (!unsupported) return engine
  const [input, issue] = unsupported
  throw invalidValue(parametersOfInputs[input] ?? input, issue)
}

/**
 * Waits for all images. If only some of them fail, returns the others, which have been paid for.
 *
 * @throws AppError the first error if all fail
 */
async function waitForAll(request: ApiRequest, parameters: ImageParameters, ids: readonly string[]) {
  const { context } = request
  const origin = context.siteOrigin() ?? ''
  const { model = '', response_format: format = modelsWithLinks.has(model) ? 'url' : 'b64_json' } = parameters
  const encoding = encodingOf(parameters)
  const results = await Promise.allSettled(
    ids.map(async (id) => {
      const { image, read } = await waitForImage(request, id, encoding)
      const link = { ...encoding, imageId: id }
      const data =
        format === 'url'
          ? { url: origin + context.services.imageLinks.create(link) }
          : { b64_json: await read() }
      return { data, size: `${image.width}x${image.height}` }
    }),
  )
  const finished = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const [first] = finished
  if (!first) throw results.find((result) => result.status === 'rejected')?.reason
  return {
    created: nowInSeconds(request),
    background: 'opaque',
    data: finished.map(({ data }) => data),
    output_format: encoding.format,
    size: first.size,
  }
}

/** Names of OpenAI's models, which programs send by default. Those that are no engine stand for the default engine. */
const openAiModels = /^(?:chatgpt-image|dall-e|gpt-image)-/

/** Models of OpenAI whose images are links by default. An engine can have their names, for programs that know no others. */
const modelsWithLinks: ReadonlySet<string> = new Set(['dall-e-2', 'dall-e-3'])

interface StreamedImage {
  readonly operation: string
  readonly parameters: ImageParameters
  readonly id: string
}

/** Sends the previews of an image, as many as the request asks for, and the image, or the error of its generation. */
async function streamImage(
  request: ApiRequest,
  { operation, parameters, id }: StreamedImage,
  send: SendEvent,
): Promise<void> {
  const encoding = encodingOf(parameters)
  const { partial_images: partialImages = 0 } = parameters
  const sendImage = (type: string, base64: string, size: string, more: object) =>
    send({
      type: `${operation}.${type}`,
      ...more,
      b64_json: base64,
      background: 'opaque',
      created_at: nowInSeconds(request),
      output_format: encoding.format,
      quality: 'auto',
      size,
    })
  let sent = 0
  const onPreview = async (dataUrl: string) => {
    if (sent >= partialImages) return
    const base64 = await encodePreview(dataUrl, encoding)
    if (base64 === null) return
    sendImage('partial_image', base64, parameters.size ?? 'auto', { partial_image_index: sent })
    sent += 1
  }
  try {
    const { image, read } = await waitForImage(request, id, encoding, onPreview)
    sendImage('completed', await read(), `${image.width}x${image.height}`, { usage: noTokens })
  } catch (error) {
    if (request.signal.aborted) return
    const thrown = error instanceof Error ? error : new Error(String(error))
    request.logError(thrown)
    send({ type: 'error', ...openAiError(thrown, request.requestKey !== undefined).body })
  }
}

/**
 * Waits for an image, whichever process generates it.
 *
 * @returns the image, and a function that encodes it as base64
 * @throws AppError the error of the generation
 */
async function waitForImage(
  { caller, context, viewer, signal }: ApiRequest,
  id: string,
  encoding: Encoding,
  onPreview?: (dataUrl: string) => Promise<void>,
): Promise<{ readonly image: SucceededImage; readonly read: () => Promise<string> }> {
  const original = await context.services.generations.waitForOriginal(viewer, id, signal, async (event) => {
    if (event.type === 'preview') await onPreview?.(event.dataUrl)
  })
  const image = await caller.images.get({ id })
  if (!isSucceeded(image)) throw noSuchImage()
  const { engineKind: kind, model } = image
  const xmp = kind ? imageXmp({ kind, model }) : undefined
  return {
    image,
    read: async () =>
      toBase64(isStored(encoding) ? original : await encodeOriginal(async () => original, encoding, xmp)),
  }
}

function encodingOf({ output_format: format, output_compression: quality }: ImageParameters): Encoding {
  return { format, quality: format === 'png' || quality === 100 ? undefined : quality }
}

/** Encodes a preview as base64, in the format of the finished image; null if it is not readable. */
async function encodePreview(dataUrl: string, encoding: Encoding): Promise<string | null> {
  const [type = '', base64 = ''] = dataUrl.split(';base64,')
  if (type === `data:image/${encoding.format}`) return base64
  try {
    return toBase64(await encodeOriginal(async () => Buffer.from(base64, 'base64'), encoding, undefined))
  } catch (error) {
    // Engines send what they have so far; the image is still to come.
    if (error instanceof UnreadableImage) return null
    throw error
  }
}

function toBase64(bytes: Uint8Array | null): string {
  return Buffer.from(bytes ?? []).toString('base64')
}

function nowInSeconds({ context }: ApiRequest): number {
  return Math.floor(context.services.now() / 1_000)
}

/** Interval between comments that keep proxies from closing an idle stream, in milliseconds. */
const heartbeatMs = 10_000

/** Sends an event; its `type` is the name of the event, too. */
type SendEvent = (event: { readonly type: string; readonly [field: string]: unknown }) => void

/**
 * Creates a response of server-sent events.
 *
 * @param run sends the events until it resolves; `signal` is aborted when the client has disconnected.
 */
export function eventStream(run: (send: SendEvent, signal: AbortSignal) => Promise<void>): Response {
  const left = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (!left.signal.aborted) controller.enqueue(Buffer.from(text))
      }
      const heartbeat = setInterval(() => write(': waiting\n\n'), heartbeatMs)
      try {
        await run((event) => write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`), left.signal)
      } finally {
        // Writing to a stream that has failed would throw in the timer, which ends the process.
        clearInterval(heartbeat)
      }
      if (!left.signal.aborted) controller.close()
    },
    cancel: () => left.abort(),
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'private, no-cache, no-transform',
      // Makes nginx forward each event at once.
      'X-Accel-Buffering': 'no',
    },
  })
}
