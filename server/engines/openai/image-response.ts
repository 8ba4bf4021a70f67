import { EngineError, networkErrorOf } from '../engine-error.ts'
import {
  BoundedBuffer,
  decodeImage,
  imageMaxBytes,
  fieldsOf,
  isRecord,
  jsonMaxBytes,
  limitBytes,
  parseJson,
  readBytes,
  requireImage,
  retryDownload,
  streamMaxBytes,
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
  const chunks = limitBytes(body, streamMaxBytes)
  try {
    const first = await skipWhitespace(chunks)
    const all = prepend(first, chunks)
    if (/^\s*[a-z:]/.test(first.toString('latin1'))) {
      for await (const data of readEvents(all)) yield parseMessage(data)
    } else {
      yield parseMessage((await readBytes(all, jsonMaxBytes)).toString())
    }
  } finally {
    await chunks.return()
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

/** Maximum number of lines of a stream, most of which are comments that keep the connection open. */
const maxLines = 100_000

/**
 * Reads server-sent events and yields the data of each, up to `[DONE]`. The SDK's reader copies and searches the whole
 * buffered event with each chunk, which blocks the event loop for seconds with an image of 8 MB.
 */
async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const data = new BoundedBuffer(jsonMaxBytes)
  const partialLine = new BoundedBuffer(jsonMaxBytes)
  let lines = 0
  for await (const chunk of chunks) {
    for (const line of splitLines(partialLine, chunk)) {
      lines += 1
      if (lines > maxLines) throw new EngineError('engine_failed', 'the response has too many lines')
      appendData(data, line)
      if (line.length > 0 || data.length === 0) continue
      const event = data.take().toString()
      if (event.startsWith('[DONE]')) return
      yield event
    }
  }
  // Some servers omit the last line feeds. An event that was cut off fails to parse.
  appendData(data, withoutCarriageReturn(partialLine.take()))
  const last = data.take().toString()
  if (last !== '' && last !== '[DONE]') yield last
}

const dataField = Buffer.from('data:')
const space = 0x20
const lineFeed = Buffer.from('\n')
const carriageReturn = 0x0d

/** Appends the data of a line of an event, if it has any. */
function appendData(data: BoundedBuffer, line: Buffer): void {
  const { length } = dataField
  if (line.length < length || dataField.compare(line, 0, length) !== 0) return
  if (data.length > 0) data.append(lineFeed)
  data.append(line.subarray(line[length] === space ? length + 1 : length))
}

/** Splits a chunk into lines that end in LF or CRLF. The first continues `partial`, which gets what follows the last one. */
function* splitLines(partial: BoundedBuffer, chunk: Uint8Array): Generator<Buffer, void> {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
  let start = 0
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    partial.append(bytes.subarray(start, end))
    yield withoutCarriageReturn(partial.take())
    start = end + 1
  }
  partial.append(bytes.subarray(start))
}

function withoutCarriageReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
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

/**
 * Decodes or fetches the image of a response.
 *
 * @throws EngineError
 */
export async function loadImage(
  source: ImageSource,
  { origin }: URL,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if ('base64' in source) return decodeImage(source.base64)
  return fetchImage(source.url, { ownOrigin: origin, signal })
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

/** @throws EngineError if the host is not found or one of its addresses is not allowed */
async function pinHost(url: URL, rules: AddressRules): Promise<LookupFunction> {
  try {
    return await pinAddress(url, rules)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    const texts = {
      unknown: 'the host of the image is unknown',
      unresolved: 'the host of the image could not be looked up',
      not_allowed: 'the address of the image is not public',
    }
    throw new EngineError('engine_failed', texts[error.reason])
  }
}
