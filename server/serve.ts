import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { pagePaths } from '../shared/routes.ts'
import type { Config } from './config/config.ts'
import { databaseName } from './db/database-config.ts'
import { sweepPrograms } from './access/programs.ts'
import { sweepImages } from './images/trash-sweep.ts'
import { createServices, type ServiceOverrides } from './services.ts'
import type { Services } from './trpc/context.ts'
import { createApp, createWorkerApp } from './http/app.ts'
import { connectionLimits, Connections, findAddresses, listen } from './http/connections.ts'
import { SingleServer } from './http/single-server.ts'
import { readClientBuild } from './http/ssr/client-build.ts'
import { queueDigests } from './mail/digests.ts'
import { pruneNotifications } from './notifications/notify.ts'
import { pruneDeliveries } from './webhooks/delivery-queue.ts'

const sweepIntervalMs = 60 * 60 * 1_000

/** Time to send the last events of canceled jobs when `SHUTDOWN_SECONDS` is over. */
const minCloseSeconds = 0.5

/** Time in which load balancers notice a stopping process: two checks, one second apart. */
const drainMs = 2_500

/** Starts the server: locks the site, opens its data, and listens. @throws StartError */
export async function serve(
  config: Config,
  log: Logger,
  clientDirectory: string,
  overrides?: ServiceOverrides,
) {
  // Before anything is opened or created.
  const addresses = await findAddresses(config.host)
  const single = new SingleServer(config, log)
  try {
    const services = await createServices(config, log, overrides, (file) => single.lockDatabase(file))
    await single.lockUploads()
    return await start(services, addresses, clientDirectory, () => single.release())
  } catch (error) {
    single.release()
    throw error
  }
}

async function start(
  services: Services,
  addresses: readonly string[],
  clientDirectory: string,
  onStopped: () => void,
) {
  const { config, log, generations } = services
  const workers = Object.values(services.workers)
  const app =
    config.role === 'worker'
      ? createWorkerApp(services)
      : createApp(services, readClientBuild(clientDirectory))
  const connections = new Connections(connectionLimits(config), log)
  const listening = await listen(app, addresses, config.port, connections)
  await generations.start()
  for (const worker of workers) worker.start()
  const stopSweeps = scheduleSweeps(services)

  return {
    /** Lines for the terminal: URL and configuration. */
    summary: summary(services, listening.port),
    setupLine: () => setupLine(services, listening.port),
    /**
     * Stops accepting jobs and reports not ready, but serves requests until the running jobs have ended, and load balancers
     * have noticed if there may be several processes; then stops listening, completes open requests, and closes everything.
     * Takes at most `SHUTDOWN_SECONDS`.
     */
    async stop() {
      const seconds = config.shutdownSeconds
      const deadline = performance.now() + seconds * 1_000
      log.info({ running: generations.running, seconds }, 'stopping')
      services.readiness.stop()
      stopSweeps()
      await Promise.all([...[generations, ...workers].map((queue) => queue.stop(seconds)), drained(config)])
      await listening.close(Math.max(minCloseSeconds, (deadline - performance.now()) / 1_000))
      await services[Symbol.asyncDispose]()
      onStopped()
    },
  }
}

/**
 * Waits until load balancers have noticed that the process stops, if it can be one of several. A write that arrived while its
 * connection was closed would be lost to them, as they never send one twice.
 */
async function drained({ database, storage, role, shutdownSeconds }: Config): Promise<void> {
  if (database.kind === 'sqlite' || storage.kind === 'disk' || role === 'worker') return
  await pause(Math.min(drainMs, shutdownSeconds * 1_000))
}

/**
 * Removes orphaned images, and those whose time is over, now and once an hour.
 *
 * @returns a function that schedules no more sweeps
 */
function scheduleSweeps(services: Services): () => void {
  const { db, log } = services
  let isStopped = false
  const sweeps: Readonly<Record<string, () => Promise<Readonly<Record<string, number>>>>> = {
    'orphaned images': async () => {
      const { skippedReason, ...counts } = await services.sweepOrphans(services.now())
      if (skippedReason !== null) log.warn(skippedReason)
      return counts
    },
    images: async () => ({ ...(await sweepImages(services)) }),
    'deliveries of webhooks': async () => ({ deliveries: await pruneDeliveries(db, services.now()) }),
    programs: async () => ({ programs: await sweepPrograms(services) }),
    notifications: async () => ({ notifications: await pruneNotifications(db, services.now()) }),
    // Without its address the site has no links to unsubscribe.
    ...(services.workers.mails &&
      services.config.publicOrigin !== null && {
        'daily mails': async () => ({ mails: await queueDigests(services) }),
      }),
  }
  const sweep = async () => {
    for (const [kind, run] of Object.entries(sweeps)) {
      if (isStopped) return
      try {
        const counts = await run()
        if (Object.values(counts).some((count) => count > 0)) log.info(counts, `swept ${kind}`)
      } catch (err) {
        // The server does not wait for a sweep, whose database it closes; the next start sweeps again.
        if (isStopped) log.info({ err }, `a sweep of ${kind} ended with the server`)
        else log.error({ err }, `${kind} could not be swept`)
      }
    }
  }
  void sweep()
  const timer = setInterval(() => void sweep(), sweepIntervalMs).unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

function describeSignIn(auth: Config['auth']): string {
  if (auth.kind === 'clerk') return 'Clerk'
  const ways = [auth.localSignIn && 'local accounts', auth.provider && auth.provider.name].filter(Boolean)
  return [...ways, `sign-up ${auth.signUp ?? 'as chosen on the site'}`].join(', ')
}

/**
 * Returns the line that tells the operator where to set up the site, with the code; null if there is an administrator.
 * @public The development server loads it by its name.
 */
export async function setupLine(
  { config, setup }: Pick<Services, 'config' | 'setup'>,
  port: number,
): Promise<string | null> {
  if (config.role === 'worker' || !(await setup.isOpen())) return null
  const origin = config.publicOrigin ?? originOf(config, port)
  return `Set up this site: ${origin}${pagePaths.setup}#code=${setup.code()}`
}

/** Returns the address for a browser on this machine, which opens no address that stands for all. */
function originOf({ host }: Pick<Config, 'host'>, port: number): string {
  const name = /^(?:0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function summary({ config, engines: { all } }: Pick<Services, 'config' | 'engines'>, port: number) {
  const { siteName, role, auth, database, storage } = config
  return [
    `${siteName} is at ${originOf(config, port)}`,
    ...(role === 'all' ? [] : [`  role          ${role}`]),
    `  sign-in       ${describeSignIn(auth)}`,
    `  image engine${all.length === 1 ? ' ' : 's'} ${all.map(({ id }) => id).join(', ')}`,
    `  database      ${databaseName(database)}`,
    `  uploads       ${storage.kind === 'disk' ? storage.directory : `bucket ${storage.bucket}`}`,
  ]
}
