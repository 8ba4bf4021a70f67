import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { clientNetwork } from './client-network.ts'

/** What one client may take up: slow ones must not hold connections, or the memory of unread answers, at will. */
export interface ConnectionLimits {
  /** Until the headers of a request are there. */
  readonly headersTimeoutMs: number
  /** Until the whole request is there. */
  readonly requestTimeoutMs: number
  /** Without a byte of a request that is due, or while an answer is due and the client takes none of it. */
  readonly stallTimeoutMs: number
  /** Between two requests. */
  readonly keepAliveTimeoutMs: number
  /** Open connections of one client network; null for any number. */
  readonly connectionsPerNetwork: number | null
}

/** Fifty browsers behind one address, with the six connections each that they open to one host. */
const connectionsPerNetwork = 300

/**
 * The limits for a configuration. Behind trusted proxies all connections are theirs, so that the number of connections
 * is for them to limit.
 */
export function connectionLimits({ proxyHops }: Pick<Config, 'proxyHops'>): ConnectionLimits {
  return {
    headersTimeoutMs: 15_000,
    // A photo of 20 MB over a slow mobile network takes minutes, but never stops for long.
    requestTimeoutMs: 300_000,
    stallTimeoutMs: 20_000,
    keepAliveTimeoutMs: 5_000,
    connectionsPerNetwork: proxyHops === 0 ? connectionsPerNetwork : null,
  }
}

/** A connection as of the last check. */
interface Connection {
  /** The request that came last. */
  request: IncomingMessage | null
  /** What stood still since the last check, if anything was due. */
  mark: string | null
  checksWithoutProgress: number
}

/** Checks until a connection without progress is destroyed. Not a point in time: a busy server must blame no client. */
const checksUntilStalled = 4

/** Between two warnings of refused connections, in milliseconds. */
const warningIntervalMs = 60_000

/** Bounds the open connections of each client network, and destroys those that make no progress. */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #log: Logger
  readonly #perNetwork = new Map<string, number>()
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(limits: ConnectionLimits, log: Logger) {
    this.#limits = limits
    this.#log = log
  }

  /** The limits that Node's own server enforces. */
  get serverOptions(): ServerOptions {
    const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = this.#limits
    return {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 5_000),
    }
  }

  /** Enforces the others on a server, until it is closed. */
  guard(server: Server): void {
    const open = new Map<Socket, Connection>()
    server.prependListener('connection', (socket: Socket) => {
      const network = clientNetwork(socket.remoteAddress ?? '')
      if (!this.#admit(socket, network)) return
      open.set(socket, { request: null, mark: null, checksWithoutProgress: 0 })
      socket.once('close', () => {
        open.delete(socket)
        this.#leave(network)
      })
    })
    server.prependListener('request', (request: IncomingMessage) => {
      const connection = open.get(request.socket)
      if (connection) connection.request = request
    })
    server.once('listening', () => {
      const interval = this.#limits.stallTimeoutMs / checksUntilStalled
      const checking = setInterval(() => destroyStalled(open), interval).unref()
      server.once('close', () => clearInterval(checking))
    })
  }

  /** Counts a connection, or answers and closes it where its network has too many. */
  #admit(socket: Socket, network: string): boolean {
    const most = this.#limits.connectionsPerNetwork
    const open = this.#perNetwork.get(network) ?? 0
    if (most !== null && open >= most) {
      this.#warn(most)
      socket.end(refusal)
      // Before anything is read, so that it costs no more than this.
      socket.destroySoon()
      return false
    }
    this.#perNetwork.set(network, open + 1)
    return true
  }

  #leave(network: string): void {
    const left = (this.#perNetwork.get(network) ?? 0) - 1
    if (left > 0) this.#perNetwork.set(network, left)
    else this.#perNetwork.delete(network)
  }

  #warn(connections: number): void {
    const now = performance.now()
    if (now - this.#warnedAt < warningIntervalMs) return
    this.#warnedAt = now
    this.#log.warn(
      { connections },
      'connections beyond the limit of one client network are refused; behind a proxy, set TRUST_PROXY',
    )
  }
}

function destroyStalled(open: ReadonlyMap<Socket, Connection>): void {
  for (const [socket, connection] of open) {
    const mark = progressDue(socket, connection.request)
    const hasProgress = mark === null || mark !== connection.mark
    connection.mark = mark
    connection.checksWithoutProgress = hasProgress ? 0 : connection.checksWithoutProgress + 1
    if (connection.checksWithoutProgress >= checksUntilStalled) socket.destroy()
  }
}

/**
 * Something that changes with each byte that the client owes: that it takes of an answer, or that it sends of a request.
 * Null where nothing is due: between two requests, and while the server has nothing to say.
 */
function progressDue(socket: Socket, request: IncomingMessage | null): string | null {
  if (socket.writableLength > 0) {
    return `sent ${socket.bytesWritten - socket.writableLength}, ${writeQueueSize(socket)} left`
  }
  return request === null || request.complete ? null : `received ${socket.bytesRead}`
}

/**
 * How much of the chunk that is being written the kernel has not taken yet. `writableLength` counts a chunk until all
 * of it is sent, which takes a slow client minutes. Node's own timeout looks at the same number.
 *
 * @see https://github.com/nodejs/node/blob/v20.x/lib/net.js (`Socket.prototype._onTimeout`)
 */
function writeQueueSize(socket: Socket): number {
  return (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0
}

const errorText = 'Too many connections from your network. Close some and try again.\n'

const refusal = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${errorText.length}`,
  'Cache-Control: no-store',
  'Retry-After: 10',
  'Connection: close',
  '',
  errorText,
].join('\r\n')
