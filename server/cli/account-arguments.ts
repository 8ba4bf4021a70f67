import { StartError } from '../errors/start-error.ts'
import { parseOptions } from './parse-options.ts'

export const accountUsage = `Usage: npm run account -- COMMAND

  list                                            prints every account
  add EMAIL [--name NAME]                         makes an account and prints its password, once
  reset-password EMAIL                            prints a new password, once; ends sessions, revokes API keys
  make-admin EMAIL                                lets a user delete any post
  remove-admin EMAIL                              takes that back
  delete EMAIL [--posts keep|remove] [--yes]      deletes an account; its posts stay unless removed`

const advice = 'npm run account -- --help says how it is used.'

/** Options that a command takes beside its address. */
const optionsOf = {
  list: [],
  add: ['name'],
  'reset-password': [],
  'make-admin': [],
  'remove-admin': [],
  delete: ['posts', 'yes'],
} as const satisfies Record<string, readonly string[]>

type Action = keyof typeof optionsOf

/** What the command is asked to do. */
export type AccountRequest =
  | { readonly action: 'help' | 'list' }
  | { readonly action: 'add'; readonly email: string; readonly name: string | undefined }
  | { readonly action: 'reset-password' | 'make-admin' | 'remove-admin'; readonly email: string }
  | {
      readonly action: 'delete'
      readonly email: string
      readonly posts: 'keep' | 'remove'
      readonly isConfirmed: boolean
    }

/** @throws StartError for arguments that make no sense */
export function readAccountArguments(args: string[]): AccountRequest {
  const { values, positionals } = parse(args)
  if (values.help) return { action: 'help' }
  const [action, email, ...rest] = positionals
  if (action === undefined) throw fault('Say what is to be done')
  if (!isAction(action)) throw fault(`There is no command "${action}"`)
  const foreign = Object.keys(values).find((option) => !isOptionOf(action, option))
  if (foreign !== undefined) throw fault(`${action} takes no --${foreign}`)
  if (action === 'list') {
    if (email !== undefined) throw fault('list takes no address')
    return { action }
  }
  if (email === undefined) throw fault(`${action} needs the e-mail address of an account`)
  if (rest.length > 0)
    throw fault(`${action} takes one e-mail address; put a name of several words in quotes`)
  switch (action) {
    case 'add':
      return { action, email, name: values.name }
    case 'delete': {
      const { posts = 'keep', yes = false } = values
      if (posts !== 'keep' && posts !== 'remove') throw fault('--posts must be keep or remove')
      return { action, email, posts, isConfirmed: yes }
    }
    default:
      return { action, email }
  }
}

function parse(args: string[]) {
  return parseOptions(
    {
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        posts: { type: 'string' },
        yes: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    },
    advice,
  )
}

function isAction(text: string): text is Action {
  return Object.hasOwn(optionsOf, text)
}

function isOptionOf(action: Action, option: string): boolean {
  const options: readonly string[] = optionsOf[action]
  return options.includes(option)
}

function fault(sentence: string): StartError {
  return new StartError(`${sentence}; ${advice}`)
}
