import { pino } from 'pino'
import { parseConfig } from '../../server/config/config.ts'
import { StartError } from '../../server/errors/start-error.ts'
import type { Command } from '../../server/cli/command.ts'

/** How a test runs a command. */
export interface CommandOptions {
  readonly env?: Record<string, string>
  /** What is answered to a question; nobody is there without it. */
  readonly answer?: boolean
}

/** Runs a command in a folder and returns what it printed, asked and logged. */
export async function runCommand(
  command: Command,
  folder: string,
  args: readonly string[],
  { env = {}, answer }: CommandOptions = {},
) {
  const printed: string[] = []
  const questions: string[] = []
  const logged: string[] = []
  const config = parseConfig(env, folder)
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
  const terminal = {
    print: (line: string) => void printed.push(line),
    ask:
      answer === undefined
        ? null
        : (question: string) => {
            questions.push(question)
            return Promise.resolve(answer)
          },
  }
  let refusal: string | null = null
  try {
    await command(config, log, terminal, [...args])
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    refusal = error.message
  }
  return { printed, questions, logged, refusal }
}
