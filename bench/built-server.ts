import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Print } from './measure.ts'

/** Program that builds the server if its sources have changed, and runs it or one of its commands. */
const launcher = path.resolve(import.meta.dirname, '../server/launch.mjs')

/** Only `PATH` of the environment, and any free port. */
const serverEnvironment = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }

/** Runs a command for the site in a folder, and returns its output; builds the server first if the build is outdated. */
export function runCommand(folder: string, args: readonly string[]): string {
  const options = { cwd: folder, env: serverEnvironment, encoding: 'utf8' } as const
  return execFileSync(process.execPath, [launcher, ...args], options)
}

/** Seeds the gallery of a folder. */
export function seed(folder: string, posts: number): void {
  runCommand(folder, ['seed', '--posts', String(posts)])
}

/** Returns the memory of a server, in MB. */
export function residentMegabytes({ pid }: { readonly pid: number }): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

const kept = path.resolve(import.meta.dirname, '../node_modules/.cache/rangoli-bench')

/** A folder with a gallery of that size, kept for later runs, as seeding a million posts takes minutes. */
export function seededGallery(posts: number, print: Print): { folder: string; file: string } {
  const folder = path.join(kept, `posts-${posts}`)
  const unfinished = `${folder}-unfinished`
  if (!existsSync(folder)) {
    print(`bench: seeding ${posts.toLocaleString('en')} posts, kept for later runs`)
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    seed(unfinished, posts)
    renameSync(unfinished, folder)
  }
  return { folder, file: path.join(folder, 'data/rangoli.db') }
}

/** Creates an empty folder, which is removed at the end of its scope. */
export async function emptyFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-bench-'))
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Starts the built server as a process, which ends at the end of its scope. */
export async function startServer(folder: string, settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [launcher, 'serve'], {
    cwd: folder,
    env: { ...serverEnvironment, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8')
  while (!output.includes('uploads')) {
    const [text] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown]
    if (typeof text !== 'string') throw new Error(`The server exited with ${child.exitCode}.`)
    output += text
  }
  return {
    port: Number(/http:\/\/\S+:(\d+)/.exec(output)?.[1]),
    pid: child.pid ?? NaN,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
