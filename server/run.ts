import { constants } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { ask, type CommandContext } from './cli/command.ts'
import { runProgram } from './cli/program.ts'
import { ConfigError, readEnvironment, type Config } from './config/config.ts'
import { StartError } from './errors/app-error.ts'
import { misspelledVariables } from './config/misspelled.ts'
import { systemCode } from './files/disk-files.ts'
import { openProcessLog } from './observability/log.ts'

const directory = process.cwd()

const print = (line: string) => process.stdout.write(`${line}\n`)

const readConfig = () => readEnvironment(process.env, directory)

const openLog = ({ logLevel }: Config) => openProcessLog(logLevel)

/** Runs the command that the arguments of this process name. @param clientDirectory folder of the built client */
export async function run(clientDirectory: string): Promise<void> {
  // Data, backups and the secret are for the user of the server only.
  process.umask(0o077)
  // A reader that has seen enough, such as `head`, ends the output of a command, and not its work.
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') throw error
  })
  const context: CommandContext = {
    readConfig,
    openLog,
    terminal: {
      print,
      ask: process.stdin.isTTY ? (question) => ask(question, process.stdin, process.stdout) : null,
    },
    directory,
    nodeVersion: process.version,
    setExitCode: (code) => (process.exitCode = code),
    serve: () => serveUntilSignal(clientDirectory),
  }
  try {
    const args = process.argv.slice(2)
    await runProgram(context, args.length > 0 ? args : ['serve'])
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** Resolves when the server listens; a signal then stops it. */
async function serveUntilSignal(clientDirectory: string): Promise<void> {
  const config = readConfig()
  // V8 lets a heap of this size double before it collects: 258 MB after 3,000 pages of searches instead of 214, in the same time.
  setFlagsFromString('--heap-growing-percent=30')
  let stop: (() => Promise<void>) | null = null
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Before the server listens there is nothing to finish, and a second signal asks not to wait. Explicit, because
      // signals have no default action for the first process of a container.
      if (!stop) process.exit(128 + constants.signals[signal])
      void stop()
      stop = null
    })
  }
  const { serve } = await import('./serve.ts')
  const log = openLog(config)
  for (const misspelled of misspelledVariables(directory)) {
    log.warn(misspelled, 'a variable in .env is unknown and has no effect')
  }
  const server = await serve(config, log, clientDirectory)
  stop = () => server.stop()
  // Last, because supervisors and scripts wait for these lines.
  for (const line of [...server.summary, await server.setupLine()]) if (line !== null) print(line)
}
