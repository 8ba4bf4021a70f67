import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { libraryCode, StartError } from '../errors/app-error.ts'
import { clientNetwork } from './client-address.ts'

/** Limits that keep slow clients from holding connections, and the memory of responses that they do not read. */
export type ConnectionLimits = Readonly<ReturnType<typeof connectionLimits>>

/** 50 browsers behind one address, each with the six connections that browsers open to a host. */
const connectionsPerNetwork = 300

/** Returns the limits for a configuration. Behind trusted proxies all connections are theirs, so they limit the number. */
export function connectionLimits({ proxyHops }: Pick<Config, 'proxyHops'>) {
  return {
    headersTimeoutMs: 15_000,
    // An image of 20 MB over a slow mobile network takes minutes, but never pauses for long.
    requestTimeoutMs: 300_000,
    /** Time without progress: no byte of an incomplete request received, or of a response read by the client. */
    stallTimeoutMs: 20_000,
    /** Average rate of receiving a request that takes longer than `stallTimeoutMs`. */
    minBytesPerSecond: 8 * 1024,
    /** Time between two requests. */
    keepAliveTimeoutMs: 5_000,
    /** Maximum of open connections per client network; null for no limit. */
    connectionsPerNetwork: proxyHops === 0 ? connectionsPerNetwork : null,
  }
}

/** State of a connection at the last check. */
class Connection {
  /** The latest request. */
  request: IncomingMessage | null = null
  /** Bytes received on the connection before the request. */
  receivedBefore = 0
  /** Checks since the request began. */
  checks = 0
  /** Changes with progress; null if nothing was due. */
  progress: string | null = null
  checksWithoutProgress = 0
}

/** Checks without progress before a connection is destroyed. Not a duration: a busy server checks late. */
const checksUntilStalled = 4

/** Minimum time between two warnings about rejected connections. */
const warningIntervalMs = 60_000

