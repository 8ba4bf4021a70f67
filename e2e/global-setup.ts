import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { findTestBrowser } from './support/find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser. */
    chromium: string
  }
}

const launcher = path.resolve(import.meta.dirname, '../server/launch.mjs')

/** Finds the browser and builds once, before any test starts a server. */
export default function setup(project: TestProject): void {
  project.provide(
    'chromium',
    findTestBrowser((line) => process.stdout.write(`${line}\n`)),
  )
  execFileSync(process.execPath, [launcher, 'build'], { stdio: 'inherit' })
}
