import { InvalidArgumentError, Option, type Command } from 'commander'
import { apiKeyScopes, type ApiKeyScope, type PostsOfDeleted } from '../../shared/account.ts'
import { dailyImagesMax } from '../../shared/limits.ts'
import { getUser, listUsers, updateUser, type ManagedUser } from '../admin/manage-users.ts'
import type { AccountAdministration } from '../access/authenticator.ts'
import { AppError, StartError } from '../errors/app-error.ts'
import type { Services } from '../trpc/context.ts'
import { createApiKey } from '../access/api-keys.ts'
import { count } from '../ops/doctor/report.ts'
import { confirm } from '../ops/terminal.ts'
import { readDecimalBetween } from '../text/read-decimal.ts'
import { withServices, type CommandContext } from './command.ts'

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
      withAccounts(context, async (_, services) => formatTable(await listAll(services)).forEach(print)),
    )

  const addCommand = (name: string, description: string) =>
    account.command(name).description(description).argument('<email>')

  addCommand('add', 'Add an account and print its password, once')
    .option('--name <name>', 'name of the user; put several words in quotes (default: the part before the @)')
    .action((email: string, { name = email.split('@')[0] ?? '' }: { name?: string }) =>
      withAccounts(context, async (accounts) => {
        const password = await accounts.add(email, name)
        print(`${email} can sign in with this password, which is shown only now:`)
        print(password)
      }),
    )

  addCommand('reset-password', 'Print a new password, once; ends sessions and revokes API keys').action(
    (email: string) =>
      withAccounts(context, async (accounts) => {
        const password = await accounts.resetPassword(email)
        print(`${email} is signed out everywhere. The new password, which is shown only now:`)
        print(password)
      }),
  )

  for (const [name, description, change, outcome] of changes) {
    const command = addCommand(name, description)
    if (name === 'remove-role') command.alias('remove-admin')
    command.action((email: string) => changeUser(context, email, change, `${email} ${outcome}`))
  }

  addCommand('set-limit', 'Set the images that a user may generate per day')
    .argument('<images>', 'a number, or "site" for the limit of the site', readLimit)
    .action((email: string, limit: number | null) => {
      const outcome =
        limit === null
          ? `The limit of the site applies to ${email}.`
          : `${email} can generate ${count(limit, 'image')} per day.`
      return changeUser(context, email, { dailyImageLimit: limit }, outcome)
    })

  addCommand('add-key', 'Print a new API key of a user, once')
    .option('--scopes <scopes>', `some of ${apiKeyScopes.join(',')} (default: all)`, readScopes)
    .action((email: string, { scopes }: { scopes?: readonly ApiKeyScope[] }) =>
      withAccounts(context, async (accounts, services) => {
        const { id, name } = await getUser(services, await accounts.findId(email))
        const user = { id, firstName: name, imageUrl: null }
        const { key } = await createApiKey(services, user, { name: 'Operator', expiresInDays: null, scopes })
        print(`API key of ${email} (${(scopes ?? apiKeyScopes).join(', ')}), which is shown only now:`)
        print(key)
      }),
    )

  addCommand('delete', 'Delete an account and its images')
    .addOption(
      new Option('--posts <fate>', 'posts of the account').choices(['keep', 'remove']).default('keep'),
    )
    .option('--yes', 'do not ask')
    .action((email: string, { posts, yes = false }: { posts: PostsOfDeleted; yes?: boolean }) =>
      withAccounts(context, async (accounts, services) => {
        const found = await getUser(services, await accounts.findId(email))
        if (!(await confirm(terminal, deletionQuestion(found, posts), yes)))
          return print('Nothing was deleted.')
        await accounts.remove(email, { posts })
        print(`The account ${found.email} is deleted.`)
      }),
    )
}

type Change = Omit<Parameters<typeof updateUser>[2], 'id'>

/** Commands that change what a user may do. The outcome is printed after the email. */
const changes: readonly (readonly [name: string, description: string, change: Change, outcome: string])[] = [
  ['make-admin', 'Let a user run the site', { role: 'administrator' }, 'is now an administrator.'],
  ['make-moderator', 'Let a user review reports', { role: 'moderator' }, 'is now a moderator.'],
  ['remove-role', 'Revoke the role of a user', { role: 'member' }, 'is now a member.'],
  [
    'block',
    'End sessions, API keys and generations of a user, and reject their sign-in',
    { blocked: true },
    'is blocked, and signed out everywhere.',
  ],
  ['unblock', 'Let a user sign in again', { blocked: false }, 'can sign in again.'],
]

/** The operator, in the audit log. */
const operator = { id: null, firstName: 'Operator' }

function changeUser(context: CommandContext, email: string, change: Change, outcome: string): Promise<void> {
  return withAccounts(context, async (accounts, services) => {
    await updateUser(services, operator, { id: await accounts.findId(email), ...change })
    context.terminal.print(outcome)
  })
}

/** @throws InvalidArgumentError */
function readLimit(text: string): number | null {
  if (text === 'site') return null
  const limit = readDecimalBetween(text, 0, dailyImagesMax)
  if (limit !== null) return limit
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
  context: CommandContext,
  work: (accounts: AccountAdministration, services: Services) => Promise<void>,
): Promise<void> {
  const config = context.readConfig()
  // Checked before the database is created or opened.
  if (config.auth.kind !== 'local') throw notLocal()
  await withServices(context, config, async (services) => {
    const { administration } = services.authenticator
    if (!administration) throw notLocal()
    try {
      await work(administration, services)
    } catch (error) {
      if (error instanceof AppError) throw new StartError(error.message, { cause: error })
      throw error
    }
  })
}

function deletionQuestion({ email, name, posts }: ManagedUser, fate: PostsOfDeleted): string {
  const number = posts === 1 ? 'one post' : `${posts} posts`
  const [stay, are] = posts === 1 ? ['stays', 'is'] : ['stay', 'are']
  const outcome = fate === 'keep' ? `${stay} in the gallery` : `${are} deleted too`
  return `Delete the account ${email} of ${name}, with its images?${posts === 0 ? '' : ` Its ${number} ${outcome}.`}`
}

/** Lists every account, oldest first. */
async function listAll(services: Services): Promise<ManagedUser[]> {
  const accounts: ManagedUser[] = []
  let cursor: string | undefined
  do {
    const oldestFirst = { search: '', sort: 'createdAt', direction: 'asc', limit: 1_000 } as const
    const page = await listUsers(services, { ...oldestFirst, cursor })
    accounts.push(...page.users)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return accounts
}

/** The name is the last column, because the width of some scripts on a terminal is unknown. */
function formatTable(accounts: readonly ManagedUser[]): string[] {
  const rows = accounts.map(({ email, role, blocked, dailyImageLimit, createdAt, posts, name }) => [
    email ?? '',
    blocked ? 'blocked' : role,
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
