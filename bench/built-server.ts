import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { Print } from './measure.ts'

/** Program that builds the server if its sources have changed, and runs it or one of its commands. */
const launcher = path.resolve(import.meta.dirname, '../server/launch.mjs')

/** Only `PATH` of the environment, and any free port. */
const serverEnvironment = {
  PATH: process.env['PATH'],
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
}

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
export function residentMegabytes({ pid }: BuiltServer): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

const kept = path.resolve(import.meta.dirname, '../node_modules/.cache/rangoli-bench')

/** A folder with a gallery of that size, kept for later runs, as seeding a million posts takes minutes. */
export function seededGallery(posts: number, print: Print): { folder: string; file: string } {
  const folder = path.join(kept, `posts-${posts}`)
  const file = path.join(folder, 'data/rangoli.db')
  if (postsIn(file) !== posts) {
    print(`bench: seeding ${posts.toLocaleString('en')} posts, kept for later runs`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    seed(folder, posts)
  }
  return { folder, file }
}

function postsIn(file: string): number {
  if (!existsSync(file)) return 0
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    return db.prepare<[], number>('SELECT count(*) FROM posts').pluck().get() ?? 0
  } finally {
    db.close()
  }
}

/** Runs work with an empty folder, which is removed afterwards. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface BuiltServer {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

/** Starts the built server as a process. */
export async function startBuiltServer(
  folder: string,
  settings: Record<string, string> = {},
): Promise<BuiltServer> {
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
