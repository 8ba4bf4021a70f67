import type { IncomingHttpHeaders } from 'node:http'
import { dollarsMax } from '../../../shared/limits.ts'
import {
  AddressError,
  type AddressRules,
  isPublicAddress,
  pinAddress,
  resolveHost,
} from '../../network/addresses.ts'
import { openRequest } from '../../network/open-request.ts'
import { timeoutSignal } from '../../tasks/shared-task.ts'
import { EngineError, networkErrorOf } from '../engine-error.ts'
import {
  decodeImage,
  decodePreview,
  imageMaxBytes,
  fieldsOf,
  isRecord,
  jsonMaxBytes,
  parseJson,
  readBytes,
  requireImage,
  retryDownload,
  streamMaxBytes,
  tooLarge,
} from '../engine-http.ts'
import { throwGatewayError } from './provider-errors.ts'

/** Image of a response: base64 or a data URL, or a URL to fetch it from. */
export type ImageSource = { readonly base64: string } | { readonly url: string }

/** Preview or image of a response. */
type Message =
  | { readonly type: 'partial'; readonly bytes: Uint8Array }
  | {
      /** `plain` responds to a request without streaming; some servers send it as the only event of a stream. */
      readonly type: 'completed' | 'plain'
      readonly source: ImageSource | null
      /** What the provider charged, in USD; undefined if it does not say. */
      readonly cost: number | undefined
    }

/**
 * Reads a response that is a stream of events or plain JSON. Its first character distinguishes them, because the content
 * type is often wrong: servers send JSON although a stream was requested, and streams as plain text. The SDK's reader copies
 * and searches the whole buffered event with each chunk, which blocks the event loop for seconds with an image of 8 MB.
 *
 * @throws ProviderError for an error that it reports; EngineError if the body is too large or not valid JSON
 */
export async function* readResponse(
  body: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
): AsyncGenerator<Message> {
  let isStream: boolean | null = null
  let text = ''
  for await (const line of readLines(body)) {
    // Some servers send white space to keep connections open.
    if (isStream === null && line.trim() === '') continue
    isStream ??= /^\s*[a-z:]/.test(line)
    if (!isStream) {
      text += `${line}\n`
    } else if (line.startsWith('data:')) {
      text += `${text && '\n'}${line.slice(5).replace(/^ /, '')}`
    } else if (line === '' && text !== '') {
      if (text.startsWith('[DONE]')) return
      yield* parseMessage(text, headers)
      text = ''
    }
    if (text.length > jsonMaxBytes) throw tooLarge()
  }
  // Some servers omit the last line feeds. An event that was cut off fails to parse.
  if (text !== '' && text !== '[DONE]') yield* parseMessage(text, headers)
}

/** Maximum number of lines of a response, most of which are comments that keep the connection open. */
const maxLines = 100_000

/** Yields the lines of a body, which end in LF or CRLF. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let partial = ''
  let bytes = 0
  let count = 0
  for await (const chunk of body) {
    bytes += chunk.length
    const lines = decoder.decode(chunk, { stream: true }).split('\n')
    lines[0] = partial + lines[0]
    partial = lines.pop() ?? ''
    count += lines.length
    if (bytes > streamMaxBytes || partial.length > jsonMaxBytes) throw tooLarge()
    if (count > maxLines) throw new EngineError('engine_failed', 'the response has too many lines')
    for (const line of lines) yield withoutCarriageReturn(line)
  }
  yield withoutCarriageReturn(partial)
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** Yields the message of a plain response or of one event, unless it is of another kind. */
function* parseMessage(text: string, headers: IncomingHttpHeaders): Generator<Message> {
  const body = parseJson(text)
  if (body === undefined) throw new EngineError('engine_failed', 'the response is not valid JSON')
  if (!isRecord(body)) return
  throwGatewayError(body, headers)
  const { type, data } = body
  const [, event] = /^image_(?:generation|edit)\.(\w+)$/.exec(String(type)) ?? []
  const cost = costOf(body)
  if (event === 'partial_image') {
    const source = findSource(body)
    const bytes = source && 'base64' in source ? decodePreview(source.base64) : null
    if (bytes) yield { type: 'partial', bytes }
  } else if (event === 'completed') {
    yield { type: 'completed', source: findSource(body), cost }
  } else if (Array.isArray(data)) {
    yield { type: 'plain', source: findSource(data[0]), cost }
  }
}

