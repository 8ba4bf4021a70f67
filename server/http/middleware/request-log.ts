import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { Level } from 'pino'
import type { Services } from '../../services.ts'
import { RequestId, withRequestId } from '../../observability/log.ts'
import { loggedPath } from './logged-path.ts'
import { isSafeMethod } from '../safe-methods.ts'
import { routeOf } from '../route-of.ts'

/** Ids that a proxy may assign: of the usual length, and of characters that logs and headers may hold. */
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
 * or the client has left, so that a stream counts as long as it lasts.
 */
export function requestLog({ config, log, metrics }: Pick<Services, 'config' | 'log' | 'metrics'>) {
  const middleware: MiddlewareHandler<{
    Bindings: HttpBindings
    Variables: { [requestIdKey]: RequestId }
  }> = (c, next) => {
    const { incoming, outgoing } = c.env
    const began = performance.now()
    const requestId = new RequestId(
      config.proxyHops > 0 ? acceptable(incoming.headers[requestIdHeader]) : null,
    )
    outgoing.once('close', () => {
      const milliseconds = performance.now() - began
      const status = outgoing.headersSent ? outgoing.statusCode : null
      metrics?.countRequest(c.req.method, routeOf(c), status, milliseconds / 1_000)
      const level = levelOf(c, status)
      if (!log.isLevelEnabled(level)) return
      const line = { requestId: requestId.id, method: c.req.method, path: loggedPath(c.req.path), status }
      const word = outgoing.writableFinished ? 'answered' : 'the client left'
      log[level]({ ...line, ms: Math.round(milliseconds * 10) / 10 }, word)
    })
    c.set(requestIdKey, requestId)
    const answer = async () => {
      await next()
      if (!isShared(c)) c.res.headers.set(requestIdHeader, requestId.id)
    }
    return isAnonymousRead(incoming) ? answer() : withRequestId(requestId, answer)
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

function acceptable(given: string | string[] | undefined): string | null {
  return typeof given === 'string' && validRequestId.test(given) ? given : null
}

/** Whether caches may serve the response to others. */
function isShared(c: Context): boolean {
  return c.get(sharedFlag) === true || (c.res.headers.get('cache-control')?.includes('public') ?? false)
}

/** Logs failures and writes; successful reads belong in the access log of a proxy. */
function levelOf(c: Context, status: number | null): Level {
  // Probes come every few seconds; changes of readiness are logged where they are detected.
  if (c.req.path === '/healthz' || c.req.path === '/readyz') return 'debug'
  if (status !== null && status >= 500) return 'warn'
  return isSafeMethod(c.req.method) ? 'debug' : 'info'
}