/** Limits open connections per client network, and destroys connections without progress. */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #log: Logger
  readonly #open = new Map<Socket, Connection>()
  readonly #perNetwork = new Map<string, number>()
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(limits: ConnectionLimits, log: Logger) {
    this.#limits = limits
    this.#log = log
  }

  /** Options for the limits that Node's server enforces itself. */
  get serverOptions(): ServerOptions {
    const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = this.#limits
    return {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 5_000),
      // The longest search term has 18 KB in a URL.
      maxHeaderSize: 32 * 1024,
    }
  }

  /** Limits the connections of a server, and follows their requests. */
  guard(server: Server): void {
    server.prependListener('connection', (socket: Socket) => {
      const network = clientNetwork(socket.remoteAddress ?? '')
      if (!this.#admits(network)) {
        socket.end(tooManyConnections)
        // Closes before anything is read, so that a rejected connection costs little.
        return socket.destroySoon()
      }
      this.#open.set(socket, new Connection())
      this.#count(network, 1)
      socket.once('close', () => {
        this.#open.delete(socket)
        this.#count(network, -1)
      })
    })
    server.prependListener('request', (request: IncomingMessage) => {
      const connection = this.#open.get(request.socket)
      if (connection)
        Object.assign(connection, { request, receivedBefore: request.socket.bytesRead, checks: 0 })
    })
  }

  /** Destroys connections without progress, until the returned timer is cleared. */
  startChecks(): NodeJS.Timeout {
    const interval = this.#limits.stallTimeoutMs / checksUntilStalled
    const minBytesPerCheck = (this.#limits.minBytesPerSecond * interval) / 1_000
    return setInterval(() => destroyStalled(this.#open, minBytesPerCheck), interval).unref()
  }

  /** Closes connections without a request, which `closeIdleConnections` leaves open. */
  closeUnused(): void {
    for (const [socket, { request }] of this.#open)
      if (request === null && socket.bytesRead === 0) socket.destroy()
  }

  #admits(network: string): boolean {
    const max = this.#limits.connectionsPerNetwork
    if (max === null || (this.#perNetwork.get(network) ?? 0) < max) return true
    const now = performance.now()
    if (now - this.#warnedAt < warningIntervalMs) return false
    this.#warnedAt = now
    this.#log.warn(
      { connections: max },
      'rejecting connections above the limit of one client network; behind a proxy, set TRUST_PROXY',
    )
    return false
  }

  #count(network: string, change: number): void {
    const open = (this.#perNetwork.get(network) ?? 0) + change
    if (open > 0) this.#perNetwork.set(network, open)
    else this.#perNetwork.delete(network)
  }
}

function destroyStalled(open: ReadonlyMap<Socket, Connection>, minBytesPerCheck: number): void {
  for (const [socket, connection] of open) {
    const progress = progressDue(socket, connection.request)
    const hasProgress = progress === null || progress !== connection.progress
    connection.progress = progress
    connection.checksWithoutProgress = hasProgress ? 0 : connection.checksWithoutProgress + 1
    connection.checks += 1
    const isReceiving = socket.writableLength === 0 && progress !== null
    const isSlow =
      isReceiving &&
      connection.checks >= checksUntilStalled &&
      socket.bytesRead - connection.receivedBefore < connection.checks * minBytesPerCheck
    if (isSlow || connection.checksWithoutProgress >= checksUntilStalled) socket.destroy()
  }
}

/**
 * Returns a value that changes with each byte that the client reads of a response or sends of a request; null if
 * nothing is due: between two requests, and while the server has nothing to send.
 */
function progressDue(socket: Socket, request: IncomingMessage | null): string | null {
  if (socket.writableLength > 0) {
    return `sent ${socket.bytesWritten - socket.writableLength}, ${writeQueueSize(socket)} left`
  }
  return request === null || request.complete ? null : `received ${socket.bytesRead}`
}

/**
 * Bytes of the current chunk that are not in the kernel's send buffer yet. `writableLength` counts a chunk until all of
 * it is sent, which takes a slow client minutes. Node's own timeout reads the same field.
 *
 * @see https://github.com/nodejs/node/blob/v20.x/lib/net.js (`Socket.prototype._onTimeout`)
 */
function writeQueueSize(socket: Socket): number {
  return (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0
}

const errorText = 'Too many connections from your network. Close some and try again.\n'

const tooManyConnections = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${errorText.length}`,
  'Cache-Control: no-store',
  'Retry-After: 10',
  'Connection: close',
  '',
  errorText,
].join('\r\n')

/** Finds the addresses of `host` on this machine: `localhost` has two, and clients try either. @throws StartError if there is none */
export async function findAddresses(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true }).catch((cause: unknown) => {
    throw new StartError(`HOST: "${host}" does not resolve to an address; check the spelling.`, { cause })
  })
  const addresses: string[] = []
  // A machine without IPv6 still resolves localhost to ::1.
  for (const address of new Set(found.map((one) => one.address)))
    if (await isOwnAddress(address)) addresses.push(address)
  if (addresses.length > 0) return addresses
  throw new StartError(
    `HOST: ${host} is not an address of this machine; choose one that is, or 0.0.0.0 for all.`,
  )
}

async function isOwnAddress(address: string): Promise<boolean> {
  const probe = createServer()
  try {
    await bind(probe, address, 0)
    return true
  } catch (error) {
    return !['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(String(libraryCode(error)))
  } finally {
    probe.close()
  }
}

/** Listens on addresses of this machine. @throws StartError if the port cannot be used */
export async function listen(
  app: Hono,
  addresses: readonly string[],
  port: number,
  connections: Connections,
) {
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
      servers.forEach((open) => open.close())
      throw new StartError(issueLine(error, address, port), { cause: error })
    }
  }
  const checks = connections.startChecks()
  return {
    /** The port in use, also if the configured one is 0. */
    port: chosen,
    /** Stops accepting connections, and closes open ones after their response, at the latest after `timeoutSeconds`. */
    async close(timeoutSeconds: number): Promise<void> {
      await close(servers, connections, timeoutSeconds)
      clearInterval(checks)
    },
  }
}

async function bind(server: NetServer, host: string, port: number): Promise<number> {
  await once(server.listen({ host, port }), 'listening')
  return (server.address() as AddressInfo).port
}

/** Interval of closing connections whose response has been sent since the last check. */
const idleCheckMs = 100

/** Stops accepting connections. Browsers open some in advance, so a new one has until the first check to send a request. */
async function close(
  servers: readonly Server[],
  connections: Connections,
  timeoutSeconds: number,
): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  const idleTimer = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
    connections.closeUnused()
  }, idleCheckMs)
  const timeout = setTimeout(
    () => servers.forEach((server) => server.closeAllConnections()),
    timeoutSeconds * 1_000,
  )
  await Promise.all(closed)
  clearInterval(idleTimer)
  clearTimeout(timeout)
}

function issueLine(error: unknown, address: string, port: number): string {
  switch (libraryCode(error)) {
    case 'EADDRINUSE':
      return `PORT: ${port} is already in use on ${address}; stop the other server or choose another port.`
    case 'EACCES':
      return `PORT: ${port} requires privileges that this user does not have; choose one above 1023.`
    default:
      return `HOST and PORT: cannot listen on ${address}, port ${port} (${String(error)}).`
  }
}
