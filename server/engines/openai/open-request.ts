import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'

/** One HTTP request. */
export interface OpenRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
  /** Replaces the name lookup of the connection. */
  readonly lookup?: LookupFunction
}

/** How often an idle connection is probed: routers forget silent ones, and a picture may take minutes. */
const keepAliveProbe = 30_000

/**
 * Sends a request and returns its response, whose body is still to be read; redirects are not followed.
 *
 * Through node:http because Node's fetch gives up after 300 seconds without headers or between two chunks, and can't
 * pin an address. Each request has its own connection: on a reused one a reset can't be told from a lost picture.
 */
export async function openRequest(request: OpenRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, signal, lookup } = request
  signal.throwIfAborted()
  const send = url.protocol === 'https:' ? https.request : http.request
  const options = {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    agent: false as const,
    signal,
  }
  // A copy without user and password, which node:http would send along.
  const target = new URL(url)
  target.username = target.password = ''
  const outgoing = send(target, { ...options, ...(lookup && { lookup }) })
  return new Promise((resolve, reject) => {
    // `on`, not `once`: an error after the response also reaches its body's reader, and must not be unhandled here.
    outgoing.on('error', reject)
    outgoing.on('response', resolve)
    outgoing.on('socket', (socket) => socket.setKeepAlive(true, keepAliveProbe))
    outgoing.end(body)
  })
}
