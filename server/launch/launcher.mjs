/**
 * Runs the built server or one of its commands, after building if the sources have changed:
 * `node server/launch.mjs [build | pack FOLDER | dev | serve | COMMAND …]`. Plain JavaScript, because the oldest supported Node
 * can't run TypeScript. A build is in dist/, in a folder named by the digest of its sources: it is up to date if it exists,
 * and a running server keeps the one it was started from.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { buildId, runBuild } from './run-build.mjs'
import { version } from './version.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const args = process.argv.slice(2)

/** Commands of the launcher; every other command is one of the built server. */
const launcher = new Command().configureHelp({
  commandUsage: (command) =>
    command.name() === 'pack' ? 'node server/launch.mjs pack <folder>' : `npm run ${command.name()}`,
})
launcher
  .command('dev')
  .description('Serve client and server from their sources, and update the open page on changes')
  .action(async () => {
    const { dev } = await import('./dev.mjs')
    await dev(root)
  })
launcher
  .command('build')
  .description('Build client and server into dist/ if the sources have changed')
  .action(async () => void (await ensureBuild(false)))
launcher
  .command('pack')
  .description(
    'Copy the built server and everything it needs to a folder, for a machine of the same platform',
  )
  .argument('<folder>')
  .action(async (/** @type {string} */ folder) => {
    const directory = await ensureBuild(false)
    if (directory === null) return
    const { pack } = await import('./pack.mjs')
    try {
      pack(root, directory, path.resolve(folder))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      process.stderr.write(`The server was not packed: ${error.message}\n`)
      process.exitCode = 1
    }
  })

if (/^(?:serve )?(?:-V|--version)$/.test(args.join(' '))) process.stdout.write(`${version}\n`)
else if (launcher.commands.some((command) => command.name() === args[0]))
  await launcher.parseAsync(args, { from: 'user' })
else {
  // The doctor reports an invalid environment itself, and --help needs none.
  const acceptsAnyEnvironment = args[0] === 'doctor' || args.some((arg) => arg === '--help' || arg === '-h')
  const directory = await ensureBuild(!acceptsAnyEnvironment)
  // Reads the arguments of this process.
  if (directory !== null) await import(pathToFileURL(path.join(directory, 'server/main.js')).href)
}

/**
 * Builds unless there is a build of the current sources.
 *
 * @param {boolean} checksEnvironment
 * @returns {Promise<string | null>} folder of the build; null after an error, which has been printed
 */
async function ensureBuild(checksEnvironment) {
  const directory = path.join(root, 'dist', buildId(root))
  const isBuilt = existsSync(directory) || (await runBuild(root, directory, checksEnvironment))
  return isBuilt ? directory : null
}
