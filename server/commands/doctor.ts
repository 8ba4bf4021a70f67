import { ConfigError, type Config } from '../config/config.ts'
import { count } from '../doctor/amounts.ts'
import { realClerk } from '../doctor/check-clerk.ts'
import { environmentFaults } from '../doctor/check-environment.ts'
import { examine } from '../doctor/examine.ts'
import type { Finding, Section } from '../doctor/finding.ts'
import type { Terminal } from './command.ts'
import { parseOptions } from './parse-options.ts'

const usage = `Usage: npm run doctor -- [--yes]

Says what the environment sets up, whether it works, and what to do about what does not. It changes nothing.

  --yes   has the image service make up to two pictures without asking, which may cost money`

/** Where the environment comes from. */
export interface Surroundings {
  /** @throws ConfigError */
  readonly readConfig: () => Config
  /** The working directory. */
  readonly directory: string
  readonly nodeVersion: string
}

/**
 * The command `doctor`: unlike the others it also runs where the environment makes no sense, and says so.
 *
 * @returns whether there is no problem
 * @throws StartError for arguments that make no sense
 */
export async function doctor(
  { readConfig, directory, nodeVersion }: Surroundings,
  { print, ask }: Terminal,
  args: string[],
  clerk = realClerk,
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
  const tell = ({ title, findings }: Section) => {
    print(title)
    for (const finding of findings) {
      counts[finding.level] += 1
      linesOf(finding).forEach(print)
    }
    print('')
  }
  try {
    const consent = options.yes ? () => Promise.resolve(true) : ask
    for await (const section of examine(readConfig(), { directory, nodeVersion, consent, clerk }))
      tell(section)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    tell({ title: 'Environment', findings: environmentFaults(error.faults, directory) })
  }
  print(
    `${counts.problem === 0 ? 'No problems' : count(counts.problem, 'problem')}, ${count(counts.note, 'note')}.`,
  )
  return counts.problem === 0
}

const margin = 11

function linesOf({ level, text, advice }: Finding): string[] {
  const line = `  ${level.padEnd(margin - 2)}${text}`
  return advice === undefined ? [line] : [line, `${' '.repeat(margin)}What to do: ${advice}`]
}
