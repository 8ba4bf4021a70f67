import { EngineError } from '../engine-error.ts'
import { isRecord, readBytes } from '../engine-http.ts'
import { jsonMaxBytes } from '../engine-image.ts'
import { readError, type ErrorBody } from './engine-errors.ts'

/** Image of a response: base64 or a data URL, or a URL to fetch it from. */
export type ImageSource = { readonly base64: string } | { readonly url: string }

/** Parsed JSON of a plain response or of one event; `source` is null if the image is missing. */
export type Message =
  | { readonly type: 'partial'; readonly source: ImageSource | null }
  /** Last event of a stream. */
  | { readonly type: 'completed'; readonly source: ImageSource | null }
  /** Response to a request without streaming; some servers send it as the only event of a stream. */
  | { readonly type: 'plain'; readonly source: ImageSource | null }
  | { readonly type: 'error'; readonly error: ErrorBody }
  | { readonly type: 'other' }

/**
 * Reads a response that is a stream of events or plain JSON. Its first character tells them apart, because the content
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
  const body = parseJsonOrThrow(text)
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

function parseJsonOrThrow(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EngineError('engine_failed', 'the response is not valid JSON')
  }
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
