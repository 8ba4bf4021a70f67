import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { Hono, type Context } from 'hono'
import { cors } from 'hono/cors'
import { pagePaths } from '../../shared/routes.ts'
import { streamProbe } from '../../shared/stream-probe.ts'
import { clientAddressHeader } from '../auth/local-account-options.ts'
import { siteOrigin } from '../config/site-origin.ts'
import type { Services } from '../services.ts'
import { AppError } from '../errors/app-error.ts'
import { createOpenImageFile } from '../images/open-image-file.ts'
import { restRoutes } from '../rest/v1.ts'
import { createCaller } from '../trpc/caller.ts'
import { appRouter } from '../trpc/router.ts'
import { limitBody } from './middleware/body-limits.ts'
import type { PublicRoute } from './cache/cache-key.ts'
import { createClientAddress } from './client-address.ts'
import { commonHeaders } from './middleware/common-headers.ts'
import type { ClientBuild } from './ssr/client-build.ts'
import { serveClientFiles } from './routes/client-files.ts'
import { logStreamFailure, renderError, retryAfterHeader } from './errors.ts'
import { createRequestContext } from './request-context.ts'
import { csrfProtection } from './middleware/csrf.ts'
import { rateLimitWrites } from './middleware/rate-limit-writes.ts'
import { clientNetwork as networkOfAddress } from './client-network.ts'
import { servePage } from './ssr/page.ts'
import { pageHeaders } from './ssr/page-headers.ts'
import { publicReads } from './cache/public-reads.ts'
import { referenceHeaders, serveDescription, serveReference } from './routes/reference.ts'
import { serveHealth, serveReady } from './routes/health.ts'
import { serveMetrics } from './routes/metrics.ts'
import { callHeaders, streamHeaders } from './stream-headers.ts'
import { serveStreamProbe } from './routes/stream-probe.ts'
import { serveUploads } from './routes/uploads.ts'
import { requestLog } from './middleware/request-log.ts'

/** Scripts of any origin may call with a bearer token; no credentials are allowed, so cookies stay out. */
const anyOrigin = cors({
  origin: '*',
  allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Trpc-Accept'],
  exposeHeaders: ['Link', 'Retry-After', 'X-Request-Id'],
  maxAge: 24 * 60 * 60,
})

/** The most calls that one request may hold, or it would be many that limits count as one. */
const callsOfABatch = 100

/** What anyone may read: pages, and the gallery through either transport. */
const publicRoutes: readonly PublicRoute[] = [
  { path: pagePaths.gallery, parameters: ['q', 'cursor'] },
  { path: pagePaths.create, parameters: [] },
  { path: pagePaths.account, parameters: [] },
  { path: pagePaths.moderation, parameters: [] },
  { path: '/trpc/posts.list', parameters: ['batch', 'input'] },
  { path: '/api/v1/post', parameters: ['search', 'limit', 'before'] },
  { path: '/api/v1/openapi.json', parameters: [] },
  { path: '/api/v1/docs', parameters: [] },
]

/** Everything the server answers, on one screen. */
export function createApp(services: Services, client: ClientBuild): Hono {
  const { config, authenticator, metrics } = services
  const app = new Hono()
  const clientAddress = createClientAddress(config, services.log)
  const clientNetwork = (c: Context) => networkOfAddress(clientAddress(c))
  const contextOf = createRequestContext(services, clientNetwork)
  const readsArePublic = publicReads(services)
  const writesAreLimited = rateLimitWrites(services.writeLimits.ofAddress, clientNetwork)

  // Around everything, also around answers that are kept: those have no request's name in them.
  app.use(requestLog(services))
  // First of all others, as it keeps answers with all their headers.
  for (const route of publicRoutes) app.get(route.path, readsArePublic(route))
  app.use(commonHeaders(config))
  // Then, so that what stands below refuses in an answer that the caller's script may read.
  app.use('/trpc/*', anyOrigin)
  app.use('/api/v1/*', anyOrigin)
  app.use(csrfProtection(config))
  app.use('/trpc/*', writesAreLimited)
  app.use('/api/v1/*', writesAreLimited)
  app.use(limitBody(authenticator))

  app.get('/healthz', serveHealth)
  app.get('/readyz', serveReady(services.readiness))
  if (metrics && config.metricsToken !== null) app.get('/metrics', serveMetrics(metrics, config.metricsToken))

  app.get('/uploads/:folder/:file', serveUploads(createOpenImageFile(services), contextOf))

  app.on(['GET', 'POST'], '/api/auth/*', (c) => {
    if (!authenticator.handle) throw new AppError('not_found')
    const request = new Request(c.req.raw)
    request.headers.set(clientAddressHeader, clientAddress(c))
    return authenticator.handle(request)
  })

  app.all('/trpc/*', (c) =>
    fetchRequestHandler({
      endpoint: '/trpc',
      req: c.req.raw,
      router: appRouter,
      maxBatchSize: callsOfABatch,
      createContext: ({ info }) => contextOf(c, { readsStreams: info.accept === 'application/jsonl' }),
      onError: ({ error, path }) => logStreamFailure(services.log, error, path, c),
      responseMeta: ({ errors, info }) => ({
        headers: {
          ...(info?.accept === 'application/jsonl' ? streamHeaders : callHeaders),
          ...retryAfterHeader(errors),
        },
      }),
    }),
  )

  app.get('/api/v1/openapi.json', serveDescription(config))
  app.get('/api/v1/docs', referenceHeaders, serveReference(config, client.reference))
  app.route(
    '/api/v1',
    restRoutes((c) => ({
      caller: createCaller(contextOf(c, { readsStreams: true }), c.req.raw.signal),
      origin: siteOrigin(config, c.req.raw.headers) ?? '',
    })),
  )
  app.all('/api/*', () => {
    throw new AppError('not_found')
  })

  app.get(streamProbe.path, serveStreamProbe(clientNetwork))

  // Browsers ask for it beside whatever is no page of ours.
  app.get('/favicon.ico', (c) => c.text('The icon is at /favicon.svg.', 301, { Location: '/favicon.svg' }))
  app.get('/assets/*', serveClientFiles(client, { immutable: true }))
  app.get('/:file{[^/]+\\.[a-z0-9]+}', serveClientFiles(client, { immutable: false }))

  app.get('*', pageHeaders(config.auth), servePage(services, client, contextOf))

  app.notFound(() => {
    throw new AppError('not_found')
  })
  app.onError(renderError(services.log))
  return app
}
