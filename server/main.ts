import { constants } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { ask } from './commands/ask.ts'
import { commands } from './commands/commands.ts'
import { serve } from './http/serve.ts'
import { ConfigError } from './config/config.ts'
import { readEnvironment } from './config/read-environment.ts'
import { StartError } from './errors/start-error.ts'
import { forTerminal } from './log/for-terminal.ts'
import { openLog } from './log/open-log.ts'

/** The entry of the built server and of its commands: `main.js [serve | COMMAND …]`. The only user of `process`. */
const [command = 'serve', ...args] = process.argv.slice(2)

try {
  const config = readEnvironment(process.env, process.cwd())
  const log = openLog(
    config.logLevel,
    process.stderr.isTTY ? forTerminal(process.stderr) : pino.destination(2),
  )
  const print = (line: string) => process.stdout.write(`${line}\n`)
  if (command === 'serve') {
    const clientDirectory = path.join(import.meta.dirname, '../client')
    const server = await serve(config, log, clientDirectory)
    let isStopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // Whoever asks a second time does not want to wait. By hand, as the first process of a container has no default.
        if (isStopping) process.exit(128 + constants.signals[signal])
        isStopping = true
        void server.stop()
      })
    }
    // Last, as whoever reads it may act on it.
    for (const line of server.summary) print(line)
  } else {
    const run = commands.get(command)
    if (!run) throw new StartError(`There is no command "${command}".`)
    const onTerminal = (question: string) => ask(question, process.stdin, process.stdout)
    await run(config, log, { print, ask: process.stdin.isTTY ? onTerminal : null }, args)
  }
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
