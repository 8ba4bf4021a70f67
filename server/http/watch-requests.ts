import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { Level } from 'pino'
import type { Services } from '../context.ts'
import { duringRequest, RequestName } from '../log/current-request.ts'
import { loggedPath } from './logged-path.ts'
import { isReading } from './reading-methods.ts'
import { routeOf } from './route-of.ts'

/** A name that a proxy may give a request: no longer than ids are, and nothing that a log or a header minds. */
const acceptableName = /^[\w.:=+/-]{8,128}$/

const nameHeader = 'x-request-id'

const nameKey = 'requestName'

/** What a line of the log says of the request that it is about, where the log does not know it by itself. */
export function requestFieldsOf(c: Context): { requestId: string } {
  return { requestId: (c.get(nameKey) as RequestName).id }
}

/** Set by what answers with something that others are given too. */
const sharedFlag = 'answerIsShared'

/** Says that the answer is the same for others, who must not be told this request's name. */
export function markShared(c: Context): void {
  c.set(sharedFlag, true)
}

/**
 * Names each request, for the log and for who asked, and tells log and metrics when it is over: when the last byte is
 * sent or the client has left, so that a stream counts as long as it lasts.
 */
export function watchRequests({ config, log, metrics }: Pick<Services, 'config' | 'log' | 'metrics'>) {
  const middleware: MiddlewareHandler<{
    Bindings: HttpBindings
    Variables: { [nameKey]: RequestName }
  }> = (c, next) => {
    const { incoming, outgoing } = c.env
    const began = performance.now()
    const name = new RequestName(config.proxyHops > 0 ? acceptable(incoming.headers[nameHeader]) : null)
    outgoing.once('close', () => {
      const milliseconds = performance.now() - began
      const status = outgoing.headersSent ? outgoing.statusCode : null
      metrics?.answered(c.req.method, routeOf(c), status, milliseconds / 1_000)
      const level = levelOf(c, status)
      if (!log.isLevelEnabled(level)) return
      const line = { requestId: name.id, method: c.req.method, path: loggedPath(c.req.path), status }
      const word = outgoing.writableFinished ? 'answered' : 'the client left'
      log[level]({ ...line, ms: Math.round(milliseconds * 10) / 10 }, word)
    })
    c.set(nameKey, name)
    const answer = async () => {
      await next()
      if (!isShared(c)) c.res.headers.set(nameHeader, name.id)
    }
    return isAnonymousRead(incoming) ? answer() : duringRequest(name, answer)
  }
  return middleware
}

/**
 * Such a read is answered from memory in less time than it takes Node to keep track of what belongs to it: once that
 * begins, each promise of the process costs more. The few lines that it may leave are given its name by hand.
 */
function isAnonymousRead({ method, headers }: IncomingMessage): boolean {
  return isReading(method ?? '') && headers.cookie === undefined && headers.authorization === undefined
}

function acceptable(given: string | string[] | undefined): string | null {
  return typeof given === 'string' && acceptableName.test(given) ? given : null
}

/** Caches may give it to others: then it has nobody's name in it. */
function isShared(c: Context): boolean {
  return c.get(sharedFlag) === true || (c.res.headers.get('cache-control')?.includes('public') ?? false)
}

/** Whether somebody who runs the site wants to know; reads that went well are for an access log, which proxies keep. */
function levelOf(c: Context, status: number | null): Level {
  // What asks every few seconds would fill the log; changes of what it learns are logged where they are found.
  if (c.req.path === '/healthz' || c.req.path === '/readyz') return 'debug'
  if (status !== null && status >= 500) return 'warn'
  return isReading(c.req.method) ? 'debug' : 'info'
}
