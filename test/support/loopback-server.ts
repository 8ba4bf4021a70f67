import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on loopback that stands in for another one. */
interface LoopbackServer {
  readonly server: Server
  readonly origin: string
  readonly stop: () => Promise<void>
}

/** Starts a double. An error of `respond` closes the connection; the client may disconnect at any time. */
export async function startLoopbackServer(
  respond: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
  const server = createServer((incoming, response) => {
    response.on('error', () => {})
    respond(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
