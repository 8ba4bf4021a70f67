import { Option, type Command } from 'commander'
import type { AccountAdministration, AccountSummary } from '../auth/authenticator.ts'
import { embeddedEngine } from '../config/engine-section.ts'
import { AppError, StartError } from '../errors/app-error.ts'
import { confirm, type CommandContext } from './command.ts'

type PostFate = 'keep' | 'remove'

/** Adds `account`, which manages local accounts while the server runs. */
export function addAccountCommand(program: Command, context: CommandContext): void {
  const { terminal } = context
  const { print } = terminal
  const account = program
    .command('account')
    .summary('List, add, change and delete local accounts')
    .description('Manages local accounts while the server runs.')
    .usage('<command>')
    .helpCommand(false)

  account
    .command('list')
    .description('Print every account')
    .action(() =>
      withAccounts(context, async (accounts) => formatTable(await accounts.list()).forEach(print)),
    )

  account
    .command('add')
    .description('Add an account and print its password, once')
    .argument('<email>')
    .option('--name <name>', 'name of the user; put several words in quotes (default: the part before the @)')
    .action((email: string, { name = email.split('@')[0] ?? '' }: { name?: string }) =>
      withAccounts(context, async (accounts) => {
        const password = await accounts.add(email, name)
        print(`${email} can sign in with this password, which is shown only now:`)
        print(password)
      }),
    )

  account
    .command('reset-password')
    .description('Print a new password, once; ends sessions and revokes API keys')
    .argument('<email>')
    .action((email: string) =>
      withAccounts(context, async (accounts) => {
        const password = await accounts.resetPassword(email)
        print(`${email} is signed out everywhere. The new password, which is shown only now:`)
        print(password)
      }),
    )

  account
    .command('make-admin')
    .description('Let a user delete any post')
    .argument('<email>')
    .action((email: string) =>
      withAccounts(context, async (accounts) => {
        await accounts.setRole(email, 'administrator')
        print(`${email} is now an administrator and can delete any post.`)
      }),
    )

  account
    .command('remove-admin')
    .description('Revoke the rights of an administrator')
    .argument('<email>')
    .action((email: string) =>
      withAccounts(context, async (accounts) => {
        await accounts.setRole(email, 'member')
        print(`${email} is no longer an administrator.`)
      }),
    )

  account
    .command('delete')
    .description('Delete an account and its images')
    .argument('<email>')
    .addOption(
      new Option('--posts <fate>', 'posts of the account').choices(['keep', 'remove']).default('keep'),
    )
    .option('--yes', 'do not ask')
    .action((email: string, { posts, yes = false }: { posts: PostFate; yes?: boolean }) =>
      withAccounts(context, async (accounts) => {
        const found = await accounts.find(email)
        if (!(await confirm(terminal, deletionQuestion(found, posts), yes)))
          return print('Nothing was deleted.')
        await accounts.remove(found.email, { posts })
        print(`The account ${found.email} is deleted.`)
      }),
    )
}

/** @throws StartError if accounts are not local, or with the message of an AppError */
async function withAccounts(
  { readConfig, openLog }: CommandContext,
  work: (accounts: AccountAdministration) => Promise<void>,
): Promise<void> {
  const config = readConfig()
  // Checked before the database is created or opened.
  if (config.auth.kind !== 'local') throw notLocal()
  const { createServices } = await import('../services.ts')
  const services = await createServices({ ...config, engines: [embeddedEngine] }, openLog(config))
  try {
    const { administration } = services.authenticator
    if (!administration) throw notLocal()
    await work(administration)
  } catch (error) {
    if (error instanceof AppError) throw new StartError(error.message, { cause: error })
    throw error
  } finally {
    await services[Symbol.asyncDispose]()
  }
}

function deletionQuestion({ email, name, posts }: AccountSummary, fate: PostFate): string {
  const count = posts === 1 ? 'one post' : `${posts} posts`
  const [stay, are] = posts === 1 ? ['stays', 'is'] : ['stay', 'are']
  const outcome = fate === 'keep' ? `${stay} in the gallery` : `${are} deleted too`
  return `Delete the account ${email} of ${name}, with its images?${posts === 0 ? '' : ` Its ${count} ${outcome}.`}`
}

/** The name is the last column, because the width of some scripts on a terminal is unknown. */
function formatTable(accounts: readonly AccountSummary[]): string[] {
  const rows = accounts.map(({ email, role, createdAt, posts, name }) => [
    email,
    role,
    createdAt.slice(0, 10),
    String(posts),
    name,
  ])
  const all = [['EMAIL', 'ROLE', 'SINCE', 'POSTS', 'NAME'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}

function notLocal(): StartError {
  return new StartError('Accounts are managed by Clerk: use its dashboard.')
}
