import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Logger } from 'pino'
import {
  describeError,
  isUnexpected,
  trpcErrorShape,
  type ErrorDescription,
} from '../errors/describe-error.ts'
import { AppError, isStorageError } from '../errors/app-error.ts'
import type { FailureResponse } from '../rest/responses.ts'
import { loggedPath, requestFieldsOf } from './middleware/request-log.ts'

const apiPaths = /^\/(?:api|trpc|uploads)(?:\/|$)/

/** Creates the app's error handler: logs unexpected errors, and responds in the shape of the transport. */
export function renderError(log: Logger) {
  return (error: Error, c: Context): Response | Promise<Response> => {
    const description = describeError(error)
    const fields = { ...requestFieldsOf(c), path: loggedPath(c.req.path) }
    // A client that disconnects during a request is not an error of the server.
    if (isUnexpected(error) && !c.req.raw.signal.aborted)
      log.error({ ...fields, err: error }, 'request failed')
    logStorageError(log, error, fields)
    const { status, retryAfter } = description
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
    c.header('Cache-Control', 'no-store')
    if (!apiPaths.test(c.req.path) && c.req.method === 'GET') return c.html(page(description.message), status)
    return c.json(bodyFor(c, description), status)
  }
}

/** `Retry-After` of a tRPC response that fails before it is sent, from the first error that has one. */
export function retryAfterHeader(errors: readonly Error[]): Record<string, string> {
  const seconds = errors.map((error) => describeError(error).retryAfter).find((value) => value !== undefined)
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) }
}

/**
 * Logs errors of a stream after its procedure has returned; errors thrown by the procedure itself are logged where they
 * become an AppError. Disconnected clients are not logged.
 */
export function logStreamError(log: Logger, error: Error, path: string | undefined, c: Context): void {
  if (c.req.raw.signal.aborted && error.cause instanceof Error && error.cause.name === 'AbortError') return
  const fields = { ...requestFieldsOf(c), path }
  if (isUnexpected(error) && !(error.cause instanceof AppError))
    log.error({ ...fields, err: error.cause ?? error }, 'stream failed')
  logStorageError(log, error, fields)
}

/** Logs the cause of a storage error, which the response does not contain. */
function logStorageError(log: Logger, error: Error, fields: object): void {
  const storageError = [error, error.cause].find(isStorageError)
  if (storageError) log.error({ ...fields, err: storageError.cause ?? storageError }, 'storage failed')
}

function bodyFor(c: Context, description: ErrorDescription) {
  // One object for a batch too: clients apply it to each call, but reject an array of one.
  if (c.req.path.startsWith('/trpc/')) return { error: trpcErrorShape(description) }
  if (c.req.path.startsWith('/api/auth/')) {
    const { message, reason, detail } = description
    return { message, code: reason, ...(detail && { detail }) }
  }
  return { success: false, error: description.message } satisfies FailureResponse
}

/** The page shown when rendering pages fails. */
function page(message: string) {
  return html`<!doctype html>
    <html lang="en">
      <meta name="viewport" content="width=device-width" /><title>${message}</title>
      <h1>${message}</h1>
      <p>Please try again in a moment.</p>
    </html>`
}
