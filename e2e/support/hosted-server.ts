import { fork, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { inject } from 'vitest'
import { rejectSecrets, secretsOf } from '../../test/support/secrets.ts'
import type { HostReply, HostRequest } from './server-host.ts'
import { defaultEnv, type Finished } from './server-process.ts'

/** A server in the host of this worker. */
export interface HostedServer {
  readonly url: string
  /** Its log. */
  readonly errors: () => string
  /** Stops it like SIGTERM; repeated calls do nothing. */
  stop(): Promise<void>
}

/** Output and exit code of a command. */
export type CommandResult = Pick<Finished, 'code' | 'stdout' | 'stderr'>

let host: ChildProcess | null = null
let runs = 0

/**
 * Port of the sites of this worker, one after another, so that a browser context can serve several. Below those that systems
 * assign to connections. Chosen again if it is in use.
 */
let sharedPort = randomPort()
let isPortUsed = false

function randomPort(): number {
  return randomInt(20_000, 30_000)
}

/** The host of this worker, launched on first use: one process loads and compiles the server's code for many sites. */
function sharedHost(): ChildProcess {
  if (host) return host
  const client = path.join(path.dirname(inject('server')), '../client')
  host = fork(inject('serverHost'), [client], { env: { PATH: process.env['PATH'] } })
  host.once('exit', () => (host = null))
  // It ends with this worker.
  host.unref()
  host.channel?.unref()
  return host
}

/** Sends requests of one run to the host, and receives what it prints. */
function openRun(folder: string, args: readonly string[], env: Record<string, string>) {
  const child = sharedHost()
  const run = (runs += 1)
  let stderr = ''
  let settle: ((end: { readonly code: number; readonly stdout: string } | Error) => void) | null = null

  const receive = (reply: HostReply) => {
    if (reply.run !== run) return
    if ('stderr' in reply) stderr += reply.stderr
    else settle?.(reply)
  }
  const fail = () => settle?.(new Error('The server host has ended.'))
  child.on('message', receive).on('exit', fail)

  async function request(message: HostRequest): Promise<CommandResult> {
    const end = await new Promise<Error | { readonly code: number; readonly stdout: string }>((resolve) => {
      settle = resolve
      child.send(message)
    })
    if (end instanceof Error) throw end
    rejectSecrets(end.stdout + stderr, secretsOf(env))
    return { code: end.code, stdout: end.stdout, stderr }
  }

  return {
    start: () => request({ run, folder, args, env: { ...defaultEnv, ...env } }),
    stop: () => request({ run, stop: true }),
    errors: () => stderr,
    close: () => child.off('message', receive).off('exit', fail),
  }
}

/** Runs a command of the server like `launch`, without a process of its own. */
export async function runHosted(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const run = openRun(folder, args, env)
  try {
    return await run.start()
  } finally {
    run.close()
  }
}

/** Starts a server like `startServer`, without a process of its own: this takes 50 ms of CPU time instead of 900. */
export async function startHostedServer(
  folder: string,
  env: Record<string, string> = {},
): Promise<HostedServer> {
  const port = isPortUsed ? 0 : sharedPort
  const run = openRun(folder, ['serve'], { PORT: String(port), ...env })
  const { code, stdout, stderr } = await run.start()
  const [url] = /http:\/\/\S+/.exec(stdout) ?? []
  if (url === undefined) {
    run.close()
    if (!stderr.includes(`PORT: ${port} is already in use`))
      throw new Error(`The server ended with ${code}: ${stderr}`)
    sharedPort = randomPort()
    return startHostedServer(folder, env)
  }
  const isShared = new URL(url).port === String(sharedPort)
  if (isShared) isPortUsed = true
  const stop = async () => {
    await run.stop()
    run.close()
    if (isShared) isPortUsed = false
  }
  let stopped: Promise<void> | null = null
  return { url, errors: run.errors, stop: () => (stopped ??= stop()) }
}
