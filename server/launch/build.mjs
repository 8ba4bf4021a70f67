/**
 * Builds client and server: `node build.mjs ROOT DIRECTORY [--check-environment]`. A separate process, because Vite and its
 * plugins hold some 500 MB until the process ends. Exits with 1 if the environment is invalid or the build fails.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { createBuilder, runnerImport } from 'vite'
import { compressFiles } from './compress-files.mjs'
import { stopSignals } from './run-build.mjs'

/** Number of older builds to keep for servers that still run from them. */
const maxBuilds = 5

/** Age at which the folder of a killed build is removed. */
const unfinishedMaxAgeMs = 60 * 60 * 1_000

const [root = '', directory = '', option] = process.argv.slice(2)
if (option !== '--check-environment' || (await environmentIsValid())) {
  try {
    await build()
  } catch (error) {
    process.stderr.write(`The build failed:\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/** Builds into a temporary folder and renames it when complete, so that no server starts from a partial build. */
async function build() {
  const dist = path.dirname(directory)
  const unfinished = path.join(dist, `.unfinished-${randomBytes(6).toString('hex')}`)
  const discard = () => rmSync(unfinished, { recursive: true, force: true, maxRetries: 3 })
  for (const signal of stopSignals) {
    process.once(signal, () => {
      discard()
      process.kill(process.pid, signal)
    })
  }
  mkdirSync(unfinished, { recursive: true })
  process.stdout.write('Building …\n')
  // Overrides the environment and its check: a build is always for production.
  process.env['NODE_ENV'] = 'production'
  try {
    const outDir = (/** @type {string} */ part) => ({ build: { outDir: path.join(unfinished, part) } })
    const builder = await createBuilder({
      root,
      logLevel: 'warn',
      environments: { client: outDir('client'), ssr: outDir('server'), serviceWorker: outDir('client') },
    })
    await builder.buildApp()
    compressFiles(path.join(unfinished, 'client'))
    try {
      renameSync(unfinished, directory)
    } catch (error) {
      // Another process has built the same sources.
      if (!existsSync(directory)) throw error
    }
  } finally {
    discard()
  }
  removeOldBuilds(dist)
}

/** Prints the issues of the environment before a build of several seconds. */
async function environmentIsValid() {
  const { module } = await runnerImport(path.join(root, 'server/config/config.ts'), {
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

/** @param {string} dist */
function removeOldBuilds(dist) {
  const folders = readdirSync(dist).map((name) => ({
    name,
    // Another process may have removed it.
    modifiedAt: statSync(path.join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }))
  const old = folders
    .filter(({ name }) => /^[0-9a-f]{16}$/.test(name))
    .sort((a, b) => b.modifiedAt - a.modifiedAt)
    .slice(1 + maxBuilds)
  const killed = folders.filter(
    ({ name, modifiedAt }) => name.startsWith('.unfinished-') && modifiedAt < Date.now() - unfinishedMaxAgeMs,
  )
  for (const { name } of [...old, ...killed]) rmSync(path.join(dist, name), { recursive: true, force: true })
}
