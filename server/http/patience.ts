import type { IncomingMessage, ServerOptions } from 'node:http'

/** How long a client may take to send what it asks, in milliseconds: slow ones must not hold connections at will. */
export interface Patience {
  /** For the headers. */
  readonly headers: number
  /** For the whole request. */
  readonly request: number
  /** Between two parts of a body. */
  readonly silence: number
}

/** A photo of 20 MB over a slow mobile network takes minutes, but never stops for long. */
export const usualPatience: Patience = { headers: 15_000, request: 300_000, silence: 20_000 }

/** The patience as Node's own server knows it. */
export function timeouts({ headers, request }: Patience): ServerOptions {
  return {
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(headers, 5_000),
  }
}

/** Ends the connection of a client that falls silent in the middle of a body. */
export function endSilentBody(request: IncomingMessage, silence: number): void {
  const { socket, headers } = request
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return
  const forgive = () => {
    socket.setTimeout(0)
  }
  // At the end of its time Node destroys the socket.
  socket.setTimeout(silence)
  request.once('end', forgive).once('close', forgive)
}
