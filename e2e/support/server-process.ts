import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { rejectSecrets, secretsOf } from '../../test/support/secrets.ts'

/** Program of `npm start`, which builds if the sources have changed. */
export const launcher = path.resolve(import.meta.dirname, '../../server/launch.mjs')

/** Output and exit status of a command. */
export interface Finished {
  readonly code: number | null
  /** Signal that killed it; null if it exited by itself. */
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Variables of every server. Without the service worker, whose requests tests can't intercept. */
export const defaultEnv = { HOST: '127.0.0.1', PORT: '0', SERVICE_WORKER: 'off' }

/** Creates a temporary folder for a server. */
export async function makeFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-e2e-'))
  // Again if a missing thumbnail was stored meanwhile, which a stopping server does not wait for.
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) }
}

/**
 * Runs the built server or one of its commands in a folder, with nothing of this process's environment but PATH.
 *
 * @param file program to run instead, such as `launcher`
 */
export function launch(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
  file = inject('server'),
) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...defaultEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const finished = once(child, 'close').then(([code, signal]): Finished => {
    rejectSecrets(stdout + stderr, secretsOf(env))
    return { code, signal, stdout, stderr }
  })
  return { child, finished, output: () => stdout, errors: () => stderr }
}

/** A listening server process. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  readonly output: () => string
  /** Its log. */
  readonly errors: () => string
  readonly finished: Promise<Finished>
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Finished>
  /** Sends SIGKILL, as in a crash, and waits for the exit. */
  kill(): Promise<Finished>
}

/** Starts the server and waits until it prints its address. */
export async function startServer(folder: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const { child, finished, output, errors } = launch(folder, ['serve'], env)
  const address = /http:\/\/\S+/
  const url = await Promise.race([
    new Promise<string>((resolve) => {
      child.stdout.on('data', () => {
        const found = address.exec(output())?.[0]
        if (found && output().includes('uploads')) resolve(found)
      })
    }),
    finished.then(({ code, stderr }) => {
      throw new Error(`The server ended with ${code}: ${stderr}`)
    }),
  ])
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return finished
  }
  return { url, child, output, errors, finished, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}