/** Reads what the provider charged, in USD; undefined if it does not say, or an amount that no image costs. */
export function costOf({ usage }: Record<string, unknown>): number | undefined {
  const { cost } = fieldsOf(usage)
  return typeof cost === 'number' && cost >= 0 && cost <= dollarsMax ? cost : undefined
}

function findSource(item: unknown): ImageSource | null {
  const { b64_json: base64, url } = fieldsOf(item)
  return typeof base64 === 'string' && base64 !== '' ? { base64 } : toImageSource(url)
}

/** Distinguishes data URLs from others; returns null for anything but a URL. */
export function toImageSource(url: unknown): ImageSource | null {
  if (typeof url !== 'string' || url === '') return null
  return url.startsWith('data:') ? { base64: url } : { url }
}

const maxRedirects = 3
const timeoutMs = 60_000
const headers = { accept: 'image/jpeg, image/png, image/webp', 'user-agent': 'Rangoli' }

interface FetchOptions {
  /** Origin of the configured endpoint, which may have any address. */
  readonly ownOrigin: string
  readonly signal: AbortSignal
  /** Defaults to the system's resolver and all public addresses. */
  readonly rules?: AddressRules
}

const publicAddresses: AddressRules = { resolve: resolveHost, isAllowed: isPublicAddress }

/** Decodes or fetches the image of a response. @throws EngineError */
export async function loadImage(
  source: ImageSource,
  { origin }: URL,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if ('base64' in source) return decodeImage(source.base64)
  return fetchEngineImage(source.url, { ownOrigin: origin, signal })
}

/**
 * Fetches the image at the URL in a response: without credentials, and only from public addresses or the endpoint's own
 * origin. The image has been paid for, so errors of the network or the host are retried.
 *
 * @throws EngineError
 */
export async function fetchEngineImage(url: string, options: FetchOptions): Promise<Uint8Array> {
  const timeout = timeoutSignal(timeoutMs)
  try {
    const signal = AbortSignal.any([options.signal, timeout])
    return await retryDownload(() => fetchOnce(url, { ...options, signal }), isRetryableFetch, signal)
  } catch (error) {
    if (timeout.aborted) throw new EngineError('engine_timeout', 'fetching the image took too long')
    if (error instanceof EngineError) throw error
    const reason = error instanceof AddressError ? `: ${error.message}` : ''
    throw new EngineError('engine_failed', `the image could not be fetched${reason}`, {
      networkError: networkErrorOf(error),
    })
  }
}

function isRetryableFetch(error: unknown): boolean {
  if (!(error instanceof EngineError)) return !(error instanceof AddressError)
  const { status = 0 } = error.facts
  return status === 429 || status >= 500
}

async function fetchOnce(
  address: string,
  { ownOrigin, signal, rules = publicAddresses }: FetchOptions,
): Promise<Uint8Array> {
  let url = parseUrl(address, ownOrigin)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const pin = url.origin === ownOrigin ? undefined : (target: URL) => pinAddress(target, rules)
    const incoming = await openRequest({ url, method: 'GET', headers, signal, pin })
    const { statusCode: status = 0 } = incoming
    if (status === 200) return requireImage(await readBytes(incoming, imageMaxBytes))
    incoming.destroy()
    const { location } = incoming.headers
    if (status < 300 || status >= 400 || location === undefined) {
      throw new EngineError('engine_failed', 'the host of the image responded with an error', { status })
    }
    url = parseUrl(location, url.href)
  }
  throw new EngineError('engine_failed', 'the URL of the image redirects too often')
}

function parseUrl(address: string, base: string): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new EngineError('engine_failed', 'the URL of the image is not valid')
}
