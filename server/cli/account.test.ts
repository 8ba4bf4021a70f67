import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StartError } from '../errors/app-error.ts'
import { makeAccount, otherDevice, signIn, statusFor } from '../../test/support/accounts.ts'
import { makeFolder, tempFolder } from '../../test/support/folder.ts'
import { cookieOf, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { ask } from './command.ts'
import { runCommand } from '../../test/support/command.ts'

const password = /^[a-z2-9]{5}(?:-[a-z2-9]{5}){3}$/

type Options = Parameters<typeof runCommand>[2]

/** Runs the command in a folder. @throws StartError */
async function run(folder: string, args: readonly string[], options?: Options) {
  const { error, ...result } = await runCommand(folder, ['account', ...args], options)
  if (error !== null) throw new StartError(error)
  return result
}

const runFor = (server: TestServer, args: readonly string[], options?: Options) =>
  run(server.directory, args, options)

describe('add', () => {
  test.each(['open', 'closed'])('adds an account that can sign in, with sign-up %s', async (signUp) => {
    const server = await startTestServer({ env: { SIGN_UP: signUp } })
    const args = ['add', 'Asha@Example.org', '--name', '  आशा राव ']
    const { printed, logged } = await runFor(server, args, { env: { SIGN_UP: signUp } })
    expect(printed).toEqual([
      'Asha@Example.org can sign in with this password, which is shown only now:',
      expect.stringMatching(password),
    ])
    expect(logged).toEqual([])
    const answer = await signIn(server, { email: 'asha@example.org', password: printed[1] ?? '' })
    expect(answer.status).toBe(200)
    const viewer = await server.client({ cookie: cookieOf(answer) }).viewer.query()
    expect(viewer).toMatchObject({ firstName: 'आशा' })
    expect(viewer).toMatchObject({ role: 'member' })
  })

  test('generates a password per account, and a name from the address', async () => {
    const server = await startTestServer()
    const one = await runFor(server, ['add', 'asha@example.org'])
    const two = await runFor(server, ['add', 'ravi@example.org'])
    expect(one.printed[1]).not.toBe(two.printed[1])
    const { printed } = await runFor(server, ['list'])
    expect(printed[1]).toMatch(/ asha$/)
  })

  test('works before the first start of a server', async () => {
    const folder = await tempFolder()
    await run(folder, ['add', 'asha@example.org'])
    expect((await run(folder, ['list'])).printed).toHaveLength(2)
    const server = await startTestServer({ folder })
    const again = server.postAccount('/sign-up/email', {
      name: 'Asha',
      email: 'ASHA@example.org',
      password: 'correct horse',
    })
    expect((await again).status).toBe(422)
  })
})

test('reset-password ends sessions, API keys and the old password, and ignores the case of the address', async () => {
  const server = await startTestServer()
  const asha = await makeAccount(server, { email: 'asha@example.org' })
  const phone = await otherDevice(server, asha)
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  const { printed } = await runFor(server, ['reset-password', 'ASHA@EXAMPLE.ORG'])
  expect(printed[1]).toMatch(password)
  for (const cookie of [asha.cookie, phone]) expect(await statusFor(server, cookie)).toBe(401)
  const robot = server.client({ authorization: `Bearer ${key}` })
  await expect(robot.viewer.query()).rejects.toThrow('The bearer token is not valid.')
  expect((await signIn(server, asha)).status).toBe(401)
  expect((await signIn(server, { ...asha, password: printed[1] ?? '' })).status).toBe(200)
})

test('block ends sessions and API keys at once, and unblock lets the user sign in again', async () => {
  const server = await startTestServer()
  const asha = await makeAccount(server, { email: 'asha@example.org' })
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  const { printed } = await runFor(server, ['block', 'ASHA@example.org'])
  expect(printed).toEqual(['ASHA@example.org is blocked, and signed out everywhere.'])
  expect(await statusFor(server, asha.cookie)).toBe(401)
  const robot = server.client({ authorization: `Bearer ${key}` })
  await expect(robot.viewer.query()).rejects.toThrow('The bearer token is not valid.')
  expect((await signIn(server, asha)).status).toBe(403)
  expect((await runFor(server, ['list'])).printed[1]).toMatch(/^asha@example\.org {2}blocked {2}-/)
  await runFor(server, ['unblock', asha.email])
  expect((await signIn(server, asha)).status).toBe(200)
  const log = await server.services.db.selectFrom('admin_log').selectAll().orderBy('seq').execute()
  expect(log).toMatchObject([
    { action: 'block', administrator_id: null, administrator_name: 'Operator', user_id: asha.id },
    { action: 'unblock', administrator_id: null, administrator_name: 'Operator', user_id: asha.id },
  ])
})

test('set-limit changes the daily image limit of a user until it is that of the site again', async () => {
  const server = await startTestServer()
  const asha = await makeAccount(server, { email: 'asha@example.org' })
  const set = (limit: string) => runFor(server, ['set-limit', asha.email, limit])
  expect((await set('1')).printed).toEqual(['asha@example.org can generate 1 image per day.'])
  expect(await asha.trpc.images.quota.query()).toMatchObject({ limit: 1 })
  expect((await runFor(server, ['list'])).printed[1]).toMatch(/^asha@example\.org {2}member {2}1 /)
  expect((await set('site')).printed).toEqual(['The limit of the site applies to asha@example.org.'])
  expect(await asha.trpc.images.quota.query()).toMatchObject({ limit: 20 })
  for (const limit of ['-1', '1.5', 'many', '1000001']) {
    await expect(set(limit)).rejects.toThrow(/a whole number from 0 to 1000000, or "site"/)
  }
})

test('a role is given and taken at once, however often', async () => {
  const server = await startTestServer()
  const asha = await makeAccount(server)
  for (const [command, role] of [
    ['make-moderator', 'moderator'],
    ['remove-role', 'member'],
    ['make-admin', 'administrator'],
    ['remove-admin', 'member'],
  ] as const) {
    for (const email of [asha.email, asha.email.toUpperCase()]) {
      await runFor(server, [command, email])
      expect(await asha.trpc.viewer.query()).toMatchObject({ role })
    }
  }
})

test('list prints every account, oldest first, with its number of posts', async () => {
  const server = await startTestServer()
  expect((await runFor(server, ['list'])).printed).toEqual(['EMAIL  ROLE  LIMIT  SINCE  POSTS  NAME'])
  const asha = await makeAccount(server, { name: 'आशा राव', email: 'asha@example.org' })
  await makeAccount(server, { name: 'Ravi', email: 'ravi.kumar.of.the.lotus.pond@example.org' })
  await runFor(server, ['make-admin', asha.email])
  const { id } = await asha.generate('A lotus')
  for (const prompt of ['A lotus', 'The lotus again']) {
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: id })
  }
  const { printed } = await runFor(server, ['list'])
  const today = new Date().toISOString().slice(0, 4)
  expect(printed).toEqual([
    'EMAIL                                     ROLE           LIMIT  SINCE       POSTS  NAME',
    expect.stringMatching(
      new RegExp(`^asha@example.org {26}administrator  - {6}${today}-\\d\\d-\\d\\d  2 {6}आशा राव$`),
    ),
    expect.stringMatching(/^ravi\.kumar\S+ {2}member {9}- {6}\d{4}-\d\d-\d\d {2}0 {6}Ravi$/),
  ])
})

