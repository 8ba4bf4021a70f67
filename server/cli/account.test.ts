import { existsSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeAccount, otherDevice, signIn, statusFor } from '../../test/support/accounts.ts'
import { clerkEnv } from '../../test/support/clerk.ts'
import { runCommand } from '../../test/support/command.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { createScriptedEngine } from '../../test/support/generations.ts'
import { cookieOf, shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { StartError } from '../errors/app-error.ts'
import { ask } from './command.ts'

const password = /^[a-z2-9]{5}(?:-[a-z2-9]{5}){3}$/

type Options = Parameters<typeof runCommand>[2]

/** Runs the command in a folder. @throws StartError */
async function run(folder: string, args: readonly string[], options?: Options) {
  const { error, ...result } = await runCommand(folder, ['account', ...args], options)
  if (error !== null) throw new StartError(error)
  return result
}

const server = shareTestServer()

const runHere = (args: readonly string[], options?: Options) => run(server().directory, args, options)

test('add prints the password of an account that can sign in, though sign-up is closed', async () => {
  const closed = await startTestServer({ env: { SIGN_UP: 'closed' } })
  const args = ['add', 'Asha@Example.org', '--name', '  आशा राव ']
  const { printed, logged } = await run(closed.directory, args, { env: { SIGN_UP: 'closed' } })
  expect(printed).toEqual([
    'Asha@Example.org can sign in with this password, which is shown only now:',
    expect.stringMatching(password),
  ])
  expect(logged).toEqual([])
  const answer = await signIn(closed, { email: 'asha@example.org', password: printed[1] ?? '' })
  const viewer = await closed.client({ cookie: cookieOf(answer) }).viewer.query()
  expect(viewer).toMatchObject({ firstName: 'आशा', role: 'member' })
})

test('add works before the first start of a server, and takes the name from the address', async () => {
  const folder = await tempFolder()
  await run(folder, ['add', 'asha@example.org'])
  const { printed, logged } = await run(folder, ['list'])
  expect([printed[1], ...logged]).toEqual([expect.stringMatching(/ asha$/)])
  const started = await startTestServer({ folder })
  const again = { name: 'Asha', email: 'ASHA@example.org', password: 'correct horse' }
  expect((await started.postAccount('/sign-up/email', again)).status).toBe(422)
})

test('reset-password ends sessions, API keys and the old password, and ignores the case of the address', async () => {
  const asha = await makeAccount(server())
  const phone = await otherDevice(server(), asha)
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  const { printed } = await runHere(['reset-password', asha.email.toUpperCase()])
  expect(printed[1]).toMatch(password)
  for (const cookie of [asha.cookie, phone]) expect(await statusFor(server(), cookie)).toBe(401)
  const robot = server().client({ authorization: `Bearer ${key}` })
  await expect(robot.viewer.query()).rejects.toThrow('The bearer token is not valid.')
  expect((await signIn(server(), asha)).status).toBe(401)
  expect((await signIn(server(), { ...asha, password: printed[1] ?? '' })).status).toBe(200)
})

test('block ends sessions at once, and unblock lets the user sign in again', async () => {
  const asha = await makeAccount(server())
  const { printed } = await runHere(['block', asha.email])
  expect(printed).toEqual([`${asha.email} is blocked, and signed out everywhere.`])
  expect(await statusFor(server(), asha.cookie)).toBe(401)
  await runHere(['unblock', asha.email])
  expect((await signIn(server(), asha)).status).toBe(200)
  const { db } = server().services
  const log = await db.selectFrom('admin_log').selectAll().where('user_id', '=', asha.id).execute()
  const operator = { administrator_id: null, administrator_name: 'Operator' }
  expect(log).toMatchObject([
    { action: 'block', ...operator },
    { action: 'unblock', ...operator },
  ])
})

test('leaves the generations that wait to the running server', async () => {
  // The id of the engine that commands have, too.
  const { engine } = createScriptedEngine({ id: 'rangoli' })
  const own = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
  const { trpc } = await makeAccount(own)
  await trpc.images.generate.mutate({ prompt: 'A lotus', count: 3 })
  const ravi = await makeAccount(own, { name: 'Ravi', email: 'ravi@example.org' })
  await ravi.trpc.images.generate.mutate({ prompt: 'A kite' })
  await run(own.directory, ['block', 'ravi@example.org'])
  const { images } = await trpc.images.list.query()
  expect(images).toMatchObject([{ state: 'queued' }, { state: 'queued' }, { failure: null }])
})

test('set-limit changes the daily image limit of a user until it is that of the site again', async () => {
  const { email, trpc } = await makeAccount(server())
  const set = (limit: string) => runHere(['set-limit', email, limit])
  expect((await set('1')).printed).toEqual([`${email} can generate 1 image per day.`])
  expect(await trpc.images.quota.query()).toMatchObject({ limit: 1 })
  expect((await set('site')).printed).toEqual([`The limit of the site applies to ${email}.`])
  expect(await trpc.images.quota.query()).toMatchObject({ limit: 20 })
  for (const limit of ['-1', '1.5', 'many', '1000001'])
    await expect(set(limit)).rejects.toThrow(/a whole number from 0 to 1000000, or "site"/)
})

test('a role is given and taken at once, however often', async () => {
  const asha = await makeAccount(server())
  for (const [command, role] of [
    ['make-moderator', 'moderator'],
    ['remove-role', 'member'],
    ['make-admin', 'administrator'],
    ['remove-admin', 'member'],
  ] as const) {
    for (const email of [asha.email, asha.email.toUpperCase()]) {
      await runHere([command, email])
      expect(await asha.trpc.viewer.query()).toMatchObject({ role })
    }
  }
})

test('add-key prints a key with the given scopes that works at once', async () => {
  const { email } = await makeAccount(server())
  const { printed } = await runHere(['add-key', email, '--scopes', 'generate,read'])
  expect(printed[0]).toBe(`API key of ${email} (read, generate), which is shown only now:`)
  const client = server().client({ authorization: `Bearer ${printed[1]}` })
  expect((await client.images.generate.mutate({ prompt: 'A lotus' })).images).toHaveLength(1)
  await expect(runHere(['add-key', email, '--scopes', 'write'])).rejects.toThrow('Use some of read')
})

test('list prints every account, oldest first, more than one page of better-auth', async () => {
  const own = await startTestServer()
  const asha = await makeAccount(own, { name: 'आशा राव', email: 'asha@example.org' })
  await run(own.directory, ['make-admin', asha.email])
  const ravi = await makeAccount(own, { name: 'Ravi', email: 'ravi.kumar.of.the.lotus.pond@example.org' })
  await run(own.directory, ['block', ravi.email])
  await asha.share('A lotus')
  const later = '2199-01-01T00:00:00.000Z'
  for (let count = 0; count < 120; count += 1) {
    await sql`INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      VALUES (${`p${count}`}, 'Guest', ${`p${count}@example.org`}, false, ${later}, ${later})`.execute(
      own.services.db,
    )
  }
  const { printed } = await run(own.directory, ['list'])
  expect(printed.slice(0, 3)).toEqual([
    'EMAIL                                     ROLE           LIMIT  SINCE       POSTS  NAME',
    expect.stringMatching(/^asha@example.org {26}administrator {2}- {6}\d{4}-\d\d-\d\d {2}1 {6}आशा राव$/),
    expect.stringMatching(/^ravi\.kumar\S+ {2}blocked {8}- {6}\d{4}-\d\d-\d\d {2}0 {6}Ravi$/),
  ])
  expect(printed).toHaveLength(123)
})

describe('delete', () => {
  /** A user with a post, and the number of posts of the site. */
  async function shared(ofServer = server()) {
    const asha = await makeAccount(ofServer)
    await asha.share('A lotus')
    const countPosts = async () => (await ofServer.client().posts.list.query({ authorId: asha.id })).total
    return { ...asha, countPosts }
  }

  test('does not ask with --yes, and removes the posts if told to', async () => {
    const asha = await shared()
    const args = ['delete', asha.email.toUpperCase(), '--yes', '--posts=remove']
    const { printed, questions } = await runHere(args, { answer: false })
    expect({ printed, questions }).toEqual({
      printed: [`The account ${asha.email} is deleted.`],
      questions: [],
    })
    expect(await statusFor(server(), asha.cookie)).toBe(401)
    expect((await signIn(server(), asha)).status).toBe(401)
    expect(await asha.countPosts()).toBe(0)
  })

  test('asks on a terminal, which it requires without --yes, and follows the answer', async () => {
    const own = await startTestServer()
    const asha = await shared(own)
    await expect(run(own.directory, ['delete', asha.email])).rejects.toThrow(/ pass --yes to confirm\.$/)
    const remove = (...args: string[]) =>
      run(own.directory, ['delete', asha.email, ...args], { answer: false })
    const no = await remove('--posts', 'remove')
    const question = `Delete the account ${asha.email} of Asha Rao, with its images? Its one post`
    expect(no.questions).toEqual([`${question} is deleted too. [y/N] `])
    expect(no.printed).toEqual(['Nothing was deleted.'])
    expect(await statusFor(own, asha.cookie)).toBe(200)
    const yes = await run(own.directory, ['delete', asha.email], { answer: true })
    expect(yes.questions).toEqual([`${question} stays in the gallery. [y/N] `])
    expect(await statusFor(own, asha.cookie)).toBe(401)
    expect((await own.client().posts.list.query()).total).toBe(1)
  })
})

describe('reports an error in one line', () => {
  test.each([
    [['add'], /^Missing required argument 'email'/],
    [['toString', 'asha@example.org'], /^Unknown command 'toString'/],
    [[], /^Missing command/],
    [['add', 'asha@example.org', '--nam', 'Asha'], /^Unknown option '--nam' \(Did you mean --name\?\)/],
    [['delete', 'asha@example.org', '--posts', 'sell'], / Allowed choices are keep, remove/],
  ])('rejects the arguments %j without opening anything', async (args, sentence) => {
    const missing = path.join(await tempFolder(), 'not-there')
    const failure = run(missing, args)
    await expect(failure).rejects.toThrow(sentence)
    await expect(failure).rejects.toThrow(/^[^\n]+npm run account -- --help[^\n]+$/)
    expect(existsSync(missing)).toBe(false)
  })

  test.each([
    [['list'], 'Accounts are managed by Clerk: use its dashboard.', clerkEnv()],
    [['add', 'no address'], '"no address" is not an email address.'],
    [['add', 'asha@example.org', '--name', ' \u200b '], 'Please enter your name.'],
    [['make-admin', 'Nobody@example.org'], 'There is no account with the address nobody@example.org.'],
  ])('for %j', async (args, sentence, env = {}) => {
    await expect(runHere(args, { env })).rejects.toThrow(new StartError(sentence))
  })

  test('if there is an account with the address already', async () => {
    const { email } = await makeAccount(server())
    const sentence = `There is already an account with the address ${email}.`
    await expect(runHere(['add', email.toUpperCase()])).rejects.toThrow(new StartError(sentence))
  })
})

test.each([
  [' YES \n', true],
  ['y\n', true],
  ['\n', false],
  ['yesterday\n', false],
  ['', false],
])('takes the answer %j to a question as %j', async (typed, meaning) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = ask('Delete it? [y/N] ', input, output)
  input.end(typed)
  expect(await answer).toBe(meaning)
  expect(String(output.read())).toBe('Delete it? [y/N] ')
})
