import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import { describeError, isUnexpected, type ErrorDescription } from '../errors/describe-error.ts'
import { trpcErrorShape } from '../errors/trpc-error-shape.ts'
import { appRouter } from '../trpc/router.ts'

/** Renders what no route caught, in the shape of the door it came through. */
export function renderError(log: Logger) {
  return async (error: Error, c: Context): Promise<Response> => {
    const description = describeError(error)
    if (isUnexpected(error)) log.error({ err: error, path: c.req.path }, 'a request failed')
    const { status, retryAfter } = description
    if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
    c.header('Cache-Control', 'no-store')
    if (!c.req.path.startsWith('/trpc/')) return c.json(bodyFor(c, description), status)
    if (c.req.header('trpc-accept') !== 'application/jsonl') {
      // For a batch as well: clients take an answer that is no list for the answer to each call.
      return c.json({ error: trpcErrorShape(description) }, status)
    }
    const { body, headers } = await streamedFailure(c.req.raw, error)
    return c.body(body ?? '', status, { 'Content-Type': headers.get('content-type') ?? 'application/json' })
  }
}

/** A failure in the shape of a stream, which only tRPC knows to write: each call of the batch fails with it. */
function streamedFailure(request: Request, error: Error): Promise<Response> {
  const createContext = () => {
    throw error
  }
  return fetchRequestHandler({ endpoint: '/trpc', req: request, router: appRouter, createContext })
}

function bodyFor(c: Context, { message, reason }: ErrorDescription) {
  if (c.req.path.startsWith('/api/auth/')) return { message, code: reason }
  return { success: false, error: message }
}
