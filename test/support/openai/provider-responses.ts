import { setImmediate } from 'node:timers/promises'
import type { Answer, Exchange } from './provider.ts'

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** JSON; a function is given the double's origin. */
export function respondJson(body: unknown, { status = 200, headers = {} }: Reply = {}): Answer {
  return ({ response, origin }) => {
    const value: unknown = typeof body === 'function' ? (body as (origin: string) => unknown)(origin) : body
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'req_double',
      ...headers,
    })
    response.end(JSON.stringify(value))
  }
}

/** An error as OpenAI puts it. */
export function respondError(
  status: number,
  error: Record<string, unknown>,
  headers?: Record<string, string>,
): Answer {
  return respondJson({ error }, { status, ...(headers && { headers }) })
}

/** An image in base64, as plain JSON. */
export function respondImage(bytes: Uint8Array): Answer {
  return respondJson({ created: 1, data: [{ b64_json: toBase64(bytes) }] })
}

/** Bytes with a type, as files have. */
export function respondBytes(body: Uint8Array | string, type: string, status = 200): Answer {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }
}

/** A redirect; a function is given the double's origin. */
export function respondRedirect(location: string | ((origin: string) => string), status = 302): Answer {
  return ({ response, origin }) => {
    response.writeHead(status, { location: typeof location === 'string' ? location : location(origin) }).end()
  }
}

/** A connection that ends before it is answered. */
export function respondReset(): Answer {
  return ({ response }) => {
    response.socket?.resetAndDestroy()
  }
}

/** Nothing, for as long as the client waits. */
export function respondNothing(): Answer {
  return () => {}
}

/** One event of a stream; its type is also that of the SSE event. */
export type StreamEvent = Readonly<Record<string, unknown>>

/** A preview. */
export function partialEvent(bytes: Uint8Array, index = 0): StreamEvent {
  return { type: 'image_generation.partial_image', partial_image_index: index, b64_json: toBase64(bytes) }
}

/** The finished image. */
export function completedEvent(bytes: Uint8Array): StreamEvent {
  return { type: 'image_generation.completed', b64_json: toBase64(bytes), output_format: 'jpeg' }
}

/** How a stream goes on after its events: as it should, not at all, or by losing the connection. */
type StreamEnd = 'done' | 'stall' | 'cut'

/** A stream of events. */
export function respondEvents(events: readonly StreamEvent[], end: StreamEnd = 'done'): Answer {
  return async ({ response }) => {
    beginStream(response)
    for (const event of events) response.write(toSse(event))
    await setImmediate()
    if (end === 'done') response.end('data: [DONE]\n\n')
    if (end === 'cut') response.socket?.destroySoon()
  }
}

/** A stream of events in so many pieces that each arrives by itself, with comments between, as proxies send them. */
export function respondSlowly(events: readonly StreamEvent[], pieceLength = 40): Answer {
  return async ({ response }) => {
    beginStream(response)
    const text = events.map((event) => `: keep-alive\n\n${toSse(event)}`).join('')
    for (let at = 0; at < text.length; at += pieceLength) {
      response.write(text.slice(at, at + pieceLength))
      await setImmediate()
    }
    response.end()
  }
}

function beginStream(response: Exchange['response']): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_double' })
}

function toSse(event: StreamEvent): string {
  const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
