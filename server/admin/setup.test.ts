import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { clerkEnv, signInAtClerk } from '../../test/support/clerk.ts'
import { freshAddress, startTestServer, type TestServer } from '../../test/support/test-server.ts'

const account = { name: 'Meera Iyer', email: 'Meera@example.org', password: 'correct horse' }
const line = 'This site has no administrator yet. <a href="/setup">Set it up</a>'

const statusOf = (httpStatus: number) => ({ data: { httpStatus } })

const clientOf = ({ client }: TestServer, headers = {}) =>
  client({ 'x-forwarded-for': freshAddress(), ...headers }).setup

const gallery = async ({ request }: TestServer) => (await request('/')).text()

async function signIn({ postAccount }: TestServer, { email, password } = account) {
  return (await postAccount('/sign-in/email', { email, password })).status
}

test('the code makes the first administrator, with the site and its engine, and is void then', async () => {
  const server = await startTestServer()
  const { setup } = server.services
  const code = setup.code()
  expect(code).toMatch(/^[\w-]{32}$/)
  const file = path.join(server.directory, 'data/setup-code')
  const hasFile = server.services.config.database.kind === 'sqlite'
  if (hasFile) expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([code, 0o600])
  expect(await gallery(server)).toContain(line)
  const page = await server.request('/setup')
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const html = await page.text()
  expect(html).toContain('content="noindex"')
  expect(html).not.toContain(code)

  await clientOf(server).complete.mutate({
    code,
    name: 'Kolam',
    signUp: 'invite',
    engine: { kind: 'rangoli', label: 'Second' },
    account,
  })
  expect(await signIn(server)).toBe(200)
  const found = await server.services.authenticator.directory.list(server.services.db, {
    search: '',
    sort: 'createdAt',
    direction: 'asc',
    cursor: undefined,
    limit: 10,
  })
  expect(found.users.map(({ email }) => email)).toEqual(['meera@example.org'])
  expect(await server.client().site.appearance.query()).toMatchObject({ name: 'Kolam' })
  const { engines } = await server.client().engines.list.query()
  expect(engines.map(({ label }) => label)).toEqual(['Second', expect.any(String)])
  expect(await gallery(server)).not.toContain('/setup')
  expect(await gallery(server)).toContain('"signUp":"invite"')
  expect((await server.request('/setup')).status).toBe(404)
  await expect(readFile(file)).rejects.toThrow('ENOENT')
  for (const again of [code, setup.code()])
    await expect(clientOf(server).complete.mutate({ code: again, account })).rejects.toMatchObject({
      message: 'This site has an administrator already.',
      ...statusOf(403),
    })
})

test('the code stays over restarts', async () => {
  const first = await startTestServer()
  const code = first.services.setup.code()
  const second = await startTestServer({ folder: first.directory })
  expect(second.services.setup.code()).toBe(code)
})

test('the code is another one when all administrators are gone', async () => {
  const first = await startTestServer()
  const code = first.services.setup.code()
  await clientOf(first).complete.mutate({ code, account })
  await first.services.db.deleteFrom('user_access').execute()
  const second = await startTestServer({ folder: first.directory })
  for (const server of [first, second])
    await expect(clientOf(server).complete.mutate({ code, account })).rejects.toMatchObject(statusOf(403))
  expect(await second.services.setup.isOpen()).toBe(true)
  expect(second.services.setup.code()).not.toBe(code)
})

test('a code that a full disk has cut off is replaced', async () => {
  const { services, directory, client } = await startTestServer()
  if (services.config.database.kind !== 'sqlite') return
  const file = path.join(directory, 'data/setup-code')
  await writeFile(file, '')
  await expect(client().setup.complete.mutate({ code: '', account })).rejects.toMatchObject(statusOf(403))
  expect(services.setup.code()).toMatch(/^[\w-]{32}$/)
  expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([
    services.setup.code(),
    0o600,
  ])
})

