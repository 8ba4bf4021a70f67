import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { createServices, type Services } from '../services.ts'
import { sweepOrphans } from '../images/orphans.ts'
import { createApp } from './app.ts'
import { readClientBuild } from './ssr/client-build.ts'
import { connectionLimits, Connections } from './connections.ts'
import { listen } from './listen.ts'
import { SingleServer } from './single-server.ts'

/** Interval between two sweeps of orphaned images, in milliseconds. */
const sweepIntervalMs = 60 * 60 * 1_000

/** For those who wait to be told how their image ended when the time is over, in seconds. */
const leastClosing = 0.5

/** A running server. */
export interface RunningServer {
  /** Lines for the terminal: where it is, and what it uses. */
  readonly summary: readonly string[]
  /**
   * Takes no more jobs and is not ready from now on. Answers all the same until the running jobs have ended, then takes
   * no more requests, lets the running ones finish, and closes everything; all within SHUTDOWN_SECONDS.
   */
  stop(): Promise<void>
}

/**
 * Runs the server: opens what the configuration names, and listens.
 *
 * @throws StartError
 */
export async function serve(config: Config, log: Logger, clientDirectory: string): Promise<RunningServer> {
  const single = new SingleServer(config, log)
  try {
    return await serveAlone(config, log, clientDirectory, single)
  } catch (error) {
    single.release()
    throw error
  }
}

async function serveAlone(
  config: Config,
  log: Logger,
  clientDirectory: string,
  single: SingleServer,
): Promise<RunningServer> {
  await single.lockDatabase()
  const services = await createServices(config, log)
  await single.lockUploads()
  const listening = await listen(
    createApp(services, readClientBuild(clientDirectory)),
    config.host,
    config.port,
    new Connections(connectionLimits(config), log),
  )
  await services.generations.recover()
  const sweeping = keepSweeping(services)

  return {
    summary: summary(config, listening.port),
    async stop() {
      const deadline = performance.now() + config.shutdownGrace * 1_000
      const { running, waiting } = services.generations.load
      log.info({ running, waiting, seconds: config.shutdownGrace }, 'stopping')
      services.readiness.stop()
      clearInterval(sweeping)
      await services.generations.stop(config.shutdownGrace)
      await listening.close(Math.max(leastClosing, (deadline - performance.now()) / 1_000))
      await services.db.destroy()
      single.release()
    },
  }
}

function keepSweeping(services: Services): NodeJS.Timeout {
  const sweep = async () => {
    try {
      const { refusal, ...counts } = await sweepOrphans(services, services.now())
      if (refusal !== null) services.log.warn(refusal)
      if (Object.values(counts).some((count) => count > 0)) services.log.info(counts, 'swept orphaned images')
    } catch (err) {
      services.log.error({ err }, 'orphaned images could not be swept')
    }
  }
  void sweep()
  return setInterval(() => void sweep(), sweepIntervalMs).unref()
}

function summary(config: Config, port: number): string[] {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const signIn = config.auth.kind === 'local' ? `local accounts, sign-up ${config.auth.signUp}` : 'Clerk'
  return [
    `${config.siteName} is at http://${host}:${port}`,
    `  sign-in       ${signIn}`,
    `  image engine  ${config.engine.kind}`,
    `  database      ${config.databaseFile}`,
    `  uploads       ${config.uploadsDirectory}`,
  ]
}
