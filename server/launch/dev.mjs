import { createServer as createHttpServer } from 'node:http'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createServer, isRunnableDevEnvironment } from 'vite'

/**
 * @typedef {(file: string) => Promise<Record<string, any>>} Load imports a module of the server in its current version
 * @typedef {import('../config/config.ts').Config} Config
 * @typedef {{ createServices: unknown, services: import('../trpc/context.ts').Services, createApp: unknown, app: import('hono').Hono }} Current
 */

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
  /** @type {Load} */
  const load = (file) => environment.runner.import(path.join(root, file))
  try {
    await serveSources(load, http, vite, path.join(root, 'public'))
  } catch (error) {
    if (!(error instanceof Error && ['ConfigError', 'StartError'].includes(error.name))) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    await vite.close()
  }
}

/**
 * @param {Load} load
 * @param {import('node:http').Server} http
 * @param {import('vite').ViteDevServer} vite
 * @param {string} publicDirectory
 * @throws ConfigError, StartError
 */
async function serveSources(load, http, vite, publicDirectory) {
  const { readEnvironment } = await load('server/config/config.ts')
  /** @type {Config} */
  const config = readEnvironment(process.env, process.cwd())
  const { openProcessLog } = await load('server/observability/log.ts')
  const log = openProcessLog(config.logLevel)
  const { SingleServer } = await load('server/http/single-server.ts')
  const single = new SingleServer(config, log)
  // Referenced, because garbage collection would release the lock.
  process.once('exit', () => single.release())

  const lock = (/** @type {string} */ file) => single.lockDatabase(file)
  const current = keepFresh(load, config, log, publicDirectory, lock)
  const listener = getRequestListener(async (request, bindings) =>
    withViteClient(vite, await (await current()).app.fetch(withoutEncoding(request), bindings), request),
  )
  http.on('request', (request, response) => {
    const answer = () => void listener(request, response)
    if (appPaths.test(request.url ?? '')) answer()
    else vite.middlewares(request, response, answer)
  })
  const { services } = await current()
  const { setupLine } = await load('server/serve.ts')
  const { host, port, siteName } = config
  http.on('error', ({ message }) => {
    process.stderr.write(`PORT: the development server can't listen on ${host}:${port} (${message})\n`)
    process.exit(1)
  })
  const line = await setupLine(services, port)
  http.listen(port, host, () =>
    process.stdout.write(
      `${siteName} (development) is at http://${host}:${port}\n${line === null ? '' : `${line}\n`}`,
    ),
  )
}

/**
 * Lets Vite add its client to a page, without the Content-Security-Policy that forbids its inline scripts.
 *
 * @param {import('vite').ViteDevServer} vite
 * @param {Response} response
 * @param {Request} request
 */
async function withViteClient(vite, response, request) {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response
  const headers = new Headers(response.headers)
  headers.delete('content-security-policy')
  headers.delete('content-length')
  const html = await vite.transformIndexHtml(new URL(request.url).pathname, await response.text())
  return new Response(html, { status: response.status, headers })
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
 * Returns the app of the current sources, with its services. Services are recreated only when their own sources change, so that editing a page
 * does not interrupt a running generation.
 *
 * @param {Load} load
 * @param {Config} config
 * @param {import('pino').Logger} log
 * @param {string} directory of public files
 * @param {(databaseFile: string) => Promise<void>} lock called once
 * @returns {() => Promise<Current>}
 */
function keepFresh(load, config, log, directory, lock) {
  /** @type {Partial<Current>} */
  let current = {}
  /** @type {Promise<unknown>} */
  let turn = Promise.resolve()

  async function freshApp() {
    const { createServices } = await load('server/services.ts')
    if (current.createServices !== createServices) {
      await current.services?.[Symbol.asyncDispose]()
      const services = await createServices(config, log, {}, current.createServices ? undefined : lock)
      await services.generations.start()
      current = { createServices, services }
    }
    const { createApp } = await load('server/http/app.ts')
    if (current.createApp !== createApp) {
      const filesOf = () => ({ scripts: ['/src/main.tsx'], styles: [] })
      const client = { directory, filesOf, fontsOf: () => [], serviceWorker: null }
      const app = createApp(current.services, client)
      current = { ...current, createApp, app }
    }
    return /** @type {Current} */ (current)
  }

  return () => {
    const fresh = turn.then(freshApp)
    turn = fresh.catch(() => undefined)
    return fresh
  }
}
