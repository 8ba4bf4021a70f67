import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startLoopbackServer } from '../loopback-server.ts'

/** Request that a fake provider received. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON, or the text fields of a form; else an empty object. */
  readonly body: Readonly<Record<string, unknown>>
  /** Files of a form, in order. */
  readonly files: readonly { readonly field: string; readonly type: string; readonly bytes: Buffer }[]
}

/** Request and response of a fake provider. */
export interface Exchange {
  readonly request: RecordedRequest
  readonly response: ServerResponse
  /** Origin of the fake provider, for URLs of its files. */
  readonly origin: string
}

/** Handler of one request. See provider-responses.ts for common ones. */
export type Responder = (exchange: Exchange) => void | Promise<void>

/** A running fake provider. */
export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>

/** Paths to which engines send requests for images. */
const imageRoutes = new Set(['/v1/images/generations', '/v1/images/edits', '/v1/chat/completions'])

/**
 * Starts a server on loopback that implements the Images API and chat completions with scripted responses.
 *
 * @param responders responder for all requests for images, or one for each in order; further requests get a 500
 * @param files responders by path, for other requests
 * @example
 * const provider = await startFakeProvider(respondImage(jpeg))
 * const engine = createOpenAiEngine({ baseUrl: provider.url, apiKey: null, model: 'any', log })
 */
export async function startFakeProvider(
  responders: Responder | readonly Responder[],
  files: Readonly<Record<string, Responder>> = {},
) {
  const requests: RecordedRequest[] = []
  const fetches: RecordedRequest[] = []
  const { origin, stop } = await startLoopbackServer(async (incoming, response) => {
    const request = await record(incoming)
    await chooseResponder(request)({ request, response, origin })
  })

  function chooseResponder(request: RecordedRequest): Responder {
    if (imageRoutes.has(request.path) && request.method === 'POST') {
      const index = requests.push(request) - 1
      return (typeof responders === 'function' ? responders : responders[index]) ?? respondStatus(500)
    }
    fetches.push(request)
    return files[request.path] ?? respondStatus(404)
  }

  return {
    /** Value for OPENAI_BASE_URL. */
    url: `${origin}/v1`,
    origin,
    /** Requests for images, and for other paths, in order. */
    requests: requests as readonly RecordedRequest[],
    fetches: fetches as readonly RecordedRequest[],
    stop,
  }
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const { method = '', url = '', headers } = incoming
  const bytes = await buffer(incoming)
  const type = headers['content-type'] ?? ''
  const parsed = type.startsWith('multipart/')
    ? await parseForm(bytes, type)
    : { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Record<string, unknown>), files: [] }
  return { method, path: url.replace(/\?.*$/, ''), headers, ...parsed }
}

async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string) {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const body: Record<string, unknown> = {}
  const files: { field: string; type: string; bytes: Buffer }[] = []
  for (const [field, value] of form) {
    if (typeof value === 'string') body[field] = value
    else files.push({ field, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) })
  }
  return { body, files }
}

function respondStatus(status: number): Responder {
  return ({ response }) => {
    response.writeHead(status).end()
  }
}
