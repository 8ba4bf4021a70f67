import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { WebhookPayload } from '../../shared/webhooks.ts'

/** Environment of a site whose webhooks may have the address of receivers. */
export const allowLoopback = { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' }

/** A request to a webhook. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly payload: WebhookPayload
}

/** Responds to a request; by default with 204. */
type Respond = (response: ServerResponse, request: ReceivedRequest) => void

/** Starts a receiver of webhooks on loopback for the current test. */
export async function startWebhookReceiver(respond: Respond = (response) => response.writeHead(204).end()) {
  const requests: ReceivedRequest[] = []
  let current = respond
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { method = '', url: path = '', headers } = incoming
      const request = { method, path, headers, body, payload: JSON.parse(body) as WebhookPayload }
      requests.push(request)
      current(response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    requests,
    /** Values of `webhook-id`, in the order of their arrival. */
    ids: () => requests.map(({ headers }) => String(headers['webhook-id'])),
    /** Types of the received events, in the order of their arrival. */
    types: () => requests.map(({ payload }) => payload.type),
    respondWith(next: Respond) {
      current = next
    },
  }
}
