import path from 'node:path'
import { pino } from 'pino'
import { runProgram } from '../../server/cli/program.ts'
import { parseConfig, type Config } from '../../server/config/config.ts'
import { StartError } from '../../server/errors/app-error.ts'
import { createPostgresDatabase, postgresEnvironment } from './databases.ts'

interface CommandOptions {
  readonly env?: Record<string, string>
  /** Replaces the configuration from `env`. */
  readonly readConfig?: () => Config
  /** Reply to every confirmation. Without it, the command runs without a terminal. */
  readonly answer?: boolean
}

/** Lines that are printed if work takes more than two seconds. */
const progress = /^\d+ of \d+ \w+$/

/** Runs a command in a folder, and returns its output without progress, its questions, its log and its error message. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  { env = {}, readConfig, answer }: CommandOptions = {},
) {
  // The database of a test server in the same folder.
  const postgres = readConfig ? null : await createPostgresDatabase(path.basename(folder).toLowerCase())
  const variables = { ...(postgres && postgresEnvironment(postgres.url)), ...env }
  const printed: string[] = []
  const questions: string[] = []
  const logged: string[] = []
  let exitCode = 0
  const ask = (question: string) => {
    questions.push(question)
    return Promise.resolve(answer === true)
  }
  const context = {
    readConfig: readConfig ?? (() => parseConfig(variables, folder)),
    openLog: () => pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    terminal: {
      print: (line: string) => void (progress.test(line) || printed.push(line)),
      ask: answer === undefined ? null : ask,
    },
    directory: folder,
    nodeVersion: 'v20.19.0',
    setExitCode: (code: number) => (exitCode = code),
    serve: () => Promise.reject(new Error('Tests of commands start no server.')),
  }
  let error: string | null = null
  try {
    await runProgram(context, args)
  } catch (thrown) {
    if (!(thrown instanceof StartError)) throw thrown
    error = thrown.message
    exitCode = 1
  }
  return { printed, questions, logged, error, exitCode }
}
