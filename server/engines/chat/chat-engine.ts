import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import type { EngineConfig } from '../../config/engine-section.ts'
import type { EngineCapabilities, ImageSize } from '../../../shared/engines.ts'
import { EngineError } from '../engine-error.ts'
import { fieldsOf, isRecord, jsonMaxBytes, listOf, parseJson, readBytes, toImageUrl } from '../engine-http.ts'
import {
  type EngineEvent,
  type EngineRequest,
  type ImageEngine,
  knownSettings,
  promptOnly,
} from '../image-engine.ts'
import { ProviderError, throwGatewayError } from '../openai/provider-errors.ts'
import { costOf, type ImageSource, loadImage, toImageSource } from '../openai/image-response.ts'
import { noReferences } from '../openai/image-request.ts'
import { checkConnection, connect, type Connection, send } from '../openai/openai-client.ts'
import { RejectedParameters, sendRequest } from '../openai/send-request.ts'
import { createProviderEngine } from '../provider-engine.ts'
import { cleanText } from '../../text/clean-text.ts'

/** Aspect ratios, with the sizes that Gemini's image models have for them. The default is first. */
const aspectRatios: readonly { readonly size: ImageSize; readonly ratio: string }[] = [
  { size: '1024x1024', ratio: '1:1' },
  { size: '832x1248', ratio: '2:3' },
  { size: '1248x832', ratio: '3:2' },
  { size: '864x1184', ratio: '3:4' },
  { size: '1184x864', ratio: '4:3' },
  { size: '768x1344', ratio: '9:16' },
  { size: '1344x768', ratio: '16:9' },
  { size: '1536x672', ratio: '21:9' },
]

const capabilities: EngineCapabilities = {
  ...promptOnly,
  sizes: aspectRatios.map(({ size }) => size),
  referenceImages: 4,
}

/**
 * Creates an engine for chat completions with image output.
 *
 * @see https://openrouter.ai/docs/guides/overview/multimodal/image-generation
 */
export function createChatEngine(options: EngineConfig<'chat'> & { readonly log: Logger }): ImageEngine {
  const connection = connect(options.url, options.apiKey)
  const sender = { ...options, connection, rejected: new RejectedParameters() }
  return createProviderEngine(options, connection, {
    capabilities,
    check: (signal) => checkConnection(connection, options.model, signal),
    async *generate(request, signal) {
      yield await generateImage(sender, request, signal)
    },
  })
}

interface Sender {
  readonly connection: Connection
  readonly model: string
  readonly log: Logger
  readonly rejected: RejectedParameters
}

/** @throws EngineError, or a system error of the connection */
async function generateImage(
  { connection, model, log, rejected }: Sender,
  { prompt, size, references }: EngineRequest,
  signal: AbortSignal,
): Promise<EngineEvent> {
  const required = { model, messages: [{ role: 'user', content: contentOf(prompt, references) }] }
  const imageConfig = { aspect_ratio: aspectRatioOf(size) }
  const { response } = await sendRequest(
    {
      prompt,
      choose: (isRejected) => ({
        ...(!isRejected('modalities') && {
          modalities: isRejected('modalities.text') ? ['image'] : ['image', 'text'],
        }),
        ...(!isRejected('image_config', imageConfig) && { image_config: imageConfig }),
      }),
      byValue: ['image_config'],
      rejected,
      async send(parameters) {
        try {
          const json = { ...required, ...parameters }
          return await send(connection, { path: '/chat/completions', json, signal })
        } catch (thrown) {
          // OpenRouter's response if no provider of the model takes images.
          const takesNone =
            thrown instanceof ProviderError && /support image input/i.test(thrown.body.message ?? '')
          throw takesNone && references.length > 0 ? noReferences('the model takes no images') : thrown
        }
      },
      log,
    },
    signal,
  )
  const text = await readBytes(response, jsonMaxBytes)
  const { source, settings } = readChatImage(text.toString(), response.headers, connection.secrets)
  return { type: 'complete', bytes: await loadImage(source, connection.base, signal), settings }
}

