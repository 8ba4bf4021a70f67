import { existsSync } from 'node:fs'
import type { CommandContext } from '../../server/cli/command.ts'
import { runProgram } from '../../server/cli/program.ts'
import { ConfigError, readEnvironment, type Config } from '../../server/config/config.ts'
import { StartError } from '../../server/errors/app-error.ts'
import { serve } from '../../server/serve.ts'
import { openLog } from '../../server/observability/log.ts'
import { createEmptyDatabase } from '../../test/support/empty-database.ts'
import { rememberedHashing } from '../../test/support/password-hashing.ts'

/**
 * Entry of the process that runs the sites of a test worker: `server-host.js CLIENT_DIRECTORY`. Does what `main.ts` does, in any
 * folder and with any environment, as requested by messages of its parent process. Passwords are hashed once, thumbnails are
 * encoded once, patterns are drawn coarsely, and databases of new sites with the default paths are copies. Bundled like the server, by global-setup.ts.
 */

/** Message to the host: runs `serve` or another command, or stops the server of a run. */
export type HostRequest =
  | {
      readonly run: number
      readonly folder: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | { readonly run: number; readonly stop: true }

/** Message from the host: an addition to the standard error of a run, or the end of a request. `serve` ends when it listens. */
export type HostReply =
  | { readonly run: number; readonly stderr: string }
  | { readonly run: number; readonly code: number; readonly stdout: string }

const [clientDirectory = ''] = process.argv.slice(2)

/** Running servers by the id of their run. */
const servers = new Map<number, Awaited<ReturnType<typeof serve>>>()

const reply = (message: HostReply) => void process.send?.(message)

await import('../../test/support/remembered-images.ts')
await import('../../test/support/coarse-drawings.ts')
process.on('message', (request: HostRequest) => void handle(request))
process.once('disconnect', () => process.exit())

async function handle(request: HostRequest): Promise<void> {
  const { run } = request
  if ('stop' in request) {
    await servers.get(run)?.stop()
    servers.delete(run)
    reply({ run, code: 0, stdout: '' })
    return
  }
  const { folder, args, env } = request
  let stdout = ''
  let code = 0
  const logError = (line: string) => reply({ run, stderr: line })
  const print = (line: string) => void (stdout += `${line}\n`)
  const context: CommandContext = {
    readConfig: () => readEnvironment(env, folder),
    openLog: ({ logLevel }: Config) => openLog(logLevel, { write: logError }),
    terminal: { print, ask: null },
    directory: folder,
    nodeVersion: process.version,
    setExitCode: (value) => (code = value),
    async serve() {
      const config = context.readConfig()
      const { database } = config
      const isDefault = env['DATABASE_URL'] === undefined && env['UPLOADS_DIR'] === undefined
      if (isDefault && database.kind === 'sqlite' && !existsSync(database.file))
        await createEmptyDatabase(database.file)
      const overrides = { passwordHashing: rememberedHashing }
      const server = await serve(config, context.openLog(config), clientDirectory, overrides)
      servers.set(run, server)
      for (const line of [...server.summary, await server.setupLine()]) if (line !== null) print(line)
    },
  }
  try {
    await runProgram(context, args)
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof StartError)) throw error
    logError(`${error.message}\n`)
    code = 1
  }
  reply({ run, code, stdout })
}
