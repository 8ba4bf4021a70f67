import { buffer } from 'node:stream/consumers'
import { startLoopbackServer } from '../loopback-server.ts'

type Fields = Readonly<Record<string, unknown>>

/** Models as the provider lists them. */
const listedModels: readonly Fields[] = [
  {
    id: 'acme/painter',
    name: 'Painter',
    architecture: { input_modalities: ['text', 'image'], output_modalities: ['image'] },
    supported_parameters: {
      resolution: { type: 'enum', values: ['1K', '2K'] },
      aspect_ratio: { type: 'enum', values: ['1:1', '16:9'] },
      background: { type: 'enum', values: ['auto', 'transparent', 'opaque'] },
      output_format: { type: 'enum', values: ['png', 'jpeg', 'webp'] },
      output_compression: { type: 'range', min: 0, max: 100 },
      guidance: { type: 'range', min: 1, max: 20 },
      enhance: { type: 'boolean' },
      palette: { type: 'gradient', stops: 3 },
      seed: { type: 'range', min: 0, max: 2_147_483_647 },
      n: { type: 'range', min: 1, max: 10 },
      input_references: { type: 'range', min: 0, max: 2 },
    },
    supports_streaming: true,
    endpoints: '/api/v1/images/models/acme/painter/endpoints',
  },
  {
    id: 'acme/sketcher',
    name: 'Sketcher',
    architecture: { input_modalities: ['text'], output_modalities: ['image'] },
    supported_parameters: {
      size: { type: 'enum', values: ['1024x1024', '2K', '1536x1024'] },
      aspect_ratio: { type: 'enum', values: ['1:1'] },
    },
    supports_streaming: false,
    endpoints: '/api/v1/images/models/acme/sketcher/endpoints',
  },
  {
    id: 'acme/vectors',
    name: 'Vectors',
    architecture: { input_modalities: ['text'], output_modalities: ['image'] },
    supported_parameters: { output_format: { type: 'enum', values: ['svg'] } },
    supports_streaming: false,
    endpoints: '/api/v1/images/models/acme/vectors/endpoints',
  },
]

/** What the double answers besides images; changed by tests. */
interface OpenRouterState {
  /** Files of the next images. */
  file: Uint8Array
  preview: Uint8Array | null
  usage: Fields | null
  /** Response of every request for an image, or for the list, instead of the usual one. */
  failure: { status: number; error: Fields; headers?: Record<string, string> } | null
  listFailure: number | 'no response' | null
  /** Error within a stream. */
  streamError: Fields | null
  limitRemaining: number | null
}

/** Starts a double of OpenRouter's Image API: it accepts a key, and only fields that the list has for the model. */
export async function startOpenRouter(file: Uint8Array) {
  const state: OpenRouterState = {
    file,
    preview: null,
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 0.04 },
    failure: null,
    listFailure: null,
    streamError: null,
    limitRemaining: null,
  }
  const requests: Fields[] = []
  let lists = 0
  const { origin, stop } = await startLoopbackServer(async (incoming, response) => {
    const { url, headers, method } = incoming
    const bytes = await buffer(incoming)
    const json = (status: number, body: unknown, more: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
    const fail = (code: number, message: string) => json(code, { error: { code, message } })
    if (headers.authorization !== 'Bearer sk-or') return void fail(401, 'No auth credentials found')
    if (url === '/api/v1/key') return void json(200, { data: { limit_remaining: state.limitRemaining } })
    if (url === '/api/v1/images/models') {
      lists += 1
      if (state.listFailure === null) return void json(200, { data: listedModels })
      if (state.listFailure !== 'no response') fail(state.listFailure, 'Internal Server Error')
      return
    }
    if (url !== '/api/v1/images' || method !== 'POST') return void fail(404, 'Not Found')
    const body = JSON.parse(bytes.toString()) as Fields
    requests.push(body)
    if (state.failure)
      return void json(state.failure.status, { error: state.failure.error }, state.failure.headers)
    const model = listedModels.find(({ id }) => id === body['model'])
    if (!model) return void fail(404, `No endpoints found for ${String(body['model'])}`)
    const known = new Set([
      'model',
      'prompt',
      'stream',
      ...Object.keys(model['supported_parameters'] as Fields),
    ])
    const unknown = Object.keys(body).find((name) => !known.has(name))
    if (unknown !== undefined) return void fail(400, `Unrecognized key: ${unknown}`)
    const b64_json = Buffer.from(state.file).toString('base64')
    const image = { b64_json, media_type: 'image/png' }
    const usage = state.usage && { usage: state.usage }
    if (body['stream'] !== true || model['supports_streaming'] !== true)
      return void json(200, { created: 1, data: [image], ...usage })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (event: Fields) => response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.write(': OPENROUTER PROCESSING\n\n')
    send({ type: 'image_generation.text_chunk', phase: 'reasoning', text: 'Hm.' })
    if (state.preview) {
      const preview = Buffer.from(state.preview).toString('base64')
      send({ type: 'image_generation.partial_image', partial_image_index: 0, b64_json: preview })
    }
    if (state.streamError) send({ type: 'error', error: state.streamError })
    else send({ type: 'image_generation.completed', ...image, created: 1, ...usage })
    response.end('data: [DONE]\n\n')
  })
  return {
    url: `${origin}/api/v1`,
    stop,
    state,
    /** Bodies of the requests for images. */
    requests: requests as readonly Fields[],
    /** Number of requests for the list. */
    lists: () => lists,
  }
}
