import { ConfigError, type Config } from '../config/config.ts'
import { count } from '../doctor/amounts.ts'
import { realClerk } from '../doctor/check-clerk.ts'
import { environmentFaults } from '../doctor/check-environment.ts'
import { examine, type Surgery } from '../doctor/examine.ts'
import type { Finding, Section } from '../doctor/finding.ts'
import { systemCode } from '../storage/disk-fault.ts'
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
  const consent = options.yes ? () => Promise.resolve(true) : ask
  const surgery = { directory, nodeVersion, consent, clerk }
  for await (const section of sectionsOf(readConfig, surgery)) tell(section)
  print(
    `${counts.problem === 0 ? 'No problems' : count(counts.problem, 'problem')}, ${count(counts.note, 'note')}.`,
  )
  return counts.problem === 0
}

/** What an examination finds, or why there is no configuration to examine. */
async function* sectionsOf(readConfig: () => Config, surgery: Surgery): AsyncGenerator<Section> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    yield { title: 'Environment', findings: environmentFaults(faultsOf(error), surgery.directory) }
    return
  }
  yield* examine(config, surgery)
}

/** What keeps the configuration from being read; anything else is not foreseen. */
function faultsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults
  if (error instanceof Error && systemCode(error) !== undefined)
    return [`.env can't be read (${error.message}); let the user that the server runs as read it.`]
  throw error
}

const margin = 11

/** What servers elsewhere said may stand in a finding, and is kept from steering the terminal. */
const control = /\p{Cc}+/gu

function linesOf({ level, text, advice }: Finding): string[] {
  const line = `  ${level.padEnd(margin - 2)}${text}`
  const lines = advice === undefined ? [line] : [line, `${' '.repeat(margin)}What to do: ${advice}`]
  return lines.map((one) => one.replaceAll(control, ' '))
}
