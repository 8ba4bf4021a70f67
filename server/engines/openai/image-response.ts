import { EngineError, networkErrorOf } from '../engine-error.ts'
import {
  decodeImage,
  imageMaxBytes,
  isRecord,
  jsonMaxBytes,
  parseJson,
  readBytes,
  requireImage,
  retryDownload,
} from '../engine-http.ts'
import { type ErrorBody, readError } from './provider-errors.ts'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import {
  AddressError,
  type AddressRules,
  isPublicAddress,
  pinAddress,
  resolveHost,
} from '../../network/addresses.ts'
import { openRequest } from '../../network/open-request.ts'
import type { Endpoint } from './openai-client.ts'

/** Image of a response: base64 or a data URL, or a URL to fetch it from. */
export type ImageSource = { readonly base64: string } | { readonly url: string }

/** Parsed JSON of a plain response or of one event; `source` is null if the image is missing. */
type Message =
  | { readonly type: 'partial'; readonly source: ImageSource | null }
  /** Last event of a stream. */
  | { readonly type: 'completed'; readonly source: ImageSource | null }
  /** Response to a request without streaming; some servers send it as the only event of a stream. */
  | { readonly type: 'plain'; readonly source: ImageSource | null }
  | { readonly type: 'error'; readonly error: ErrorBody }
  | { readonly type: 'other' }

/**
 * Reads a response that is a stream of events or plain JSON. Its first character distinguishes them, because the content
 * type is often wrong: servers send JSON although a stream was requested, and streams as plain text.
 *
 * @throws EngineError if the body is too large or not valid JSON
 */
export async function* readResponse(body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    const first = await skipWhitespace(chunks)
    const all = prepend(first, chunks)
    if (/^\s*[a-z:]/.test(first.toString('latin1'))) {
      for await (const data of readEvents(all)) yield parseMessage(data)
    } else {
      yield parseMessage((await readBytes(all, jsonMaxBytes)).toString())
    }
  } finally {
    await chunks.return?.()
  }
}

/** Returns the first chunk with a character other than white space, which some servers send to keep connections open. */
async function skipWhitespace(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  for (;;) {
    const next = await chunks.next()
    if (next.done) return Buffer.alloc(0)
    const chunk = Buffer.from(next.value)
    if (/\S/.test(chunk.toString('latin1'))) return chunk
  }
}

async function* prepend(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}

/**
 * Reads server-sent events and yields the data of each, up to `[DONE]`. The SDK's reader copies and searches the whole
 * buffered event with each chunk, which blocks the event loop for seconds with an image of 8 MB.
 */
async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of readLines(chunks)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    if (line !== '' || data.length === 0) continue
    const event = data.join('\n')
    if (event.startsWith('[DONE]')) return
    yield event
    data = []
  }
  // Some servers omit the last blank line. An event that was cut off fails to parse.
  if (data.length > 0 && data[0] !== '[DONE]') yield data.join('\n')
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Splits chunks into lines that end in LF or CRLF. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let partial: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield decodeLine([...partial, chunk.subarray(start, end)])
      partial = []
      length = 0
      start = end + 1
    }
    length += chunk.length - start
    if (length > jsonMaxBytes) {
      throw new EngineError('engine_failed', 'an event of the response is too large')
    }
    partial.push(chunk.subarray(start))
  }
  if (length > 0) yield decodeLine(partial)
}

function decodeLine(parts: Uint8Array[]): string {
  const line = Buffer.concat(parts)
  return line.toString('utf8', 0, line.at(-1) === carriageReturn ? line.length - 1 : line.length)
}

function parseMessage(text: string): Message {
  const body = parseJson(text)
  if (body === undefined) throw new EngineError('engine_failed', 'the response is not valid JSON')
  if (!isRecord(body)) return { type: 'other' }
  const { type, error, data } = body
  // Some servers send `error: null` with every response.
  if (error || type === 'error') return { type: 'error', error: readError(body) }
  if (isEventOf(type, 'partial_image')) return { type: 'partial', source: findSource(body) }
  if (isEventOf(type, 'completed')) return { type: 'completed', source: findSource(body) }
  return Array.isArray(data) ? { type: 'plain', source: findSource(data[0]) } : { type: 'other' }
}

/** Reports whether the type of an event is the given one, of a generation or of an edit. */
function isEventOf(type: unknown, name: string): boolean {
  return type === `image_generation.${name}` || type === `image_edit.${name}`
}

function findSource(item: unknown): ImageSource | null {
  if (!isRecord(item)) return null
  const { b64_json: base64, url } = item
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

/**
 * Decodes or fetches the image of a response.
 *
 * @throws EngineError
 */
export async function loadImage(
  source: ImageSource,
  endpoint: Pick<Endpoint, 'origin'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if ('base64' in source) return decodeImage(source.base64)
  return fetchImage(source.url, { ownOrigin: endpoint.origin, signal })
}

/**
 * Fetches the image at the URL in a response: without credentials, and only from public addresses or the endpoint's own
 * origin. The image has been paid for, so errors of the network or the host are retried.
 *
 * @throws EngineError
 */
export async function fetchImage(url: string, options: FetchOptions): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const signal = AbortSignal.any([options.signal, timeout])
    return await retryDownload(() => fetchOnce(url, { ...options, signal }), isTransient, signal)
  } catch (error) {
    if (timeout.aborted) throw new EngineError('engine_timeout', 'fetching the image took too long')
    if (error instanceof EngineError) throw error
    throw new EngineError('engine_failed', 'the image could not be fetched', {
      networkError: networkErrorOf(error),
    })
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof EngineError ? (error.facts.status ?? 0) >= 500 : true
}

async function fetchOnce(address: string, options: FetchOptions): Promise<Uint8Array> {
  let url = parseUrl(address, options.ownOrigin)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const incoming = await openUrl(url, options)
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

async function openUrl(
  url: URL,
  { ownOrigin, signal, rules = publicAddresses }: FetchOptions,
): Promise<IncomingMessage> {
  const request = { url, method: 'GET', headers, signal } as const
  if (url.origin === ownOrigin) return openRequest(request)
  return openRequest({ ...request, lookup: await pinHost(url, rules) })
}

/** @throws EngineError if the host is unknown or one of its addresses is not allowed */
async function pinHost(url: URL, rules: AddressRules): Promise<LookupFunction> {
  try {
    return await pinAddress(url, rules)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    const isUnknown = error.reason === 'unknown'
    throw new EngineError(
      'engine_failed',
      isUnknown ? 'the host of the image is unknown' : 'the address of the image is not public',
    )
  }
}
