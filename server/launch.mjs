/**
 * Runs the built server or one of its commands, after building where the build is not of the present sources:
 * `node server/launch.mjs [build | pack FOLDER | dev | serve | COMMAND …]`. Plain JavaScript, as the oldest
 * Node we run on can't read TypeScript. A build lies in dist/ under the digest of the sources it was made of: that it is there
 * says that it is fresh, and a running server keeps the one that it was started from.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildId } from './launch/build-id.mjs'
import { ownArguments } from './launch/own-arguments.mjs'
import { runBuild } from './launch/run-build.mjs'

const root = path.resolve(import.meta.dirname, '..')
const [command = 'serve', ...args] = process.argv.slice(2)
const own = ownArguments(command, args)
if (own) await run(own.target)

/** @param {string | undefined} target the folder to pack into */
async function run(target) {
  if (command === 'dev') {
    const { dev } = await import('./launch/dev.mjs')
    return dev(root)
  }
  const onlyBuilds = command === 'build' || command === 'pack'
  const directory = path.join(root, 'dist', buildId(root))
  if (!existsSync(directory)) {
    // The doctor reports an invalid environment itself, and --help needs none.
    const takesAny =
      onlyBuilds || command === 'doctor' || args.some((arg) => arg === '--help' || arg === '-h')
    if (!(await runBuild(root, directory, { checksEnvironment: !takesAny }))) return
  }
  if (command === 'pack') {
    const { pack } = await import('./launch/pack.mjs')
    pack(root, directory, path.resolve(target ?? 'pack'))
  } else if (!onlyBuilds) {
    await import(pathToFileURL(path.join(directory, 'server/main.js')).href)
  }
}
