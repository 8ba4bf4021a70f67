import { execFileSync } from 'node:child_process'
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
  }
}

const root = path.resolve(import.meta.dirname, '..')

/** Finds the browser and builds once, before any test starts a server. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide(
    'chromium',
    findTestBrowser((line) => process.stdout.write(`${line}\n`)),
  )
  execFileSync(process.execPath, [path.join(root, 'server/launch.mjs'), 'build'], { stdio: 'inherit' })
  const builds: unknown = await import(pathToFileURL(path.join(root, 'server/launch/run-build.mjs')).href)
  const { buildId } = builds as { buildId: (root: string) => string }
  project.provide('server', path.join(root, 'dist', buildId(root), 'server/main.js'))
}
