import type { Logger } from 'pino'
import { cleanPrompt } from '../clean-prompt.ts'
import { EngineError } from '../engine-error.ts'
import { decodeImage } from '../engine-image.ts'
import type { OpenAiSettings } from '../../config/engine-section.ts'
import type { EngineEvent, ImageEngine } from '../image-engine.ts'
import { providerError } from './engine-errors.ts'
import { loadImage } from './fetch-image.ts'
import { routeOf, sendImageRequest, type ImageInput, type Sender } from './image-request.ts'
import { readResponse, type ImageSource } from './image-response.ts'
import { capabilitiesOf, isXaiModel } from './openai-capabilities.ts'
import { createOpenAiClient, parseEndpoint } from './openai-client.ts'
import { createProviderEngine } from './provider-engine.ts'
import { RejectedParameters } from './send-request.ts'

export interface OpenAiEngineOptions {
  readonly id: string
  readonly label: string
  /** Bearer token; null for servers without authentication. */
  readonly apiKey: string | null
  /** URL to which the SDK appends '/images/generations'; null for OpenAI's endpoint. */
  readonly baseUrl: string | null
  /** Sent unchanged; the provider validates it. */
  readonly model: string
  /** Names of the settings in the log. */
  readonly settings: OpenAiSettings
  readonly log: Logger
}

/**
 * Creates an engine for OpenAI or any server that implements its Images API.
 *
 * @see https://platform.openai.com/docs/api-reference/images
 */
export function createOpenAiEngine({
  id,
  label,
  apiKey,
  baseUrl,
  model,
  settings,
  log,
}: OpenAiEngineOptions): ImageEngine {
  const endpoint = parseEndpoint(baseUrl)
  const client = createOpenAiClient(endpoint, apiKey)
  const generator = {
    client,
    endpoint,
    model,
    log,
    rejected: { generations: new RejectedParameters(), edits: new RejectedParameters() },
  }

  return createProviderEngine(
    {
      id,
      kind: 'openai',
      label,
      model,
      capabilities: capabilitiesOf(endpoint, model),
      client,
      endpoint,
      secrets: apiKey === null ? [] : [apiKey],
      settings,
      log,
    },
    async function* generate(request, signal) {
      const prompt = cleanPrompt(request.prompt)
      if (prompt === '') throw new EngineError('prompt_blocked', 'the prompt contains only parameters')
      yield* generateImage(generator, { ...request, prompt }, signal)
    },
  )
}

interface ImageGenerator extends Sender {
  /** Called when the response with the finished image, or its URL, has arrived. */
  readonly onImage?: (form: 'base64' | 'url') => void
}

/**
 * Generates one image, with previews if the endpoint sends them. If a stream completes without an image, sends one request
 * without streaming, and requests no stream from this endpoint for an hour.
 *
 * @throws EngineError, or a system error of the connection
 */
export async function* generateImage(
  generator: ImageGenerator,
  input: ImageInput,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const { response, parameters } = await sendImageRequest(generator, input, signal)
  let isCompletedEmpty = false
  for await (const message of readResponse(response.body ?? ReadableStream.from<Uint8Array>([]))) {
    if (message.type === 'error') throw providerError(undefined, message.error, response.headers)
    if (message.type === 'partial') yield* decodePreview(message.source)
    if (message.type !== 'completed' && message.type !== 'plain') continue
    if (message.source) {
      generator.onImage?.('base64' in message.source ? 'base64' : 'url')
      yield { type: 'complete', bytes: await loadImage(message.source, generator.endpoint, signal) }
      return
    }
    if (message.type === 'plain') throw emptyResponse(generator.model)
    isCompletedEmpty = true
    break
  }
  if (!isCompletedEmpty || !parameters.stream) {
    throw new EngineError('engine_failed', 'the response ended without an image')
  }
  generator.log.info('the image service sent a stream without an image; requesting no stream for an hour')
  generator.rejected[routeOf(input)].add('stream')
  yield* generateImage(generator, input, signal)
}

/** Yields a preview; skips invalid ones, because the image may still arrive. */
function* decodePreview(source: ImageSource | null): Generator<EngineEvent> {
  if (!source || !('base64' in source)) return
  try {
    yield { type: 'partial', bytes: decodeImage(source.base64) }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
}

/** Creates the error for a response without an image, which xAI sends for a blocked prompt. */
function emptyResponse(model: string): EngineError {
  const code = isXaiModel(model) ? 'prompt_blocked' : 'engine_failed'
  return new EngineError(code, 'the response contains no image')
}