test('list prints more accounts than one page of better-auth', async () => {
  const server = await startTestServer()
  for (let count = 0; count < 120; count += 1) {
    const now = new Date(count).toISOString()
    await sql`INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      VALUES (${`p${count}`}, 'Guest', ${`p${count}@example.org`}, false, ${now}, ${now})`.execute(
      server.services.db,
    )
  }
  const { printed } = await runFor(server, ['list'])
  expect(printed).toHaveLength(121)
  expect(printed.at(-1)).toContain('p119@example.org')
})

test('finds an account whose address is longer than the limit', async () => {
  const server = await startTestServer()
  const asha = await makeAccount(server)
  const email = `${'x'.repeat(1_000)}@example.org`
  await sql`UPDATE "user" SET email = ${email} WHERE id = ${asha.id}`.execute(server.services.db)
  await runFor(server, ['make-admin', email])
  expect(await asha.trpc.viewer.query()).toMatchObject({ role: 'administrator' })
  await runFor(server, ['delete', email, '--yes'])
  expect(await statusFor(server, asha.cookie)).toBe(401)
})

describe('delete', () => {
  async function shared(server: TestServer) {
    const asha = await makeAccount(server, { email: 'asha@example.org' })
    const { id } = await asha.generate('A lotus')
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: id })
    return asha
  }
  const countPosts = async (server: TestServer) => (await server.client().posts.list.query()).total

  test.each([
    [['--yes'], 1],
    [['--posts', 'keep', '--yes'], 1],
    [['--yes', '--posts=remove'], 0],
  ])('does not ask with %j', async (options, left) => {
    const server = await startTestServer()
    const asha = await shared(server)
    const { printed, questions } = await runFor(server, ['delete', 'ASHA@example.org', ...options], {
      answer: false,
    })
    expect(questions).toEqual([])
    expect(printed).toEqual(['The account asha@example.org is deleted.'])
    expect(await statusFor(server, asha.cookie)).toBe(401)
    expect((await signIn(server, asha)).status).toBe(401)
    expect(await countPosts(server)).toBe(left)
  })

  test('asks on a terminal, and follows the answer', async () => {
    const server = await startTestServer()
    const asha = await shared(server)
    const no = await runFor(server, ['delete', asha.email, '--posts', 'remove'], { answer: false })
    expect(no.questions).toEqual([
      'Delete the account asha@example.org of Asha Rao, with its images? Its one post is deleted too. [y/N] ',
    ])
    expect(no.printed).toEqual(['Nothing was deleted.'])
    expect(await statusFor(server, asha.cookie)).toBe(200)
    const yes = await runFor(server, ['delete', asha.email], { answer: true })
    expect(yes.questions).toEqual([
      'Delete the account asha@example.org of Asha Rao, with its images? Its one post stays in the gallery. [y/N] ',
    ])
    expect(await statusFor(server, asha.cookie)).toBe(401)
    expect(await countPosts(server)).toBe(1)
  })

  test('mentions posts only if the account has some', async () => {
    const server = await startTestServer()
    const { email } = await makeAccount(server, { name: 'Ravi' })
    const { questions } = await runFor(server, ['delete', email], { answer: false })
    expect(questions).toEqual([`Delete the account ${email} of Ravi, with its images? [y/N] `])
  })

  test('requires --yes without a terminal', async () => {
    const server = await startTestServer()
    const asha = await shared(server)
    await expect(runFor(server, ['delete', asha.email])).rejects.toThrow(
      / Not a terminal: pass --yes to confirm\.$/,
    )
    expect(await statusFor(server, asha.cookie)).toBe(200)
  })
})

