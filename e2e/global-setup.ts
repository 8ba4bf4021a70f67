import { execFileSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { findTestBrowser } from './support/find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser. */
    chromium: string
    /** Path of the built server's entry. */
    server: string
    /** Path of the built entry of server hosts. */
    serverHost: string
  }
}

const root = path.resolve(import.meta.dirname, '..')

/** Entry of server hosts, and the folder with the other files of tests that it imports. */
const hostEntry = 'e2e/support/server-host.ts'
const hostSources = [hostEntry, 'test/support']

/** Finds the browser and builds once, before any test starts a server. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide(
    'chromium',
    findTestBrowser((line) => process.stdout.write(`${line}\n`)),
  )
  execFileSync(process.execPath, [path.join(root, 'server/launch.mjs'), 'build'], { stdio: 'inherit' })
  const builds = (await import(pathToFileURL(path.join(root, 'server/launch/run-build.mjs')).href)) as {
    readonly buildId: (root: string) => string
    readonly digestOf: (root: string, files: readonly string[]) => string
  }
  const build = path.join(root, 'dist', builds.buildId(root))
  project.provide('server', path.join(build, 'server/main.js'))
  const host = path.join(build, `server-host-${builds.digestOf(root, hostSources)}`)
  if (!existsSync(host)) buildHost(host)
  project.provide('serverHost', path.join(host, 'server-host.js'))
}

/** Builds the entry of server hosts as Vite builds that of the server. In a process of its own, which frees its memory. */
function buildHost(directory: string): void {
  const unfinished = `${directory}.unfinished`
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(
    process.execPath,
    [vite, 'build', '--ssr', hostEntry, '--outDir', unfinished, '--logLevel', 'warn'],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production' }, stdio: 'inherit' },
  )
  renameSync(unfinished, directory)
}
