import { constants } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { ask } from './cli/ask.ts'
import { commands } from './cli/commands.ts'
import { doctor } from './cli/doctor.ts'
import { parseOptions } from './cli/parse-options.ts'
import { usage } from './cli/usage.ts'
import { serve } from './http/serve.ts'
import { ConfigError, type Config } from './config/config.ts'
import { readEnvironment } from './config/read-environment.ts'
import { StartError } from './errors/start-error.ts'
import { openLog } from './observability/log.ts'
import { terminalLog } from './observability/terminal-log.ts'

/** The entry of the built server and of its commands: `main.js [serve | COMMAND …]`. The only user of `process`. */
const [command = 'serve', ...args] = process.argv.slice(2)

try {
  const directory = process.cwd()
  const readConfig = () => readEnvironment(process.env, directory)
  const logOf = ({ logLevel }: Config) =>
    openLog(logLevel, process.stderr.isTTY ? terminalLog(process.stderr) : pino.destination(2))
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const onTerminal = (question: string) => ask(question, process.stdin, process.stdout)
  const terminal = { print, ask: process.stdin.isTTY ? onTerminal : null }
  if (command === '--help' || (command === 'serve' && args.includes('--help'))) {
    print(usage)
  } else if (command === 'serve') {
    parseOptions(
      { args, options: {} },
      'npm start takes no arguments; npm start -- --help says what there is.',
    )
    const config = readConfig()
    const clientDirectory = path.join(import.meta.dirname, '../client')
    let stop: (() => Promise<void>) | null = null
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // Before the server runs there is nothing to finish, and a second signal asks not to wait. Explicit, as signals
        // have no default action for the first process of a container.
        if (!stop) process.exit(128 + constants.signals[signal])
        void stop()
        stop = null
      })
    }
    const server = await serve(config, logOf(config), clientDirectory)
    stop = () => server.stop()
    // Last, as whoever reads it may act on it.
    for (const line of server.summary) print(line)
  } else if (command === 'doctor') {
    // The one that tells of an environment that stops all others.
    const surroundings = { readConfig, directory, nodeVersion: process.version }
    if (!(await doctor(surroundings, terminal, args))) process.exitCode = 1
  } else {
    const config = readConfig()
    const run = commands.get(command)
    if (!run) throw new StartError(`There is no command "${command}".`)
    await run(config, logOf(config), terminal, args)
  }
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
