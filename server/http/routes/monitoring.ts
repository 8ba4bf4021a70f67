import type { Context } from 'hono'
import { readCredentials } from '../../access/authenticator.ts'
import { createSecretCheck } from '../../auth/site-authenticator.ts'
import type { Readiness } from '../../observability/health.ts'
import type { Metrics } from '../../observability/metrics.ts'

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

/**
 * Serves all metrics in the Prometheus text format to requests with `METRICS_TOKEN`.
 *
 * Unlike `hono/bearer-auth`, accepts tokens of any printable ASCII characters.
 */
export function serveMetrics({ registry }: Metrics, token: string) {
  const isMetricsToken = createSecretCheck(token)
  return async (c: Context): Promise<Response> => {
    const { bearer } = readCredentials(c.req.raw.headers)
    c.header('Cache-Control', 'no-store')
    if (bearer === null || !isMetricsToken(bearer)) {
      c.header('WWW-Authenticate', 'Bearer')
      return c.text('Send METRICS_TOKEN as a bearer token.\n', 401)
    }
    return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
  }
}
