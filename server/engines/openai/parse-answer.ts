import { EngineFault } from './engine-fault.ts'
import { readError, type ErrorBody } from './error-body.ts'
import { isRecord } from './untrusted-json.ts'

/** Where a picture is: base64 or a data URL, or the address to fetch it from. */
export type PictureSource = { readonly base64: string } | { readonly url: string }

/** What one JSON text of an answer says; a `source` is null where it should have had a picture. */
export type Message =
  | { readonly type: 'partial'; readonly source: PictureSource | null }
  /** The last event of a stream. */
  | { readonly type: 'completed'; readonly source: PictureSource | null }
  /** The answer to a request that was not streamed, or that a server put into one event as it is. */
  | { readonly type: 'plain'; readonly source: PictureSource | null }
  | { readonly type: 'error'; readonly error: ErrorBody }
  | { readonly type: 'other' }

/**
 * Reads the JSON of a plain answer or of one event.
 *
 * @throws EngineFault where it is no JSON
 */
export function parseAnswer(text: string): Message {
  const body = parseJson(text)
  if (!isRecord(body)) return { type: 'other' }
  const { type, error, data } = body
  // Not every `error` is one: some servers have `error: null` in each answer.
  if (error || type === 'error') return { type: 'error', error: readError(body) }
  if (type === 'image_generation.partial_image') return { type: 'partial', source: findSource(body) }
  if (type === 'image_generation.completed') return { type: 'completed', source: findSource(body) }
  return Array.isArray(data) ? { type: 'plain', source: findSource(data[0]) } : { type: 'other' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EngineFault('engine_failed', 'the answer is not readable JSON')
  }
}

function findSource(item: unknown): PictureSource | null {
  if (!isRecord(item)) return null
  const { b64_json: base64, url } = item
  if (typeof base64 === 'string' && base64 !== '') return { base64 }
  if (typeof url !== 'string' || url === '') return null
  return url.startsWith('data:') ? { base64: url } : { url }
}
