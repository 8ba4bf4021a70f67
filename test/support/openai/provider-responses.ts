import { setImmediate } from 'node:timers/promises'
import type { Exchange, Responder } from './provider.ts'

interface ResponseOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Responds with JSON; a function receives the origin of the provider. */
export function respondJson(body: unknown, { status = 200, headers = {} }: ResponseOptions = {}): Responder {
  return ({ response, origin }) => {
    const value: unknown = typeof body === 'function' ? (body as (origin: string) => unknown)(origin) : body
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'req_fake',
      ...headers,
    })
    response.end(JSON.stringify(value))
  }
}

/** Responds with an error in OpenAI's form. */
export function respondError(
  status: number,
  error: Record<string, unknown>,
  headers?: Record<string, string>,
): Responder {
  return respondJson({ error }, { status, ...(headers && { headers }) })
}

/** Responds with JSON that contains an image in base64. */
export function respondImage(bytes: Uint8Array): Responder {
  return respondJson({ created: 1, data: [{ b64_json: toBase64(bytes) }] })
}

/** Responds with a chat completion whose message has the given fields. */
export function respondChat(
  message: unknown,
  { choice = {}, ...body }: Record<string, unknown> = {},
): Responder {
  return respondJson((origin: string) => ({
    id: 'gen-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: typeof message === 'function' ? (message as (origin: string) => unknown)(origin) : message,
        ...(choice as Record<string, unknown>),
      },
    ],
    ...body,
  }))
}

/** Responds with a chat completion that contains an image as a data URL. */
export function respondChatImage(bytes: Uint8Array, body: Record<string, unknown> = {}): Responder {
  return respondChat({ role: 'assistant', content: '', images: [chatImage(dataUrl(bytes))] }, body)
}

/** Image in the message of a chat completion. */
export function chatImage(url: unknown) {
  return { type: 'image_url', image_url: { url } }
}

/** Creates a data URL, with a wrong type for anything but PNG. */
export function dataUrl(bytes: Uint8Array): string {
  return `data:image/png;base64,${toBase64(bytes)}`
}

/** Responds with a body of the given content type. */
export function respondBytes(body: Uint8Array | string, type: string, status = 200): Responder {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }
}

/** Responds with a redirect; a function receives the origin of the provider. */
export function respondRedirect(location: string | ((origin: string) => string), status = 302): Responder {
  return ({ response, origin }) => {
    response.writeHead(status, { location: typeof location === 'string' ? location : location(origin) }).end()
  }
}

/** Resets the connection without a response. */
export function respondReset(): Responder {
  return ({ response }) => {
    response.socket?.resetAndDestroy()
  }
}

/** Keeps the connection open without a response. */
export function respondNothing(): Responder {
  return () => {}
}

/** Event of a stream; its `type` is also the type of the SSE event. */
export type StreamEvent = Readonly<Record<string, unknown>>

/** Event with a preview. */
export function partialEvent(bytes: Uint8Array, index = 0): StreamEvent {
  return { type: 'image_generation.partial_image', partial_image_index: index, b64_json: toBase64(bytes) }
}

/** Event with the finished image. */
export function completedEvent(bytes: Uint8Array): StreamEvent {
  return { type: 'image_generation.completed', b64_json: toBase64(bytes), output_format: 'jpeg' }
}

/** Event of an edit in place of the same event of a generation. */
export function editEvent({ type, ...event }: StreamEvent): StreamEvent {
  return { type: String(type).replace('image_generation', 'image_edit'), ...event }
}

/** End of a stream: regular, kept open without further data, or a lost connection. */
type StreamEnd = 'done' | 'stall' | 'cut'

/** Responds with a stream of events. */
export function respondEvents(events: readonly StreamEvent[], end: StreamEnd = 'done'): Responder {
  return async ({ response }) => {
    startStream(response)
    for (const event of events) response.write(toSse(event))
    await setImmediate()
    if (end === 'done') response.end('data: [DONE]\n\n')
    if (end === 'cut') response.socket?.destroySoon()
  }
}

/** Responds with a stream in small separate chunks, with comments between the events, as proxies send them. */
export function respondSlowly(events: readonly StreamEvent[], chunkLength = 40): Responder {
  return async ({ response }) => {
    startStream(response)
    const text = events.map((event) => `: keep-alive\n\n${toSse(event)}`).join('')
    for (let at = 0; at < text.length; at += chunkLength) {
      response.write(text.slice(at, at + chunkLength))
      await setImmediate()
    }
    response.end()
  }
}

function startStream(response: Exchange['response']): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_fake' })
}

function toSse(event: StreamEvent): string {
  const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
