import type { Context } from 'hono'
import { readCredentials } from '../../auth/authenticator.ts'
import { createSecretCheck } from '../../auth/bearer-credentials.ts'
import type { Metrics } from '../../observability/metrics.ts'

/** Serves all metrics in Prometheus' format, to requests with METRICS_TOKEN. */
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