test('a wrong code creates nothing, and more of them have to wait', async () => {
  const server = await startTestServer()
  const { complete, tryEngine } = clientOf(server)
  const code = server.services.setup.code()
  for (const wrong of ['', 'wrong', code.slice(1), `${code}x`]) {
    await expect(complete.mutate({ code: wrong, account })).rejects.toMatchObject(statusOf(403))
    await expect(
      tryEngine.mutate({ code: wrong, engine: { kind: 'rangoli', label: 'A' } }),
    ).rejects.toMatchObject(statusOf(403))
  }
  const last = Promise.allSettled(
    Array.from({ length: 4 }, () => complete.mutate({ code: 'wrong', account })),
  )
  expect(
    (await last).map((one) => one.status === 'rejected' && (one.reason as Error).message).join(),
  ).toContain('Too many attempts')
  await expect(complete.mutate({ code, account })).rejects.toMatchObject(statusOf(429))
  expect(await signIn(server)).toBe(401)
  expect(server.lines.join('')).not.toContain(code)
  await clientOf(server).complete.mutate({ code, account })
  expect(await signIn(server)).toBe(200)
})

test('one of two that come at the same time wins, and the other leaves no account', async () => {
  const server = await startTestServer()
  const code = server.services.setup.code()
  const others = [account, { ...account, email: 'ravi@example.org' }]
  const results = await Promise.allSettled(
    others.map((one) => clientOf(server).complete.mutate({ code, account: one })),
  )
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const statuses = [await signIn(server, others[0]), await signIn(server, others[1])]
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401])
})

test('a user who is signed in becomes the administrator, and others keep signing up', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const code = server.services.setup.code()
  await expect(clientOf(server).complete.mutate({ code })).rejects.toMatchObject(statusOf(401))
  await clientOf(server, server.headersOf({ cookie: asha.cookie })).complete.mutate({ code })
  expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id, role: 'administrator' })
  expect(await (await server.signUp()).trpc.viewer.query()).toMatchObject({ role: 'member' })
})

test('an administrator of another origin ends it on cached pages', async () => {
  const server = await startTestServer()
  expect(await gallery(server)).toContain(line)
  await signUpAdministrator(server)
  expect(await gallery(server)).not.toContain(line)
})

test('a user who signed in at Clerk becomes the administrator, and no account is created', async () => {
  const server = await startTestServer({ env: clerkEnv() })
  const code = server.services.setup.code()
  expect((await server.request('/setup')).status).toBe(200)
  await expect(clientOf(server).complete.mutate({ code, account })).rejects.toMatchObject(statusOf(401))
  const asha = signInAtClerk(server)
  await asha.trpc.setup.complete.mutate({ code })
  expect(await asha.trpc.viewer.query()).toMatchObject({ role: 'administrator' })
})

test.each([{ SETUP: 'off' }, { ...clerkEnv(), CLERK_ADMINISTRATORS: 'user_2abcdefghijklmnopqrstuvwxyz' }])(
  'there is no setup with %o',
  async (env) => {
    const server = await startTestServer({ env })
    expect(await gallery(server)).not.toContain('/setup')
    expect((await server.request('/setup')).status).toBe(404)
    const code = server.services.setup.code()
    const message = env.SETUP ? 'turned off' : 'has an administrator already'
    await expect(clientOf(server).complete.mutate({ code, account })).rejects.toThrow(message)
  },
)

test('weak passwords, known emails and wrong engines are rejected before anything is stored', async () => {
  const server = await startTestServer()
  const code = server.services.setup.code()
  await server.postAccount('/sign-up/email', { ...account, email: 'ravi@example.org' })
  const { complete, tryEngine } = clientOf(server)
  for (const input of [
    { account: { ...account, password: 'password' } },
    { account: { ...account, password: 'short' } },
    { account: { ...account, email: 'ravi@example.org' } },
    { account: { ...account, email: 'no address' } },
    { account, engine: { kind: 'openai', label: 'A', url: 'file:///x' } },
  ])
    await expect(complete.mutate({ code, ...input })).rejects.toMatchObject(statusOf(400))
  expect(await server.services.setup.isOpen()).toBe(true)
  expect(await tryEngine.mutate({ code, engine: { kind: 'rangoli', label: 'A' } })).toEqual({
    image: expect.stringMatching(/^data:image\/png;base64,/),
    error: null,
  })
  const engine = { kind: 'automatic1111', label: 'A', url: 'http://127.0.0.1:9' }
  const { image, error } = await tryEngine.mutate({ code, engine })
  expect([image, error]).toEqual([null, expect.stringContaining('127.0.0.1:9')])
})
