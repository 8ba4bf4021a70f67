import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { clientAddressHeader } from '../auth/local-accounts.ts'
import { siteOrigin } from '../config/site-origin.ts'
import type { Services } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { restRoutes } from '../rest/v1.ts'
import { appRouter, createCaller } from '../trpc/router.ts'
import { limitBody } from './body-limits.ts'
import { createClientAddress } from './client-address.ts'
import type { ClientBuild } from './client-build.ts'
import { serveClientFiles } from './client-files.ts'
import { logStreamFailure, renderError } from './errors.ts'
import { createRequestContext } from './request-context.ts'
import { refuseForeignWrites } from './foreign-writes.ts'
import { servePage } from './page.ts'
import { pageHeaders } from './page-headers.ts'
import { serveUploads } from './uploads.ts'

/** Scripts of any origin may call with a bearer token; no credentials are allowed, so cookies stay out. */
const anyOrigin = cors({
  origin: '*',
  allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Trpc-Accept'],
  exposeHeaders: ['Link', 'Retry-After'],
  maxAge: 24 * 60 * 60,
})

/** Everything the server answers, on one screen. */
export function createApp(services: Services, client: ClientBuild): Hono {
  const { config, authenticator } = services
  const app = new Hono()
  const clientAddress = createClientAddress(config, services.log)
  const contextOf = createRequestContext(services)

  // First, so that what stands below refuses in an answer that the caller's script may read.
  app.use('/trpc/*', anyOrigin)
  app.use('/api/v1/*', anyOrigin)
  app.use(refuseForeignWrites(config))
  app.use(limitBody)

  app.get('/uploads/:folder/:file', serveUploads(services.blobs))

  app.on(['GET', 'POST'], '/api/auth/*', (c) => {
    if (!authenticator.handle) throw new AppError('not_found', 'There is nothing at this address.')
    const request = new Request(c.req.raw)
    request.headers.set(clientAddressHeader, clientAddress(c))
    return authenticator.handle(request)
  })

  app.all('/trpc/*', (c) =>
    fetchRequestHandler({
      endpoint: '/trpc',
      req: c.req.raw,
      router: appRouter,
      createContext: ({ info }) =>
        contextOf(c.req.raw, { readsStreams: info.accept === 'application/jsonl' }),
      onError: ({ error, path }) => logStreamFailure(services.log, error, path),
      responseMeta: () => ({ headers: { 'Cache-Control': 'private, no-cache' } }),
    }),
  )

  app.route(
    '/api/v1',
    restRoutes((request) => ({
      caller: createCaller(contextOf(request, { readsStreams: true })),
      origin: siteOrigin(config, request.headers) ?? '',
    })),
  )
  app.all('/api/*', () => {
    throw new AppError('not_found', 'There is nothing at this address.')
  })

  app.get('/assets/*', serveClientFiles(client, { immutable: true }))
  app.get('/:file{[^/]+\\.[a-z0-9]+}', serveClientFiles(client, { immutable: false }))

  app.get('*', pageHeaders(), servePage(services, client))

  app.notFound(() => {
    throw new AppError('not_found', 'There is nothing at this address.')
  })
  app.onError(renderError(services.log))
  return app
}
