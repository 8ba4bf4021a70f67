import type { AccountAdministration, AccountSummary } from '../auth/account-administration.ts'
import { createServices } from '../services.ts'
import { AppError } from '../errors/app-error.ts'
import { StartError } from '../errors/start-error.ts'
import { accountUsage, readAccountArguments, type AccountRequest } from './account-arguments.ts'
import type { Command, Terminal } from './command.ts'

/** The command `account`; works beside a running server of the same folder. */
export const account: Command = async (config, log, terminal, args) => {
  const request = readAccountArguments(args)
  if (request.action === 'help') return terminal.print(accountUsage)
  // Before anything is opened: there may be no database of ours to speak of.
  if (config.auth.kind !== 'local') throw keptElsewhere()
  const services = await createServices({ ...config, engine: { kind: 'rangoli' } }, log)
  try {
    const { administration } = services.authenticator
    if (!administration) throw keptElsewhere()
    await perform(administration, terminal, request)
  } catch (error) {
    if (error instanceof AppError) throw new StartError(error.message, { cause: error })
    throw error
  } finally {
    await services.db.destroy()
  }
}

async function perform(
  accounts: AccountAdministration,
  { print, ask }: Terminal,
  request: Exclude<AccountRequest, { action: 'help' }>,
): Promise<void> {
  switch (request.action) {
    case 'list':
      return table(await accounts.list()).forEach(print)

    case 'add': {
      const { email, name = email.split('@')[0] ?? '' } = request
      const password = await accounts.add(email, name)
      print(`${email} can sign in with this password, which is shown only now:`)
      return print(password)
    }

    case 'reset-password': {
      const password = await accounts.resetPassword(request.email)
      print(`${request.email} is signed out everywhere. The new password, which is shown only now:`)
      return print(password)
    }

    case 'make-admin':
      await accounts.setRole(request.email, 'administrator')
      return print(`${request.email} is an administrator now and may delete any post.`)

    case 'remove-admin':
      await accounts.setRole(request.email, 'user')
      return print(`${request.email} is no administrator any more.`)

    case 'delete': {
      const found = await accounts.find(request.email)
      if (!request.isConfirmed) {
        if (!ask) throw new StartError('Nobody is there to be asked; say --yes to delete the account.')
        if (!(await ask(deletionQuestion(found, request.posts)))) return print('Nothing was deleted.')
      }
      await accounts.remove(found.email, request)
      return print(`The account ${found.email} is deleted.`)
    }
  }
}

function deletionQuestion({ email, name, posts }: AccountSummary, fate: 'keep' | 'remove'): string {
  const [count, stay, go] = posts === 1 ? ['one post', 'stays', 'goes'] : [`${posts} posts`, 'stay', 'go']
  const becomes = fate === 'keep' ? `${stay} in the gallery` : `${go} too`
  const fateOfPosts = posts === 0 ? '' : ` Its ${count} ${becomes}.`
  return `Delete the account ${email} of ${name}, with its images?${fateOfPosts} [y/N] `
}

/** Lines of a table. The name comes last, as nobody can tell how wide a terminal shows some scripts. */
function table(accounts: readonly AccountSummary[]): string[] {
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

function keptElsewhere(): StartError {
  return new StartError('Accounts are kept at Clerk; manage them in its dashboard.')
}
