import type { Context } from 'hono'
import type { Readiness } from '../../observability/health.ts'

/** Liveness: the process accepts requests. */
export function serveHealth(c: Context): Response {
  c.header('Cache-Control', 'no-store')
  return c.text('alive\n')
}

/** Readiness, with the reasons if the server is not ready. */
export function serveReady(readiness: Readiness) {
  return async (c: Context): Promise<Response> => {
    c.header('Cache-Control', 'no-store')
    const because = await readiness.reasons()
    return because.length === 0 ? c.json({ ready: true }) : c.json({ ready: false, because }, 503)
  }
}
