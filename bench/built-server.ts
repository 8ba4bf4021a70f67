import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const launcher = path.resolve(import.meta.dirname, '../server/launch.mjs')

/** Nothing of our own environment but the path to programs, and any free port. */
const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }

/** Fills a folder's gallery; builds first where nothing is built of the present sources. */
export function seed(folder: string, posts: number): void {
  execFileSync(process.execPath, [launcher, 'seed', '--posts', String(posts)], { cwd: folder, env })
}

export interface BuiltServer {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

/** The built server as a process of its own, as it runs anywhere. */
export async function startBuiltServer(
  folder: string,
  settings: Record<string, string> = {},
): Promise<BuiltServer> {
  const child = spawn(process.execPath, [launcher, 'serve'], {
    cwd: folder,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8')
  while (!output.includes('uploads')) {
    const [text] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown]
    if (typeof text !== 'string') throw new Error(`The server ended with ${child.exitCode}.`)
    output += text
  }
  const port = Number(/http:\/\/\S+:(\d+)/.exec(output)?.[1])
  return {
    port,
    pid: child.pid ?? NaN,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
