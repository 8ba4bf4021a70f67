import { lookup } from 'node:dns/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { StartError } from '../errors/app-error.ts'
import type { Connections } from './connections.ts'

/** A server that accepts connections. */
export interface Listening {
  /** The port in use, also if the configured one is 0. */
  readonly port: number
  /** Stops accepting connections, and closes open ones after their response, at the latest after `timeoutSeconds`. */
  close(timeoutSeconds: number): Promise<void>
}

/**
 * Listens on every address of `host`: `localhost` has two, and clients try either.
 *
 * @throws StartError if the port or the address cannot be used
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
  return { port: chosen, close: (timeoutSeconds) => close(servers, timeoutSeconds) }
}

async function resolveHost(host: string): Promise<string[]> {
  try {
    const found = await lookup(host, { all: true })
    return [...new Set(found.map(({ address }) => address))]
  } catch (cause) {
    throw new StartError(`HOST: "${host}" does not resolve to an address; check the spelling.`, { cause })
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

/** Interval of closing connections whose response has been sent since the last check. */
const idleCheckMs = 100

async function close(servers: readonly Server[], timeoutSeconds: number): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  const closeIdle = () => servers.forEach((server) => server.closeIdleConnections())
  closeIdle()
  const idleTimer = setInterval(closeIdle, idleCheckMs)
  const timeout = setTimeout(
    () => servers.forEach((server) => server.closeAllConnections()),
    timeoutSeconds * 1_000,
  )
  await Promise.all(closed)
  clearInterval(idleTimer)
  clearTimeout(timeout)
}

function issueLine(error: unknown, address: string, port: number): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `PORT: ${port} is already in use on ${address}; stop the other server or choose another port.`
    case 'EACCES':
      return `PORT: ${port} requires privileges that this user does not have; choose one above 1023.`
    case 'EADDRNOTAVAIL':
      return `HOST: ${address} is not an address of this machine.`
    default:
      return `HOST and PORT: cannot listen on ${address}, port ${port} (${String(error)}).`
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
