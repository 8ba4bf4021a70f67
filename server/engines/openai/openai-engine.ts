import type { Logger } from 'pino'
import { cleanPrompt, type EngineEvent, type ImageEngine } from '../image-engine.ts'
import { EngineError } from '../engine-error.ts'
import { decodePreview } from '../engine-http.ts'
import type { OpenAiEngineConfig } from '../../config/engine-section.ts'
import { ProviderError } from './provider-errors.ts'
import { loadImage, readResponse } from './image-response.ts'
import {
  capabilitiesOf,
  type ImageInput,
  isXaiModel,
  routeOf,
  type Sender,
  sendImageRequest,
} from './image-request.ts'
import { connect, createModelEngine } from './openai-client.ts'
import { RejectedParameters } from './send-request.ts'

type OpenAiEngineOptions = Omit<OpenAiEngineConfig, 'kind'> & { readonly log: Logger }

/**
 * Creates an engine for OpenAI or any server that implements its Images API.
 *
 * @see https://platform.openai.com/docs/api-reference/images
 */
export function createOpenAiEngine(options: OpenAiEngineOptions): ImageEngine {
  const { id, label, apiKey, baseUrl, model, settings, log } = options
  const connection = connect(baseUrl, apiKey)
  const rejected = { generations: new RejectedParameters(), edits: new RejectedParameters() }
  return createModelEngine({
    id,
    kind: 'openai',
    label,
    model,
    capabilities: capabilitiesOf(connection, model),
    connection,
    settings,
    log,
    generate(request, signal) {
      const prompt = cleanPrompt(request.prompt)
      if (prompt === '') throw new EngineError('prompt_blocked', 'the prompt contains only parameters')
      return generateImage({ connection, model, log, rejected }, { ...request, prompt }, signal)
    },
  })
}

/**
 * Generates one image, with previews if the endpoint sends them. If a stream completes without an image, sends one request
 * without streaming, and requests no stream from this endpoint for an hour.
 *
 * @throws EngineError, or a system error of the connection
 */
async function* generateImage(
  generator: Sender,
  input: ImageInput,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const { response, parameters } = await sendImageRequest(generator, input, signal)
  let isCompletedEmpty = false
  for await (const message of readResponse(response)) {
    if (message.type === 'error') throw new ProviderError(undefined, message.error, response.headers)
    if (message.type === 'partial' && message.source && 'base64' in message.source) {
      const bytes = decodePreview(message.source.base64)
      if (bytes) yield { type: 'partial', bytes }
    }
    if (message.type !== 'completed' && message.type !== 'plain') continue
    if (message.source) {
      yield { type: 'complete', bytes: await loadImage(message.source, generator.connection.base, signal) }
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

/** Creates the error for a response without an image, which xAI sends for a blocked prompt. */
function emptyResponse(model: string): EngineError {
  const code = isXaiModel(model) ? 'prompt_blocked' : 'engine_failed'
  return new EngineError(code, 'the response contains no image')
}
