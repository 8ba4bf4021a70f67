import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON, or an empty object. */
  readonly body: Readonly<Record<string, unknown>>
}

/** A request with what is needed to answer it. */
export interface Exchange {
  readonly request: RecordedRequest
  readonly response: ServerResponse
  /** The double's own, to make addresses of its files. */
  readonly origin: string
}

/** One way to answer. It may take its time: the double waits for nothing. See provider-answers.ts for ready ones. */
export type Answer = (exchange: Exchange) => void | Promise<void>

/** A running double. */
export interface ProviderDouble {
  /** The value for OPENAI_BASE_URL. */
  readonly url: string
  readonly origin: string
  /** The requests for images, in the order in which they came. */
  readonly requests: readonly RecordedRequest[]
  /** The requests for files, likewise. */
  readonly fetches: readonly RecordedRequest[]
  readonly stop: () => Promise<void>
}

/**
 * Starts a server on loopback that speaks the Images API's wire format as it is told to.
 *
 * @param script the answer to every request for an image, or one for each in order; beyond those it answers 500
 * @param files what it answers on other paths
 * @example
 * const double = await startProviderDouble(respondImage(jpeg))
 * const engine = createOpenAiEngine({ baseUrl: double.url, apiKey: null, model: 'any', log })
 */
export async function startProviderDouble(
  script: Answer | readonly Answer[],
  files: Readonly<Record<string, Answer>> = {},
): Promise<ProviderDouble> {
  const requests: RecordedRequest[] = []
  const fetches: RecordedRequest[] = []
  const server = createServer((incoming, response) => {
    void respond(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // Written to a client that has left: no error of the double.
    response.on('error', () => {})
    const request = await record(incoming)
    await chooseResponse(request)({ request, response, origin })
  }

  function chooseResponse(request: RecordedRequest): Answer {
    if (request.path === '/v1/images/generations' && request.method === 'POST') {
      const turn = requests.push(request) - 1
      return (typeof script === 'function' ? script : script[turn]) ?? refuse(500)
    }
    fetches.push(request)
    return files[request.path] ?? refuse(404)
  }

  async function stop(): Promise<void> {
    server.close()
    server.closeAllConnections()
    if (server.listening) await once(server, 'close')
  }

  return { url: `${origin}/v1`, origin, requests, fetches, stop }
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const { method = '', url = '', headers } = incoming
  const body = await text(incoming)
  return {
    method,
    path: url.replace(/\?.*$/, ''),
    headers,
    body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
  }
}

function refuse(status: number): Answer {
  return ({ response }) => {
    response.writeHead(status).end()
  }
}
