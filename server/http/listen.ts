import { lookup } from 'node:dns/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { StartError } from '../errors/start-error.ts'
import type { Connections } from './connections.ts'

/** The listening server. */
export interface Listening {
  /** The port in use, also where any free one was asked for. */
  readonly port: number
  /** Takes no new connections, and ends open ones when their request is answered, at the latest after `grace` seconds. */
  close(grace: number): Promise<void>
}

/**
 * Listens on every address that `host` stands for: `localhost` is two, and which one a client tries is its choice.
 *
 * @throws StartError where the port or the address can't be used
 */
export async function listen(
  app: Hono,
  host: string,
  port: number,
  connections: Connections,
): Promise<Listening> {
  const addresses = await resolveHost(host)
  const servers: Server[] = []
  let chosen = port
  for (const address of addresses) {
    const { serverOptions } = connections
    const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server
    connections.guard(server)
    try {
      chosen = await bind(server, address, chosen)
      servers.push(server)
    } catch (error) {
      // A machine without IPv6 still resolves localhost to ::1.
      if (codeOf(error) === 'EADDRNOTAVAIL' && addresses.length > 1) continue
      servers.forEach((open) => open.close())
      throw new StartError(issueLine(error, address, port), { cause: error })
    }
  }
  if (servers.length === 0) throw new StartError(`HOST: "${host}" is not an address of this machine.`)
  return { port: chosen, close: (grace) => close(servers, grace) }
}

async function resolveHost(host: string): Promise<string[]> {
  try {
    const found = await lookup(host, { all: true })
    return [...new Set(found.map(({ address }) => address))]
  } catch (cause) {
    throw new StartError(`HOST: "${host}" can't be resolved to an address.`, { cause })
  }
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Between two looks for connections whose last answer is sent, in milliseconds; they would be kept for the next. */
const idleCheck = 100

async function close(servers: readonly Server[], grace: number): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  const closeIdle = () => servers.forEach((server) => server.closeIdleConnections())
  closeIdle()
  const idleTimer = setInterval(closeIdle, idleCheck)
  const graceTimer = setTimeout(
    () => servers.forEach((server) => server.closeAllConnections()),
    grace * 1_000,
  )
  await Promise.all(closed)
  clearInterval(idleTimer)
  clearTimeout(graceTimer)
}

function issueLine(error: unknown, address: string, port: number): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `PORT: ${port} is already in use on ${address}; stop the other server or choose another port.`
    case 'EACCES':
      return `PORT: ${port} may not be used by this user; choose one above 1023.`
    case 'EADDRNOTAVAIL':
      return `HOST: ${address} is not an address of this machine.`
    default:
      return `HOST and PORT: the server can't listen on ${address}, port ${port} (${String(error)}).`
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
