import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { WebhookPayload } from '../../shared/webhooks.ts'
import { startLoopbackServer } from './loopback-server.ts'

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
  const { origin, stop } = await startLoopbackServer(async (incoming, response) => {
    const body = await text(incoming)
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body, payload: JSON.parse(body) as WebhookPayload }
    requests.push(request)
    current(response, request)
  })
  onTestFinished(stop)
  return {
    url: `${origin}/hook`,
    port: Number(new URL(origin).port),
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
