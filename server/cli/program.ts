import { Command, CommanderError } from 'commander'
import { version } from '../../shared/version.ts'
import { StartError } from '../errors/app-error.ts'
import { capitalize, count } from '../ops/doctor/report.ts'
import { addAccountCommand } from './account.ts'
import { addBackupCommand, addRestoreCommand } from './backup.ts'
import { rejectOtherUser } from '../ops/site-storage.ts'
import { printProgress } from '../ops/terminal.ts'
import { integerBetween, withServices, withSystemErrors, type CommandContext } from './command.ts'
import { addDoctorCommand } from './doctor.ts'
import { addImportCommand } from './import.ts'
import { addVerifyCommand } from './verify.ts'

/** Command line of the server: `serve` and the operator's commands. */
function createProgram(context: CommandContext): Command {
  const { terminal } = context
  const program = new Command()
    .description('Settings come from the environment and .env. Without npm: node server/main.js COMMAND.')
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      // Reported by the StartError of runProgram.
      writeErr: () => undefined,
    })
    .configureHelp({
      commandUsage,
      // Joins the lines of a paragraph, which the help wraps to the width of the terminal.
      commandDescription: (command) => command.description().replaceAll(/(?<!\n)\n(?!\n)/g, ' '),
    })
  program
    .command('serve')
    .description('Serve the site, as npm start does')
    .version(version)
    .action(context.serve)
  addSeedCommand(program, context)
  addAccountCommand(program, context)
  addBackupCommand(program, context)
  addRestoreCommand(program, context)
  addVerifyCommand(program, context)
  addDoctorCommand(program, context)
  addImportCommand(program, context)
  return program
}

/** Adds `seed`, which runs while the server runs. */
function addSeedCommand(program: Command, context: CommandContext): void {
  const { print } = context.terminal
  program
    .command('seed')
    .summary('Fill the gallery with sample posts')
    .description(
      'Fills the gallery with posts of sample prompts, with images of the embedded engine: one for each of the first 500 posts.',
    )
    .usage('--posts N')
    .requiredOption('--posts <n>', 'number of posts', integerBetween(1, 10_000_000))
    .action(async ({ posts }: { posts: number }) => {
      const { seedGallery } = await import('../posts/seed-gallery.ts')
      const config = context.readConfig()
      await rejectOtherUser(config)
      await withSystemErrors('Not all posts were added', () =>
        withServices(context, config, (services) =>
          seedGallery(services, posts, printProgress(print, 'posts')),
        ),
      )
      print(`Added ${count(posts, 'post')}.`)
    })
}

/**
 * Runs the command that the arguments name; `--help` prints its usage.
 *
 * @throws StartError for invalid arguments and for work that cannot be done, with a message of one line
 * @throws ConfigError for an invalid environment
 */
export async function runProgram(context: CommandContext, args: readonly string[]): Promise<void> {
  const program = createProgram(context)
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw argumentError(program, args, error)
  }
}

function commandUsage(command: Command): string {
  const names: string[] = []
  for (let one: Command | null = command; one?.parent; one = one.parent) names.unshift(one.name())
  const [name, ...subcommands] = names
  if (name === undefined) return 'npm start\n       npm run COMMAND -- [options]'
  if (name === 'serve') return 'npm start'
  return ['npm run', name, '--', ...subcommands, command.usage()].join(' ')
}

function argumentError(program: Command, args: readonly string[], error: CommanderError): StartError {
  const name = program.commands.map((command) => command.name()).find((one) => one === args[0])
  const script = name === undefined || name === 'serve' ? 'npm start' : `npm run ${name}`
  // Commander prints the help of a command whose subcommand is missing.
  const message = error.code === 'commander.help' ? 'missing command' : error.message.replace(/^error: /, '')
  const line = message.replaceAll('\n', ' ').replace(/\.$/, '')
  return new StartError(`${capitalize(line)}; ${script} -- --help shows the usage.`, { cause: error })
}
