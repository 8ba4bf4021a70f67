import type { Config } from '../config/config.ts'
import { diagnose } from '../ops/doctor/doctor.ts'
import { count, type Line } from '../ops/doctor/report.ts'
import { clerkOrigins } from '../ops/doctor/sign-in.ts'
import type { Terminal } from './command.ts'
import { parseOptions } from './parse-options.ts'

const usage = `Usage: npm run doctor -- [--yes]

Checks what the environment configures, and says how to fix what does not work. It changes nothing.

  --yes   generates up to two images at the image service without asking, which may cost money`

/** Where the environment comes from. */
export interface Surroundings {
  /** @throws ConfigError */
  readonly readConfig: () => Config
  /** The working directory. */
  readonly directory: string
  readonly nodeVersion: string
}

/**
 * The command `doctor`: unlike the others it also runs in an invalid environment, and reports it.
 *
 * @returns whether there is no problem
 * @throws StartError for invalid arguments
 */
export async function doctor(
  surroundings: Surroundings,
  { print, ask }: Terminal,
  args: string[],
  clerk = clerkOrigins,
): Promise<boolean> {
  const { values: options } = parseOptions(
    { args, options: { yes: { type: 'boolean' }, help: { type: 'boolean' } } },
    'npm run doctor -- --help says how it is used.',
  )
  if (options.help) {
    print(usage)
    return true
  }
  const counts = { ok: 0, note: 0, problem: 0 }
  const confirm = options.yes ? () => Promise.resolve(true) : ask
  for await (const { title, lines } of diagnose({ ...surroundings, confirm, clerk })) {
    print(title)
    for (const line of lines) {
      counts[line.level] += 1
      format(line).forEach(print)
    }
    print('')
  }
  const problems = counts.problem === 0 ? 'No problems' : count(counts.problem, 'problem')
  print(`${problems}, ${count(counts.note, 'note')}.`)
  return counts.problem === 0
}

/** Column where the texts begin. */
const indent = 11

/** Text of other servers may be part of a line, and must not control the terminal. */
const controlCharacters = /\p{Cc}+/gu

function format({ level, text, fix }: Line): string[] {
  const lines = [`  ${level.padEnd(indent - 2)}${text}`]
  if (fix !== undefined) lines.push(`${' '.repeat(indent)}Fix: ${fix}`)
  return lines.map((line) => line.replaceAll(controlCharacters, ' '))
}
