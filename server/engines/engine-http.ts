import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { openRequest } from '../network/open-request.ts'
import { timeoutSignal } from '../tasks/shared-task.ts'
import { EngineError, isTransient } from './engine-error.ts'
import { sniffFormat } from '../formats/image-files.ts'

export function tooLarge(): EngineError {
  return new EngineError('engine_failed', 'the response is too large')
}

/**
 * Reads a body to its end, into one growing buffer: small chunks take hundreds of times the memory of their bytes.
 *
 * @throws EngineError if it is longer than `maxBytes`
 */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  let length = 0
  for await (const chunk of chunks) {
    const end = length + chunk.length
    if (end > maxBytes) throw tooLarge()
    if (end > bytes.length) {
      const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(end, 2 * bytes.length)))
      bytes.copy(grown, 0, 0, length)
      bytes = grown
    }
    bytes.set(chunk, length)
    length = end
  }
  return bytes.subarray(0, length)
}

/** Reads an error response up to a megabyte. One that is longer or cut off still has a status; its text is empty. */
export async function readErrorText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await readBytes(chunks, 1_000_000).catch(() => '')
  return bytes.toString()
}

/** Sends a request with a time limit. @throws EngineError `engine_unavailable` after `timeoutMs`, or the reason of `signal` */
export async function withTimeout<Result>(
  timeoutMs: number,
  signal: AbortSignal,
  send: (limited: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = timeoutSignal(timeoutMs)
  try {
    return await send(AbortSignal.any([signal, timeout]))
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) throw new EngineError('engine_unavailable', 'the server does not respond')
    throw error
  }
}

/** Maximum number of values, lists and objects of JSON: parsing more, such as millions of arrays, takes seconds. */
const structureMax = 1_000_000

/** Parses JSON of a server; returns undefined for invalid JSON, and for one that takes seconds to parse. */
export function parseJson(text: string): unknown {
  if (!hasModestStructure(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hasModestStructure(json: string): boolean {
  if (json.length <= structureMax) return true
  const separators = json.matchAll(/[,[{]/g)
  for (let count = 0; count <= structureMax; count += 1) if (separators.next().done) return true
  return false
}

/** Fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

/** Entries of an array; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Maximum size of an image from a provider, in bytes. */
export const imageMaxBytes = 32_000_000

/** Maximum size of a JSON response, or of an event, with such an image in base64, in bytes. */
export const jsonMaxBytes = Math.ceil((imageMaxBytes * 4) / 3) + 1_000_000

/** Maximum size of a stream of events with such an image and its previews, in bytes. */
export const streamMaxBytes = 2 * jsonMaxBytes

const dataUrlPrefix = /^data:[^,]*;base64,/i

/**
 * Decodes base64, or a data URL of it.
 *
 * @throws EngineError if the text is not complete base64, or for the reasons of `requireImage`
 */
export function decodeImage(text: string): Uint8Array {
  const base64 = text.replace(dataUrlPrefix, '')
  const bytes = Buffer.from(base64, 'base64')
  // The decoder skips invalid characters, which shortens the result. Line breaks and padding do not count.
  const digits = base64.length - (/[=\s]/.test(base64) ? (base64.match(/[=\s]/g) ?? []).length : 0)
  if (bytes.length !== Math.floor((digits * 3) / 4) || digits % 4 === 1) {
    throw new EngineError('engine_failed', 'the image in the response is not complete base64')
  }
  return requireImage(bytes)
}

/** Returns a JPEG as an entry of a request to a gateway. */
export function toImageUrl(bytes: Uint8Array) {
  return { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${toBase64(bytes)}` } }
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Decodes a preview; returns null for an invalid one, because the image may still arrive. */
export function decodePreview(base64: string): Uint8Array | null {
  try {
    return decodeImage(base64)
  } catch (error) {
    if (error instanceof EngineError) return null
    throw error
  }
}

/**
 * Verifies that bytes begin like an image, whatever the content type; does not decode them.
 *
 * @throws EngineError if they exceed `imageMaxBytes` or are not JPEG, PNG or WebP
 */
export function requireImage(bytes: Uint8Array): Uint8Array {
  if (bytes.length > imageMaxBytes) {
    throw new EngineError('engine_failed', 'the image in the response is too large')
  }
  if (!sniffFormat(bytes)) {
    throw new EngineError('engine_failed', 'the response contains no JPEG, PNG or WebP image')
  }
  return bytes
}

export interface EngineServer {
  /** Address to whose path those of the API are appended. Its query is sent with every request. */
  readonly base: URL
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  /** Strings that errors must not contain. */
  readonly secrets: readonly string[]
}

/** Request to the server of an engine: a POST if it has a body. */
export interface EngineCall {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: FormData | undefined
  readonly signal: AbortSignal
  /** Called with the socket before the response. */
  readonly onSocket?: (socket: Socket) => void
}

/** Sends a request, and returns its response with the body unread. @throws a system error of the connection */
export async function openCall(
  server: EngineServer,
  { path, query, json, form, ...options }: EngineCall,
): Promise<IncomingMessage> {
  const content = form ? new Response(form) : json === undefined ? null : Response.json(json)
  return openRequest({
    url: urlAt(server.base, path, query),
    method: content ? 'POST' : 'GET',
    headers: { ...server.headers, ...Object.fromEntries(content?.headers ?? []) },
    ...(content && { body: new Uint8Array(await content.arrayBuffer()) }),
    ...options,
  })
}

/** Repeats a request while the server may be restarting. @throws the last error, or the reason of the signal */
export async function retryWhileDown<Result>(
  request: () => Promise<Result>,
  { maxOutageMs, pollMs, signal }: { maxOutageMs: number; pollMs: number; signal: AbortSignal },
): Promise<Result> {
  const startedAt = performance.now()
  for (;;) {
    try {
      return await request()
    } catch (error) {
      signal.throwIfAborted()
      if (!isTransient(error) || performance.now() - startedAt >= maxOutageMs) throw error
    }
    await setTimeout(pollMs, undefined, { signal })
  }
}

/** Appends a path and a query to the address of a server. */
export function urlAt(base: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/**
 * Downloads an image, after 250 ms and a second again if that fails with a transient error: the image has been paid for, or
 * took minutes.
 *
 * @throws the error of the last attempt, or the reason of `signal`
 */
export async function retryDownload(
  download: () => Promise<Uint8Array>,
  mayPass: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<Uint8Array> {
  for (const delayMs of [250, 1_000]) {
    try {
      return await download()
    } catch (error) {
      signal.throwIfAborted()
      if (!mayPass(error)) throw error
      await setTimeout(delayMs, undefined, { signal })
    }
  }
  return download()
}