function contentOf(prompt: string, references: readonly Uint8Array[]) {
  if (references.length === 0) return prompt
  return [{ type: 'text', text: prompt }, ...references.map(toImageUrl)]
}

function aspectRatioOf(size: EngineRequest['size']): string {
  const wanted = size === null ? 1 : size.width / size.height
  const distance = (ratio: string) => {
    const [width = 1, height = 1] = ratio.split(':').map(Number)
    return Math.abs(Math.log(wanted / (width / height)))
  }
  const ratios = aspectRatios.map(({ ratio }) => ratio)
  return ratios.reduce((nearest, ratio) => (distance(ratio) < distance(nearest) ? ratio : nearest))
}

/**
 * Finds the image of a chat completion.
 *
 * @param text body of the response
 * @param secrets strings that a message for the user must not contain
 * @returns the image, and the model that generated it and its cost, as far as the response has them
 * @throws EngineError if there is none
 */
function readChatImage(text: string, headers: IncomingHttpHeaders, secrets: readonly string[]) {
  const body = parseJson(text)
  if (!isRecord(body)) throw new EngineError('engine_failed', 'the response is not valid JSON')
  // Gateways respond with status 200 before the provider has failed.
  throwGatewayError(body, headers)
  const [choice] = listOf(body['choices'])
  if (!isRecord(choice)) throw new EngineError('engine_failed', 'the response contains no choice')
  throwGatewayError(choice, headers)
  const message = fieldsOf(choice['message'])
  const source = findImage(message)
  const settings = knownSettings({ model: findModel(body, secrets), cost: costOf(body) })
  if (source) return { source, settings }
  if (choice['finish_reason'] === 'content_filter') {
    throw new EngineError('prompt_blocked', 'the content filter of the model blocked the image')
  }
  throw noImage(quotable(findText(message)), secrets)
}

/** Finds the first image, in OpenRouter's `images` or among the parts of the content. */
function findImage({ images, content }: Record<string, unknown>): ImageSource | null {
  for (const part of [images, content].flat()) {
    const { image_url: image } = fieldsOf(part)
    const source = toImageSource(isRecord(image) ? image['url'] : image)
    if (source) return source
  }
  return null
}

function findModel({ model }: Record<string, unknown>, secrets: readonly string[]): string | null {
  const isName = typeof model === 'string' && /^[\w./:@+-]{1,200}$/.test(model)
  return isName && !secrets.some((secret) => model.includes(secret)) ? model : null
}

/** Finds what the model wrote in place of an image. */
function findText({ refusal, content }: Record<string, unknown>): string {
  const parts: unknown[] = [refusal, content].flat()
  return parts
    .map((part) => (isRecord(part) ? part['text'] : part))
    .filter((part) => typeof part === 'string')
    .join(' ')
}

/** Maximum length of a quoted text, in UTF-16 code units. */
const quoteMaxLength = 300

/** Puts a text of any content on one line, and shortens it. */
function quotable(text: string): string {
  // A longer text is cut before it is cleaned, which takes a while.
  const line = cleanText(text.slice(0, 4 * quoteMaxLength)).replaceAll(/\s+/g, ' ')
  if (line.length <= quoteMaxLength) return line
  const halfPair = /[\ud800-\udbff]$/
  return `${line.slice(0, quoteMaxLength - 1).replace(halfPair, '')}…`
}

function noImage(text: string, secrets: readonly string[]): EngineError {
  const isQuoted = text !== '' && !secrets.some((secret) => text.includes(secret))
  return new EngineError(
    'engine_failed',
    text === '' ? 'the response contains no image' : 'the response contains a text, but no image',
    {},
    isQuoted ? `The model generated no image. It answered: “${text}”.` : undefined,
  )
}
