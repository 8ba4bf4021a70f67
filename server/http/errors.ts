import type { Context } from 'hono'
import type { Logger } from 'pino'
import { describeError, isUnexpected, type ErrorDescription } from '../errors/describe-error.ts'
import { trpcErrorShape } from '../errors/trpc-error-shape.ts'

/** Renders what no route caught, in the shape of the door it came through. */
export function renderError(log: Logger) {
  return (error: Error, c: Context): Response => {
    const description = describeError(error)
    if (isUnexpected(error)) log.error({ err: error, path: c.req.path }, 'a request failed')
    const { status, retryAfter } = description
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
    c.header('Cache-Control', 'no-store')
    return c.json(bodyFor(c, description), status)
  }
}

function bodyFor(c: Context, description: ErrorDescription) {
  // One object for a batch as well: clients take it for the answer to each call, a list of one for no answer.
  if (c.req.path.startsWith('/trpc/')) return { error: trpcErrorShape(description) }
  if (c.req.path.startsWith('/api/auth/')) return { message: description.message, code: description.reason }
  return { success: false, error: description.message }
}
