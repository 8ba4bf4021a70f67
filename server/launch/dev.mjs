import { createServer as createHttpServer } from 'node:http'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { createServer, isRunnableDevEnvironment } from 'vite'

/** Paths that the app serves even if the project's folder has a file of that path. */
const appPaths = /^\/(?:api|trpc|uploads)\//

/**
 * Serves client and server from their sources on one port. A change of the client updates the open page; a change of the
 * server takes effect with the next request.
 *
 * @param {string} root the project's folder
 */
export async function dev(root) {
  process.umask(0o077)
  const http = createHttpServer()
  const vite = await createServer({ root, server: { middlewareMode: true, ws: { server: http } } })
  const environment = vite.environments.ssr
  if (!isRunnableDevEnvironment(environment)) throw new Error('Vite has no module runner for the server.')
  const load = (/** @type {string} */ file) => environment.runner.import(path.join(root, file))

  const { readEnvironment } = await load('server/config/config.ts')
  /** @type {import('../config/config.ts').Config | null} */
  const config = await orPrint(() => readEnvironment(process.env, process.cwd()))
  if (!config || !(await orPrint(() => lockSite(load, config)))) return vite.close()
  const app = keepFresh(load, config, path.join(root, 'public'))

  const listener = getRequestListener(async (request, bindings) =>
    withViteClient(await (await app()).fetch(withoutEncoding(request), bindings), request),
  )
  http.on('request', (request, response) => {
    const answer = () => void listener(request, response)
    if (appPaths.test(request.url ?? '')) answer()
    else vite.middlewares(request, response, answer)
  })

  /**
   * Lets Vite add its client to a page, without the Content-Security-Policy that forbids its inline scripts.
   *
   * @param {Response} response
   * @param {Request} request
   */
  async function withViteClient(response, request) {
    if (!response.headers.get('content-type')?.startsWith('text/html')) return response
    const headers = new Headers(response.headers)
    headers.delete('content-security-policy')
    headers.delete('content-length')
    const html = await vite.transformIndexHtml(new URL(request.url).pathname, await response.text())
    return new Response(html, { status: response.status, headers })
  }

  await app()
  http.on('error', (error) => {
    process.stderr.write(
      `PORT: the development server can't listen on ${config.host}:${config.port} (${error.message})\n`,
    )
    process.exit(1)
  })
  http.listen(config.port, config.host, () =>
    process.stdout.write(`${config.siteName} (development) is at http://${config.host}:${config.port}\n`),
  )
}

/**
 * The same request without headers for compression and revalidation, so that the page can be changed.
 *
 * @param {Request} request
 */
function withoutEncoding(request) {
  if (request.method !== 'GET') return request
  const headers = new Headers(request.headers)
  for (const name of ['accept-encoding', 'if-none-match']) headers.delete(name)
  return new Request(request, { headers })
}

/**
 * Runs work, and prints the message of an invalid environment or of a start that cannot succeed.
 *
 * @template Result
 * @param {() => Result | Promise<Result>} work
 * @returns {Promise<Result | null>} null after an error
 */
async function orPrint(work) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && ['ConfigError', 'StartError'].includes(error.name))) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    return null
  }
}

/**
 * Locks the site for the lifetime of this process.
 *
 * @param {(file: string) => Promise<Record<string, any>>} load
 * @param {import('../config/config.ts').Config} config
 */
async function lockSite(load, config) {
  const { SingleServer } = await load('server/http/single-server.ts')
  const single = new SingleServer(config, await developmentLog(load, config))
  if (config.database.kind === 'sqlite') await single.lockDatabase(config.database.file)
  // Referenced, because garbage collection would release the lock.
  process.once('exit', () => single.release())
  return true
}

/**
 * @param {(file: string) => Promise<Record<string, any>>} load
 * @param {import('../config/config.ts').Config} config
 */
async function developmentLog(load, config) {
  const { openLog, terminalLog } = await load('server/observability/log.ts')
  return openLog(config.logLevel, process.stderr.isTTY ? terminalLog(process.stderr) : pino.destination(2))
}

/**
 * Returns the app of the current sources. Services are recreated only when their own sources change, so that editing a page
 * does not interrupt a running generation.
 *
 * @param {(file: string) => Promise<Record<string, any>>} load
 * @param {import('../config/config.ts').Config} config
 * @param {string} publicDirectory
 * @returns {() => Promise<import('hono').Hono>}
 */
function keepFresh(load, config, publicDirectory) {
  /** @type {{ createServices: unknown, services: import('../trpc/context.ts').Services } | null} */
  let running = null
  /** @type {{ createApp: unknown, services: unknown, app: import('hono').Hono } | null} */
  let mounted = null
  /** @type {Promise<unknown>} */
  let turn = Promise.resolve()

  async function freshServices() {
    const { createServices } = await load('server/services.ts')
    if (running && running.createServices === createServices) return running.services
    await running?.services[Symbol.asyncDispose]()
    const services = await createServices(config, await developmentLog(load, config))
    await services.generations.start()
    running = { createServices, services }
    return services
  }

  async function freshApp() {
    const services = await freshServices()
    const { createApp } = await load('server/http/app.ts')
    if (mounted && mounted.createApp === createApp && mounted.services === services) return mounted.app
    const page = (/** @type {string} */ script) => ({ script, imports: [], styles: [] })
    const client = {
      directory: publicDirectory,
      ...page('/src/main.tsx'),
      lazyPages: {},
      messages: {},
      serviceWorker: null,
    }
    const app = createApp(services, client)
    mounted = { createApp, services, app }
    return app
  }

  return () => {
    const app = turn.then(freshApp)
    turn = app.then(
      () => undefined,
      () => undefined,
    )
    return app
  }
}
