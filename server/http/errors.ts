import type { Context } from 'hono'
import type { Logger } from 'pino'
import {
  describeError,
  isUnexpected,
  trpcErrorShape,
  type ErrorDescription,
} from '../errors/describe-error.ts'
import { AppError, isStorageError } from '../errors/app-error.ts'
import type { FailureResponse } from '../rest/answers.ts'
import { loggedPath } from './middleware/logged-path.ts'
import { requestFieldsOf } from './middleware/request-log.ts'

const apiPaths = /^\/(?:api|trpc|uploads)(?:\/|$)/

/** Renders what no route caught, in the shape of the transport it came through. */
export function renderError(log: Logger) {
  return (error: Error, c: Context): Response => {
    const description = describeError(error)
    const place = { ...requestFieldsOf(c), path: loggedPath(c.req.path) }
    // Who hangs up in the middle of a request is no fault of ours, and gets no answer.
    if (isUnexpected(error) && !c.req.raw.signal.aborted)
      log.error({ ...place, err: error }, 'a request failed')
    logStorageError(log, error, place)
    const { status, retryAfter } = description
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
    c.header('Cache-Control', 'no-store')
    if (!apiPaths.test(c.req.path) && c.req.method === 'GET') return c.html(page(description.message), status)
    return c.json(bodyFor(c, description), status)
  }
}

/** When to try again, of the first failure that knows it, where an answer of tRPC's is known to fail before it is sent. */
export function retryAfterHeader(errors: readonly Error[]): Record<string, string> {
  const seconds = errors.map((error) => describeError(error).retryAfter).find((value) => value !== undefined)
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) }
}

/**
 * Logs what goes wrong in a stream after its procedure has returned it; what a procedure itself throws was logged and
 * made an AppError on its way. Who leaves a stream is no fault of ours.
 */
export function logStreamFailure(log: Logger, error: Error, path: string | undefined, c: Context): void {
  if (c.req.raw.signal.aborted && error.cause instanceof Error && error.cause.name === 'AbortError') return
  const place = { ...requestFieldsOf(c), path }
  if (isUnexpected(error) && !(error.cause instanceof AppError))
    log.error({ ...place, err: error.cause ?? error }, 'a stream failed')
  logStorageError(log, error, place)
}

/** What callers are told of a failing disk or database is an answer; its cause is for the users who run the site. */
function logStorageError(log: Logger, error: Error, place: object): void {
  const fault = [error, error.cause].find(isStorageError)
  if (fault) log.error({ ...place, err: fault.cause ?? fault }, 'the disk or the database failed')
}

function bodyFor(c: Context, description: ErrorDescription) {
  // One object for a batch as well: clients take it for the answer to each call, a list of one for no answer.
  if (c.req.path.startsWith('/trpc/')) return { error: trpcErrorShape(description) }
  if (c.req.path.startsWith('/api/auth/')) return { message: description.message, code: description.reason }
  return { success: false, error: description.message } satisfies FailureResponse
}

/** A page for when the pages themselves fail; messages are sentences of ours. */
function page(message: string): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${message}</title><h1>${message}</h1><p>Please try again in a moment.</p></html>`
}
