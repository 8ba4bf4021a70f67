import { InvalidArgumentError, Option, type Command } from 'commander'
import { apiKeyScopes, type ApiKeyScope } from '../../shared/account.ts'
import { dailyImagesMax } from '../../shared/limits.ts'
import { updateUser } from '../admin/manage-users.ts'
import type { AccountAdministration, AccountSummary } from '../access/authenticator.ts'
import { embeddedEngine } from '../config/engine-section.ts'
import { AppError, StartError } from '../errors/app-error.ts'
import type { Services } from '../trpc/context.ts'
import { createApiKey } from '../access/api-keys.ts'
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

  /** Adds a command that changes what a user may do. @param outcome printed after the email */
  function addChange(
    name: string,
    description: string,
    change: Omit<Parameters<typeof updateUser>[2], 'id'>,
    outcome: string,
  ): Command {
    return account
      .command(name)
      .description(description)
      .argument('<email>')
      .action((email: string) => changeUser(context, email, change, () => print(`${email} ${outcome}`)))
  }

  const administrator = { role: 'administrator' } as const
  addChange('make-admin', 'Let a user run the site', administrator, 'is now an administrator.')
  const moderator = { role: 'moderator' } as const
  addChange('make-moderator', 'Let a user review reports', moderator, 'is now a moderator.')
  const member = { role: 'member' } as const
  addChange('remove-role', 'Revoke the role of a user', member, 'is now a member.').alias('remove-admin')
  addChange(
    'block',
    'End sessions, API keys and generations of a user, and reject their sign-in',
    { blocked: true },
    'is blocked, and signed out everywhere.',
  )
  addChange('unblock', 'Let a user sign in again', { blocked: false }, 'can sign in again.')

  account
    .command('set-limit')
    .description('Set the images that a user may generate per day')
    .argument('<email>')
    .argument('<images>', 'a number, or "site" for the limit of the site', readLimit)
    .action((email: string, limit: number | null) =>
      changeUser(context, email, { dailyImageLimit: limit }, () =>
        print(
          limit === null
            ? `The limit of the site applies to ${email}.`
            : `${email} can generate ${limit} ${limit === 1 ? 'image' : 'images'} per day.`,
        ),
      ),
    )

  account
    .command('add-key')
    .description('Print a new API key of a user, once')
    .argument('<email>')
    .option('--scopes <scopes>', `some of ${apiKeyScopes.join(',')} (default: all)`, readScopes)
    .action((email: string, { scopes }: { scopes?: readonly ApiKeyScope[] }) =>
      withAccounts(context, async (accounts, services) => {
        const { id, name } = await accounts.find(email)
        const user = { id, firstName: name, imageUrl: null }
        const { key } = await createApiKey(services, user, { name: 'Operator', expiresInDays: null, scopes })
        print(`API key of ${email} (${(scopes ?? apiKeyScopes).join(', ')}), which is shown only now:`)
        print(key)
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

/** The operator, in the audit log. */
const operator = { id: null, firstName: 'Operator' }

function changeUser(
  context: CommandContext,
  email: string,
  change: Omit<Parameters<typeof updateUser>[2], 'id'>,
  onDone: () => void,
): Promise<void> {
  return withAccounts(context, async (accounts, services) => {
    const { id } = await accounts.find(email)
    await updateUser(services, operator, { id, ...change })
    onDone()
  })
}

/** @throws InvalidArgumentError */
function readLimit(text: string): number | null {
  if (text === 'site') return null
  if (/^\d{1,7}$/.test(text) && Number(text) <= dailyImagesMax) return Number(text)
  throw new InvalidArgumentError(`Use a whole number from 0 to ${dailyImagesMax}, or "site".`)
}

/** @throws InvalidArgumentError */
function readScopes(text: string): readonly ApiKeyScope[] {
  const names = text.split(',')
  const scopes = apiKeyScopes.filter((scope) => names.includes(scope))
  if (scopes.length === names.length) return scopes
  throw new InvalidArgumentError(`Use some of ${apiKeyScopes.join(', ')}, separated by commas.`)
}

/** @throws StartError if accounts are not local, or with the message of an AppError */
async function withAccounts(
  { readConfig, openLog }: CommandContext,
  work: (accounts: AccountAdministration, services: Services) => Promise<void>,
): Promise<void> {
  const config = readConfig()
  // Checked before the database is created or opened.
  if (config.auth.kind !== 'local') throw notLocal()
  const { createServices } = await import('../services.ts')
  const services = await createServices({ ...config, engines: [embeddedEngine] }, openLog(config))
  try {
    const { administration } = services.authenticator
    if (!administration) throw notLocal()
    await work(administration, services)
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
  const rows = accounts.map(({ email, role, isBlocked, dailyImageLimit, createdAt, posts, name }) => [
    email,
    isBlocked ? 'blocked' : role,
    dailyImageLimit === null ? '-' : String(dailyImageLimit),
    createdAt.slice(0, 10),
    String(posts),
    name,
  ])
  const all = [['EMAIL', 'ROLE', 'LIMIT', 'SINCE', 'POSTS', 'NAME'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}

function notLocal(): StartError {
  return new StartError('Accounts are managed by Clerk: use its dashboard.')
}
