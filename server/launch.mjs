/**
 * Runs the built server or one of its commands, after building where the build is not of the present sources:
 * `node server/launch.mjs [build | dev | serve | COMMAND …]`. Plain JavaScript, as the oldest Node we run
 * on can't read TypeScript. A build lies in dist/ under the digest of the sources it was made of: that it is there
 * says that it is fresh, and a running server keeps the one that it was started from.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildId } from './launch/build-id.mjs'

const root = path.resolve(import.meta.dirname, '..')
const command = process.argv[2] ?? 'serve'

if (command === 'dev') {
  const { dev } = await import('./launch/dev.mjs')
  await dev(root)
} else {
  const directory = path.join(root, 'dist', buildId(root))
  if (!existsSync(directory)) {
    const { build, environmentIsValid } = await import('./launch/build.mjs')
    if (command === 'build' || (await environmentIsValid(root))) await build(root, directory)
  }
  if (command !== 'build' && existsSync(directory)) {
    await import(pathToFileURL(path.join(directory, 'server/main.js')).href)
  }
}
