import type { Context } from 'hono'
import type { Readiness } from '../health/readiness.ts'

/** Answers that the process is alive and takes requests; asks nothing else. */
export function serveAlive(c: Context): Response {
  c.header('Cache-Control', 'no-store')
  return c.text('alive\n')
}

/** Answers whether requests may be sent here, and if not why, in a word for programs. */
export function serveReady(readiness: Readiness) {
  return async (c: Context): Promise<Response> => {
    c.header('Cache-Control', 'no-store')
    const because = await readiness.check()
    return because.length === 0 ? c.json({ ready: true }) : c.json({ ready: false, because }, 503)
  }
}
