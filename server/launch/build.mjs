import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, existsSync } from 'node:fs'
import path from 'node:path'
import { createBuilder, runnerImport } from 'vite'
import { compressFiles } from './compress-files.mjs'

/** Older builds that are kept, so that a server that still runs from one finds its files. */
const buildsKept = 5

/**
 * Builds client and server beside everything else and moves the whole into place, so that nobody sees half of it.
 *
 * @param {string} root the project's folder
 * @param {string} directory where the build is to lie
 */
export async function build(root, directory) {
  const dist = path.dirname(directory)
  const unfinished = path.join(dist, `.unfinished-${randomBytes(6).toString('hex')}`)
  mkdirSync(unfinished, { recursive: true })
  process.stdout.write('Building …\n')
  // Whatever it was set to, also by the check of the environment: a build is for production.
  process.env['NODE_ENV'] = 'production'
  try {
    const outDir = (/** @type {string} */ part) => ({ build: { outDir: path.join(unfinished, part) } })
    const builder = await createBuilder({
      root,
      logLevel: 'warn',
      environments: { client: outDir('client'), ssr: outDir('server') },
    })
    await builder.buildApp()
    compressFiles(path.join(unfinished, 'client'))
    moveIntoPlace(unfinished, directory)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  removeOldBuilds(dist)
}

/**
 * Whether the server could start in the present environment; prints what is wrong with it. Asked before a
 * build, as nobody wants to wait for one only to read that PORT is no number.
 *
 * @param {string} root the project's folder
 */
export async function environmentIsValid(root) {
  const { module } = await runnerImport(path.join(root, 'server/config/read-environment.ts'), {
    root,
    configFile: false,
    logLevel: 'error',
  })
  try {
    module.readEnvironment(process.env, process.cwd())
    return true
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConfigError')) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    return false
  }
}

/**
 * @param {string} unfinished
 * @param {string} directory
 */
function moveIntoPlace(unfinished, directory) {
  try {
    renameSync(unfinished, directory)
  } catch (error) {
    // Another process built the same sources meanwhile: its build is ours.
    if (!existsSync(directory)) throw error
  }
}

/** @param {string} dist */
function removeOldBuilds(dist) {
  const builds = readdirSync(dist)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => ({ name, built: statSync(path.join(dist, name)).mtimeMs }))
    .sort((a, b) => b.built - a.built)
  for (const { name } of builds.slice(1 + buildsKept))
    rmSync(path.join(dist, name), { recursive: true, force: true })
}
