import type { Context } from 'hono'
import type { Logger } from 'pino'
import { AppError } from '../errors/app-error.ts'
import { describeError, isUnexpected, type ErrorDescription } from '../errors/describe-error.ts'
import { trpcErrorShape } from '../errors/trpc-error-shape.ts'

const apiPaths = /^\/(?:api|trpc|uploads)(?:\/|$)/

/** Renders what no route caught, in the shape of the door it came through. */
export function renderError(log: Logger) {
  return (error: Error, c: Context): Response => {
    const description = describeError(error)
    if (isUnexpected(error)) log.error({ err: error, path: c.req.path }, 'a request failed')
    const { status, retryAfter } = description
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
    c.header('Cache-Control', 'no-store')
    if (!apiPaths.test(c.req.path) && c.req.method === 'GET') return c.html(page(description.message), status)
    return c.json(bodyFor(c, description), status)
  }
}

/**
 * Logs what goes wrong in a stream after its procedure has returned it; what a procedure itself throws was logged and
 * made an AppError on its way.
 */
export function logStreamFailure(log: Logger, error: Error, path: string | undefined): void {
  if (isUnexpected(error) && !(error.cause instanceof AppError))
    log.error({ err: error.cause ?? error, path }, 'a stream failed')
}

function bodyFor(c: Context, description: ErrorDescription) {
  // One object for a batch as well: clients take it for the answer to each call, a list of one for no answer.
  if (c.req.path.startsWith('/trpc/')) return { error: trpcErrorShape(description) }
  if (c.req.path.startsWith('/api/auth/')) return { message: description.message, code: description.reason }
  return { success: false, error: description.message }
}

/** A page for when the pages themselves fail; messages are sentences of ours. */
function page(message: string): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${message}</title><h1>${message}</h1><p>Please try again in a moment.</p></html>`
}
