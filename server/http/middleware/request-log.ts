import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Level } from 'pino'
import { invisibleCharacters, requestCompleted, RequestId, withRequestId } from '../../observability/log.ts'
import type { Services } from '../../trpc/context.ts'
import { appRouter } from '../../trpc/router.ts'
import { isSafeMethod } from './csrf.ts'

/** Ids accepted from a proxy: of the usual length, and safe in logs and headers. */
const validRequestId = /^[\w.:=+/-]{8,128}$/

const requestIdHeader = 'x-request-id'

const requestIdKey = 'requestId'

/** Log fields of the request, for lines that are not logged during it. */
export function requestFieldsOf(c: Context): { requestId: string } {
  return { requestId: (c.get(requestIdKey) as RequestId).id }
}

/** Context variable of a response that is cached for others. */
const sharedFlag = 'responseIsShared'

/** Marks the response as shared with other requests, so that it does not carry this request's id. */
export function markShared(c: Context): void {
  c.set(sharedFlag, true)
}

/**
 * Assigns each request an id, sent in `X-Request-Id`, and logs and counts it when it is over: when the last byte is sent
 * or the client has disconnected, so that a stream counts as long as it lasts.
 *
 * Unlike `hono/request-id`, generates the id on first use, and accepts one only from a trusted proxy.
 */
export function requestLog({ config, log, metrics }: Pick<Services, 'config' | 'log' | 'metrics'>) {
  const middleware: MiddlewareHandler<{
    Bindings: HttpBindings
    Variables: { [requestIdKey]: RequestId }
  }> = (c, next) => {
    const { incoming, outgoing } = c.env
    const startedAt = performance.now()
    const received = config.proxyHops > 0 ? incoming.headers[requestIdHeader] : undefined
    const isValid = typeof received === 'string' && validRequestId.test(received)
    const requestId = new RequestId(isValid ? received : null)
    outgoing.once('close', () => {
      const milliseconds = performance.now() - startedAt
      const status = outgoing.headersSent ? outgoing.statusCode : null
      metrics?.countRequest(c.req.method, routeOf(c), status, milliseconds / 1_000)
      const level = levelOf(c, status)
      if (!log.isLevelEnabled(level)) return
      const fields = { requestId: requestId.id, method: c.req.method, path: loggedPath(c.req.path), status }
      const message = outgoing.writableFinished ? requestCompleted : 'client disconnected'
      log[level]({ ...fields, ms: Math.round(milliseconds * 10) / 10 }, message)
    })
    c.set(requestIdKey, requestId)
    const respond = async () => {
      await next()
      if (!isShared(c)) c.res.headers.set(requestIdHeader, requestId.id)
    }
    return isAnonymousRead(incoming) ? respond() : withRequestId(requestId, respond)
  }
  return middleware
}

/**
 * Reads that are mostly served from the response cache, in less time than AsyncLocalStorage takes: once it is in use, each
 * promise of the process costs more. The few lines that they log get the id from `requestFieldsOf`.
 */
function isAnonymousRead({ method, headers }: IncomingMessage): boolean {
  return isSafeMethod(method ?? '') && headers.cookie === undefined && headers.authorization === undefined
}

/** Responses that proxies may send to other clients. */
function isShared(c: Context): boolean {
  return c.get(sharedFlag) === true || (c.res.headers.get('cache-control')?.includes('public') ?? false)
}

/** Logs errors and writes; successful reads belong in the access log of a proxy. */
function levelOf(c: Context, status: number | null): Level {
  // Probes arrive every few seconds; changes of readiness are logged where they are detected.
  if (c.req.path === '/healthz' || c.req.path === '/readyz') return 'debug'
  if (status !== null && status >= 500) return 'warn'
  return isSafeMethod(c.req.method) ? 'debug' : 'info'
}

const maxLoggedPathLength = 200

/**
 * A path that is safe to log: without image names, and tokens of accounts, invitations and links in mails, which grant access, and with characters
 * percent-encoded that could clear a terminal or forge a line. Queries are not logged: they contain search terms.
 */
export function loggedPath(path: string): string {
  const hasSecrets = /^\/(?:uploads|api\/auth|invitation|collections\/join|unsubscribe)\//.test(path)
  const redacted = hasSecrets ? path.replaceAll(/\/(?![a-z-]{1,24}(?=\/|$))[^/]+/g, '/…') : path
  const printable = redacted.replaceAll(invisibleCharacters, encodeURIComponent)
  return printable.length > maxLoggedPathLength ? `${printable.slice(0, maxLoggedPathLength)}…` : printable
}

const procedurePaths = new Set(Object.keys(appRouter._def.procedures).map((name) => `/trpc/${name}`))

/** Patterns of middleware and of the page route, which match any path. */
const catchAll = new Set(['*', '/*'])

/**
 * The route label of metrics, one of few whatever paths are requested: the path of a single procedure, or the longest
 * matching pattern of the app.
 */
function routeOf(c: Context): string {
  const { path } = c.req
  if (procedurePaths.has(path)) return path
  const patterns = matchedRoutes(c).flatMap((route) => (catchAll.has(route.path) ? [] : route.path))
  return patterns.reduce((longest, next) => (next.length > longest.length ? next : longest), '') || 'other'
}
