import type { Logger } from 'pino'
import type { EngineEvent, ImageEngine } from '../image-engine.ts'
import { EngineError } from '../engine-error.ts'
import { withPlainPrompts } from '../loras.ts'
import { createProviderEngine } from '../provider-engine.ts'
import type { EngineConfig } from '../../config/engine-section.ts'
import { loadImage, readResponse } from './image-response.ts'
import {
  capabilitiesOf,
  type ImageInput,
  isXaiModel,
  routeOf,
  type Sender,
  sendImageRequest,
} from './image-request.ts'
import { checkConnection, connect, customHeaders } from './openai-client.ts'
import { RejectedParameters } from './send-request.ts'

/**
 * Creates an engine for OpenAI or any server that implements its Images API.
 *
 * @see https://platform.openai.com/docs/api-reference/images
 */
export function createOpenAiEngine(
  options: Omit<EngineConfig<'openai'>, 'kind'> & { readonly log: Logger },
): ImageEngine {
  const { apiKey, baseUrl, model, log } = options
  const { headers, ...server } = connect(baseUrl, apiKey)
  const connection = { ...server, headers: { ...headers, ...customHeaders() } }
  const rejected = { generations: new RejectedParameters(), edits: new RejectedParameters() }
  return createProviderEngine({ ...options, kind: 'openai' }, connection, {
    capabilities: capabilitiesOf(connection, model),
    check: (signal) => checkConnection(connection, model, signal),
    generate(request, signal) {
      return generateImage({ connection, model, log, rejected }, withPlainPrompts(request, null), signal)
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
  sender: Sender,
  input: ImageInput,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const { connection, model, log, rejected } = sender
  const { response, parameters } = await sendImageRequest(sender, input, signal)
  let isCompletedEmpty = false
  for await (const message of readResponse(response, response.headers)) {
    if (message.type === 'partial') {
      yield message
    } else if (message.source) {
      yield { type: 'complete', bytes: await loadImage(message.source, connection.base, signal) }
      return
    } else if (message.type === 'plain') {
      // xAI's response for a blocked prompt.
      const code = isXaiModel(model) ? 'prompt_blocked' : 'engine_failed'
      throw new EngineError(code, 'the response contains no image')
    } else {
      isCompletedEmpty = true
      break
    }
  }
  if (!isCompletedEmpty || !parameters.stream) {
    throw new EngineError('engine_failed', 'the response ended without an image')
  }
  log.info('the image service sent a stream without an image; requesting no stream for an hour')
  rejected[routeOf(input)].add('stream')
  yield* generateImage(sender, input, signal)
}
