import { cleanText } from '../../text/clean-text.ts'
import { EngineError } from '../engine-error.ts'
import { isRecord, parseJson } from '../engine-http.ts'
import { providerError, readError } from '../openai/engine-errors.ts'
import { toImageSource, type ImageSource } from '../openai/image-response.ts'

/** Image of a chat completion, and the model that generated it. */
interface ChatImage {
  readonly source: ImageSource
  /** Null if the response does not name it. */
  readonly model: string | null
}

/**
 * Finds the image of a chat completion.
 *
 * @param text body of the response
 * @param secrets strings that a message for the user must not contain
 * @throws EngineError if there is none
 */
export function readChatImage(text: string, headers: Headers, secrets: readonly string[]): ChatImage {
  const body = parseJson(text)
  if (!isRecord(body)) throw new EngineError('engine_failed', 'the response is not valid JSON')
  // Gateways respond with status 200 before the provider has failed.
  throwIfError(body, headers)
  const choice: unknown = Array.isArray(body['choices']) ? body['choices'][0] : undefined
  if (!isRecord(choice)) throw new EngineError('engine_failed', 'the response contains no choice')
  throwIfError(choice, headers)
  const message = isRecord(choice['message']) ? choice['message'] : {}
  const source = findImage(message)
  if (source) return { source, model: findModel(body, secrets) }
  if (choice['finish_reason'] === 'content_filter') {
    throw new EngineError('prompt_blocked', 'the content filter of the model blocked the image')
  }
  throw noImage(quotable(findText(message)), secrets)
}

function throwIfError(holder: Record<string, unknown>, headers: Headers): void {
  const { error } = holder
  // Some servers send `error: null` with every response.
  if (!error) return
  const code = isRecord(error) ? Number(error['code']) : Number.NaN
  const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined
  throw providerError(status, readError({ error }), headers)
}

/** Finds the first image, in OpenRouter's `images` or among the parts of the content. */
function findImage({ images, content }: Record<string, unknown>): ImageSource | null {
  for (const part of [images, content].flat()) {
    const image = isRecord(part) ? part['image_url'] : null
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
