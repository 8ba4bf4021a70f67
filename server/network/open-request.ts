import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { untilAborted } from '../tasks/shared-task.ts'

interface RequestOptions {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
  readonly signal: AbortSignal
  /** Resolves and checks the name of the connection, see `pinAddress`; defaults to the lookup of the system. */
  readonly pin?: ((url: URL) => Promise<LookupFunction>) | undefined
  /** Called with the socket before the response. */
  readonly onSocket?: (socket: Socket) => void
}

/** Delay between TCP keep-alive probes: routers drop idle connections, and an image may take minutes. */
const keepAliveProbeMs = 30_000

/**
 * Sends a request and returns its response with the body unread; does not follow redirects.
 *
 * Uses node:http because Node's fetch gives up after 300 seconds without headers or data, and cannot pin an address. Every
 * request has its own connection: on a reused one, a stale connection looks like a lost image.
 */
export async function openRequest(request: RequestOptions): Promise<IncomingMessage> {
  const { url, method, headers, body, signal, pin, onSocket } = request
  signal.throwIfAborted()
  const lookup = pin && (await untilAborted(pin(url), signal))
  const send = url.protocol === 'https:' ? https.request : http.request
  const options = {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    agent: false as const,
    signal,
  }
  // node:http would send a user and password.
  const target = new URL(url)
  target.username = target.password = ''
  const outgoing = send(target, { ...options, ...(lookup && { lookup }) })
  return new Promise((resolve, reject) => {
    // `on`, not `once`: errors after the response also reach the reader of its body, but must be handled here too.
    outgoing.on('error', reject)
    outgoing.on('response', resolve)
    // Node closes a connection whose server switches protocols (status 101) with neither an error nor a response.
    outgoing.on('close', () => reject(new Error('the connection was closed without a response')))
    outgoing.on('socket', (socket) => {
      socket.setKeepAlive(true, keepAliveProbeMs)
      onSocket?.(socket)
    })
    outgoing.end(body)
  })
}