describe('reports an error in one line', () => {
  /** A site with one account, which no test changes. */
  let folder: string
  beforeAll(async () => {
    folder = await makeFolder()
    await run(folder, ['add', 'ravi@example.org'])
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    [['add'], /^Missing required argument 'email'/],
    [['remove'], /^Unknown command 'remove'/],
    [['toString', 'asha@example.org'], /^Unknown command 'toString'/],
    [[], /^Missing command/],
    [['list', 'asha@example.org'], /^Too many arguments for 'list'/],
    [['add', 'asha@example.org', '--nam', 'Asha'], /^Unknown option '--nam' \(Did you mean --name\?\)/],
    [['add', 'asha@example.org', '--name'], /^Option '--name <name>' argument missing/],
    [['delete', 'asha@example.org', '--posts', 'sell'], / Allowed choices are keep, remove/],
    [['delete', 'asha@example.org', '--yes=no'], /^Unknown option '--yes=no'/],
  ])('rejects the arguments %j without opening anything', async (args, sentence) => {
    const missing = path.join(await tempFolder(), 'not-there')
    const failure = run(missing, args)
    await expect(failure).rejects.toBeInstanceOf(StartError)
    await expect(failure).rejects.toThrow(sentence)
    await expect(failure).rejects.toThrow(/^[^\n]+npm run account -- --help[^\n]+$/)
    expect(existsSync(missing)).toBe(false)
  })

  test.each([
    [['add', 'no address'], '"no address" is not an e-mail address.'],
    [['reset-password', 'asha@'], '"asha@" is not an e-mail address.'],
    [
      ['add', `${'x'.repeat(65)}@example.org`],
      'An email address has at most 254 characters, 64 of them before the @.',
    ],
    [['add', 'asha@example.org', '--name', ' \u200b '], 'Please enter your name.'],
    [['add', 'asha@example.org', '--name', 'x'.repeat(81)], 'A name may have at most 80 characters.'],
    [['add', 'RAVI@example.org'], 'There is already an account with the address ravi@example.org.'],
    [['reset-password', 'Asha@example.org'], 'There is no account with the address asha@example.org.'],
    [['make-admin', 'asha@example.org'], 'There is no account with the address asha@example.org.'],
    [['delete', 'asha@example.org'], 'There is no account with the address asha@example.org.'],
  ])('changes nothing for %j', async (args, sentence) => {
    const before = await run(folder, ['list'])
    await expect(run(folder, args)).rejects.toThrow(new StartError(sentence))
    expect((await run(folder, ['list'])).printed).toEqual(before.printed)
  })

  test.each([['list'], ['add', 'asha@example.org'], ['delete', 'asha@example.org', '--yes']])(
    'rejects %s if Clerk manages accounts',
    async (...args) => {
      const env = {
        AUTH: 'clerk',
        CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from('clerk.example.org$').toString('base64')}`,
        CLERK_SECRET_KEY: 'sk_test_x',
      }
      await expect(run(await tempFolder(), args, { env })).rejects.toThrow(
        new StartError('Accounts are managed by Clerk: use its dashboard.'),
      )
    },
  )
})

test.each([
  { args: ['--help'], usage: 'npm run account -- <command>' },
  { args: ['add', '--help'], usage: 'npm run account -- add [options] <email>' },
  { args: ['delete', 'asha@example.org', '--help'], usage: 'npm run account -- delete [options] <email>' },
])('$args prints the usage and does nothing', async ({ args, usage }) => {
  const { printed } = await run('/nowhere', args)
  expect(printed).toEqual([expect.stringContaining(`Usage: ${usage}\n`)])
})

test.each([
  ['y\n', true],
  ['YES\n', true],
  [' y \n', true],
  ['\n', false],
  ['n\n', false],
  ['yesterday\n', false],
  ['', false],
])('takes the answer %j to a question as %j', async (typed, meaning) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = ask('Delete it? [y/N] ', input, output)
  input.end(typed)
  expect(await answer).toBe(meaning)
  expect(String(output.read())).toBe('Delete it? [y/N] ')
})

describe('add-key', () => {
  test('prints a key with the given scopes that works at once', async () => {
    const server = await startTestServer()
    const { email } = await makeAccount(server)
    const { printed } = await runFor(server, ['add-key', email, '--scopes', 'generate,read'])
    expect(printed[0]).toBe(`API key of ${email} (read, generate), which is shown only now:`)
    const client = server.client({ authorization: `Bearer ${printed[1]}` })
    expect((await client.images.generate.mutate({ prompt: 'A lotus' })).images).toHaveLength(1)
    await expect(runFor(server, ['add-key', email, '--scopes', 'write'])).rejects.toThrow('Use some of read')
  })
})
