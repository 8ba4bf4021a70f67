import type { Logger } from 'pino'
import type { EngineConfig } from '../../config/engine-section.ts'
import { seedMax } from '../../../shared/limits.ts'
import { EngineError, type StatusError, statusError, unknownModel } from '../engine-error.ts'
import { fieldsOf, jsonMaxBytes, parseJson, readBytes, toImageUrl } from '../engine-http.ts'
import {
  type EngineEvent,
  type EngineRequest,
  type EngineStatus,
  type ImageEngine,
  knownSettings,
  promptOnly,
} from '../image-engine.ts'
import { noReferences } from '../openai/image-request.ts'
import { loadImage, readResponse } from '../openai/image-response.ts'
import { connect, type Connection, send } from '../openai/openai-client.ts'
import { ProviderError } from '../openai/provider-errors.ts'
import { RejectedParameters, sendRequest } from '../openai/send-request.ts'
import { createProviderEngine } from '../provider-engine.ts'
import { formatFor, type ListedModel, ModelList, unionOf } from './model-list.ts'

export type OpenRouterOptions = EngineConfig<'openrouter'> & {
  readonly log: Logger
  /** File with the last list of models; null to keep none. */
  readonly listFile: string | null
  /** Timeout of a request for the list, in milliseconds; 5 seconds by default. */
  readonly listTimeoutMs?: number
}

/**
 * Creates an engine for OpenRouter's Image API.
 *
 * @see https://openrouter.ai/docs/guides/overview/multimodal/image-generation
 */
export function createOpenRouterEngine(options: OpenRouterOptions): ImageEngine {
  const { url, apiKey, models: offered, log, listFile: file, listTimeoutMs: timeoutMs } = options
  const connection = connect(url, apiKey)
  const list = new ModelList({ connection, offered, file, timeoutMs, log })
  return createProviderEngine(options, connection, {
    // Those of the models are listed.
    capabilities: promptOnly,
    hasModelDetails: true,
    reportsCost: true,
    async check(signal): Promise<EngineStatus> {
      await checkKey(connection, signal)
      const models = await list.read(signal)
      return {
        models: models.map(({ id }) => id),
        capabilities: unionOf(models),
        modelDetails: Object.fromEntries(models.map(({ id, details }) => [id, details])),
      }
    },
    async *generate(request, signal) {
      const models = await list.read(signal)
      const model = request.model === null ? models[0] : models.find(({ id }) => id === request.model)
      if (!model) throw unknownModel(notListed, request.model ?? '')
      yield* generateImage({ connection, log }, model, request, signal)
    },
  })
}

/** Checks the key and its credit, free of charge. @throws ProviderError, EngineError `engine_out_of_credit` */
async function checkKey(connection: Connection, signal: AbortSignal): Promise<void> {
  const response = await send(connection, { path: '/key', signal })
  const body = parseJson((await readBytes(response, jsonMaxBytes)).toString())
  const { limit_remaining: left } = fieldsOf(fieldsOf(body)['data'])
  if (typeof left === 'number' && left <= 0) {
    throw new EngineError('engine_out_of_credit', 'the credit limit of the key is used up')
  }
}

/** @throws EngineError, or a system error of the connection */
async function* generateImage(
  { connection, log }: { readonly connection: Connection; readonly log: Logger },
  model: ListedModel,
  request: EngineRequest,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const json = bodyOf(model, request)
  try {
    const { response } = await sendRequest(
      {
        prompt: request.prompt,
        // The list says what the model takes: nothing is left out.
        choose: () => ({}),
        byValue: [],
        rejected: new RejectedParameters(),
        send: () => send(connection, { path: '/images', json, signal }),
        log,
      },
      signal,
    )
    for await (const message of readResponse(response, response.headers)) {
      if (message.type === 'partial') {
        yield message
        continue
      }
      const { source, cost } = message
      if (!source) throw new EngineError('engine_failed', 'the response contains no image')
      if ('base64' in source && isSvg(source.base64)) throw vectorImage()
      const bytes = await loadImage(source, connection.base, signal)
      yield { type: 'complete', bytes, settings: knownSettings({ model: model.id, seed: json.seed, cost }) }
      return
    }
  } catch (error) {
    throw error instanceof ProviderError ? describe(error, model.id) : error
  }
  throw new EngineError('engine_failed', 'the response ended without an image')
}

/** Returns the body of a request, with the fields that the model has. @throws EngineError */
function bodyOf(model: ListedModel, { prompt, seed, size, references, parameters }: EngineRequest) {
  const { fields } = model
  if (references.length > 0 && !fields.has('input_references'))
    throw noReferences('the model takes no references')
  const format = formatFor(model, parameters['background'] === 'transparent')
  const pixels = fields.has('size') ? size : null
  // Pixels are binding: the provider rejects fields that disagree with them.
  const isSent = (name: string) =>
    fields.has(name) && !(pixels && ['aspect_ratio', 'resolution'].includes(name))
  return {
    model: model.id,
    prompt,
    ...Object.fromEntries(Object.entries(parameters).filter(([name]) => isSent(name))),
    ...(fields.has('seed') && seed !== null && { seed: seedWithin(model, seed) }),
    ...(pixels && { size: `${pixels.width}x${pixels.height}` }),
    ...(references.length > 0 && { input_references: references.map(toImageUrl) }),
    ...(format !== undefined && { output_format: format }),
    ...(model.details.capabilities.previews && { stream: true }),
  }
}

/** Maps a seed to one that the model takes: the same for the same seed. */
function seedWithin({ seeds }: ListedModel, seed: number): number {
  const min = Math.max(0, seeds?.min ?? 0)
  const max = seeds?.max ?? seedMax
  return seed >= min && seed <= max ? seed : min + (seed % (max - min + 1))
}

/** Reports whether base64, or a data URL, is an SVG document, which may be of any size once it is drawn. */
function isSvg(base64: string): boolean {
  const start = Buffer.from(base64.replace(/^data:[^,]{0,100},/, '').slice(0, 400), 'base64').toString()
  return /^\s*<(\?xml|svg|!)/i.test(start)
}

function vectorImage(): EngineError {
  const message = 'This model draws vector images, which this site cannot store. Choose another model.'
  return new EngineError('engine_failed', 'the response contains an SVG', {}, message)
}

const notListed = 'the image service does not list the model'

const tooLarge = 'The reference images are too large for this model. Remove some.'

const statusErrors: readonly StatusError[] = [
  [/^413/, 'engine_failed', 'the request is too large', tooLarge],
  [/^524/, 'engine_timeout', 'the provider of the model took too long'],
  [/^529/, 'engine_busy', 'the provider of the model is overloaded'],
]

/** Returns the error of a response in the words of this API; others keep those of their class. */
function describe(error: ProviderError, model: string): EngineError {
  const { status = 0 } = error.facts
  if (status === 404) return unknownModel(notListed, model)
  if (!statusErrors.some(([pattern]) => pattern.test(String(status)))) return error
  const { code, message, userMessage } = statusError(status, statusErrors)
  return new EngineError(code, message, error.facts, userMessage)
}
