import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { Hono, type Context, type Handler, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { viewCookie } from '../../shared/page-data.ts'
import { pagePaths } from '../../shared/routes.ts'
import { offlinePath, serviceWorkerPath, sharedImage } from '../../shared/service-worker.ts'
import { streamProbe } from '../../shared/stream-probe.ts'
import { clientAddressHeader, languageHeader } from '../access/authenticator.ts'
import { mcpPaths } from '../programs/resource.ts'
import { siteOrigin } from '../config/site-origin.ts'
import { AppError } from '../errors/app-error.ts'
import { createOpenImageFile } from '../images/image-access.ts'
import { openAiRoutes } from '../openai-api/openai-routes.ts'
import { openApiDocument } from '../rest/openapi.ts'
import { restRoutes } from '../rest/v1.ts'
import type { Services } from '../trpc/context.ts'
import { appRouter } from '../trpc/router.ts'
import { publicReads, type PublicRoute } from './cache/public-reads.ts'
import { immutable } from './cache/representation.ts'
import { clientNetwork as networkOfAddress, createClientAddress } from './client-address.ts'
import { logStreamError, renderError, retryAfterHeader } from './errors.ts'
import { languageOf } from './language.ts'
import { discardBody, receiveBodies, releaseBody } from './bodies/receive-bodies.ts'
import { commonHeaders, pageHeaders } from './middleware/security-headers.ts'
import { csrfProtection, isSafeMethod } from './middleware/csrf.ts'
import { requestLog } from './middleware/request-log.ts'
import { bearerOnly, createRequestContext } from './request-context.ts'
import { serveClientFiles, type ClientBuild } from './ssr/client-build.ts'
import { readAppearance } from '../site/appearance.ts'
import { serveAccent, serveLogo } from './routes/appearance.ts'
import { serveFeed } from './routes/feed.ts'
import { serveHealth, serveMetrics, serveReady } from './routes/monitoring.ts'
import { serveImageDownload, servePostDownload, serveUploads } from './routes/images.ts'
import {
  createOfflinePage,
  manifestPath,
  serveManifest,
  serveOfflinePage,
  serveServiceWorker,
} from './routes/web-app.ts'
import { serveAvatar, servePreview, serveStyleCover } from './routes/drawings.ts'
import { serveOembed } from './routes/oembed.ts'
import { serveRobots, serveSitemapIndex, serveSitemapPart } from './routes/sitemap.ts'
import { callHeaders, eventStreamHeaders, serveStreamProbe, streamHeaders } from './routes/stream-probe.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { serveUnsubscribe } from './routes/unsubscribe.ts'
import { redirectToPassword, securityPath, serveSecurityContact } from './routes/well-known.ts'
import { servePage } from './ssr/page.ts'

/** Time for which browsers keep the answer to a preflight, in seconds. */
const corsMaxAge = 24 * 60 * 60

/** Allows scripts of any origin, without credentials, so that they call with a bearer token but not with cookies. */
const anyOrigin = cors({
  origin: '*',
  allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Trpc-Accept', 'Last-Event-Id'],
  exposeHeaders: ['Link', 'Retry-After', 'X-Request-Id'],
  maxAge: corsMaxAge,
})

/** Like `anyOrigin`, with any request headers: versions of MCP and the SDKs of OpenAI add some of their own. */
function anyProgram(...exposeHeaders: string[]) {
  return cors({ origin: '*', exposeHeaders, maxAge: corsMaxAge })
}

/** Limits calls per request, as rate limits count requests. */
const maxBatchSize = 100

const listParameters = ['q', 'sort', 'period', 'shape', 'engine', 'cursor', viewCookie]
const listPages: ReadonlySet<string> = new Set([
  pagePaths.gallery,
  pagePaths.author,
  pagePaths.collections,
  pagePaths.collection,
])

const unsharedPages: ReadonlySet<string> = new Set([
  pagePaths.invitation,
  pagePaths.joinCollection,
  pagePaths.setup,
])

/** Routes with the same response for everyone, or everyone of a language: pages, the gallery on both transports, the API reference, files for other programs. */
const publicRoutes: readonly PublicRoute[] = [
  ...Object.values(pagePaths)
    // The pages of invitations have secret addresses, and depend on the time. That of the setup is for one user.
    .filter((path) => !unsharedPages.has(path))
    .map((path) => ({
      path,
      parameters: listPages.has(path) ? listParameters : [],
      isTranslated: true,
    })),
  { path: '/trpc/posts.list', parameters: ['batch', 'input'] },
  { path: '/api/v1/post', parameters: ['search', 'limit', 'before'] },
  { path: '/api/v1/openapi.json', parameters: [] },
  { path: '/trpc/collections.get', parameters: ['batch', 'input'] },
  { path: '/trpc/collections.list', parameters: ['batch', 'input'] },
  { path: '/feed.xml', parameters: ['author', 'q', 'collection'] },
  { path: '/oembed', parameters: ['url', 'format', 'maxwidth', 'maxheight'] },
  { path: '/robots.txt', parameters: [] },
  { path: '/sitemap.xml', parameters: [] },
  { path: '/sitemaps/:file', parameters: [] },
]

/** Binds health and metrics alone, for a process that runs generations and serves no users. */
export function createWorkerApp(services: Services): Hono {
  const app = new Hono()
  app.use(requestLog(services))
  serveMonitoring(app, services)
  app.notFound(notFound)
  app.onError(renderError(services.log))
  return app
}

function notFound(): never {
  throw new AppError('not_found')
}

function serveMonitoring(app: Hono, { config, metrics, readiness }: Services): void {
  app.get('/healthz', serveHealth)
  app.get('/readyz', serveReady(readiness))
  if (metrics && config.metricsToken !== null) app.get('/metrics', serveMetrics(metrics, config.metricsToken))
}

/** Binds every middleware and route of the server. */
export function createApp(services: Services, client: ClientBuild): Hono {
  const { config, authenticator } = services
  const app = new Hono()
  const clientAddress = createClientAddress(config, services.log)
  const clientNetwork = (c: Context) => networkOfAddress(clientAddress(c))
  const contextOf = createRequestContext(services, clientNetwork)
  const cachePublicReads = publicReads(services)
  const limitWrites: MiddlewareHandler = async (c, next) => {
    if (!isSafeMethod(c.req.method)) await services.writeLimits.perNetwork.consume(clientNetwork(c))
    await next()
  }

  // Outermost, so that cached responses are logged too.
  app.use(requestLog(services))
  // Before the other middleware, as it caches responses with all their headers.
  for (const route of publicRoutes) app.get(route.path, cachePublicReads(route))
  app.use(commonHeaders(config))
  // Before middleware that rejects requests, so that scripts of other origins can read the error.
  for (const path of ['/trpc/*', '/api/v1/*', '/feed.xml', '/oembed']) app.use(path, anyOrigin)
  app.use('/v1/*', anyProgram('Retry-After', 'X-Request-Id', 'X-Should-Retry'))
  for (const path of mcpPaths)
    app.use(path, anyProgram('Mcp-Protocol-Version', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'))
  app.use('/.well-known/oauth-*', anyProgram())
  app.use('/oauth/*', anyProgram('Retry-After'))
  // Before the checks of writes, as it changes nothing: the service worker keeps the image, where there is one.
  app.post(sharedImage.path, async (c) => {
    await discardBody(c)
    return c.redirect(pagePaths.create, 303)
  })
  // Like it: programs that read mails send no `Origin`.
  app.on(['GET', 'POST'], '/unsubscribe/:token', limitWrites, async (c) => {
    await discardBody(c)
    return serveUnsubscribe(services)(c)
  })
  app.use(csrfProtection(config))
  for (const path of ['/trpc/*', '/api/v1/*', '/v1/*', '/oauth/*']) app.use(path, limitWrites)
  app.use(receiveBodies(services, clientNetwork))

  serveMonitoring(app, services)

  const openImageFile = createOpenImageFile(services)
  app.get('/uploads/:folder/:file', serveUploads(openImageFile, contextOf))
  let mcp: Promise<Handler> | undefined
  app.on('ALL', mcpPaths, async (c, next) => {
    // Loaded with the first request, as the library takes long to load.
    mcp ??= import('../mcp/mcp-route.ts').then(({ serveMcp }) =>
      serveMcp(openImageFile, bearerOnly(contextOf)),
    )
    return (await mcp)(c, next)
  })
  app.route('/', oauthRoutes(services, clientNetwork))

  app.on(['GET', 'POST'], '/api/auth/*', (c) => {
    if (!authenticator.handle) throw new AppError('not_found')
    const request = new Request(c.req.raw)
    request.headers.set(clientAddressHeader, clientAddress(c))
    request.headers.set(languageHeader, languageOf(c).language)
    return authenticator.handle(request)
  })

  app.all('/trpc/*', async (c) => {
    const response = await fetchRequestHandler({
      endpoint: '/trpc',
      req: c.req.raw,
      router: appRouter,
      maxBatchSize,
      createContext: () => contextOf(c),
      onError: ({ error, path }) => logStreamError(services.log, error, path, c),
      responseMeta: ({ errors, info, type }) => ({
        headers: {
          ...(type === 'subscription'
            ? eventStreamHeaders
            : info?.accept === 'application/jsonl'
              ? streamHeaders
              : callHeaders),
          ...retryAfterHeader(errors),
        },
      }),
    })
    // tRPC sets none if it rejects a whole request, and appends to one from `responseMeta`.
    if (!response.headers.has('content-type')) response.headers.set('content-type', 'application/json')
    // tRPC asks to keep the connections of subscriptions open, even if the client asked to close them.
    response.headers.delete('connection')
    return response
  })

  app.get('/api/v1/openapi.json', async (c) => {
    const { name } = await readAppearance(services)
    return c.json(openApiDocument(siteOrigin(config, c.req.raw.headers), name))
  })
  // Before the routes of REST, one of whose paths it has.
  app.get(pagePaths.reference, pageHeaders(config.auth), servePage(services, client, contextOf))
  app.route('/api/v1', restRoutes(contextOf))
  app.route(
    '/v1',
    openAiRoutes(contextOf, releaseBody, (error, c) => logStreamError(services.log, error, c.req.path, c)),
  )
  app.get('/api/images/:id/download', serveImageDownload(contextOf))
  app.get('/api/posts/:id/download', servePostDownload(contextOf))
  app.get('/api/preview', servePreview(config, clientNetwork))
  app.get('/api/avatars/:file', serveAvatar)
  app.get('/api/styles/:id/:file', serveStyleCover(contextOf))
  app.all('/api/*', notFound)

  app.get(streamProbe.path, serveStreamProbe(clientNetwork))

  app.get('/feed.xml', serveFeed(contextOf))
  app.get('/oembed', serveOembed(contextOf))
  app.get(manifestPath, serveManifest(services))
  const offlinePage = createOfflinePage(client)
  app.get(serviceWorkerPath, serveServiceWorker(services, client, offlinePage))
  app.get(offlinePath, serveOfflinePage(services, offlinePage))
  app.get('/accent/:file', serveAccent)
  app.get('/logo/:file', serveLogo(services))
  app.get('/robots.txt', serveRobots(config))
  app.get(securityPath, serveSecurityContact(services))
  app.get('/.well-known/change-password', redirectToPassword(config))
  app.get('/sitemap.xml', serveSitemapIndex(contextOf))
  app.get('/sitemaps/:file', serveSitemapPart(contextOf))

  // Browsers request it for responses that are not HTML.
  app.get('/favicon.ico', (c) => c.text('The icon is at /favicon.svg.', 301, { Location: '/favicon.svg' }))
  // Their names have a hash of the content.
  app.get('/assets/*', serveClientFiles(client, immutable))
  app.get('/:file{[^/]+\\.[a-z0-9]+}', serveClientFiles(client, 'public, max-age=3600'))

  app.get('*', pageHeaders(config.auth), servePage(services, client, contextOf))

  app.notFound(notFound)
  app.onError(renderError(services.log))
  return app
}
