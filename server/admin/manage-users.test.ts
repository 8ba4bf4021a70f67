import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { makeAccount, otherDevice, signIn, statusFor } from '../../test/support/accounts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { createGate } from '../../test/support/gate.ts'
import { createScriptedEngine, eventually } from '../../test/support/generations.ts'
import { cookieOf, shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'

const { engine, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
let meera: TestUser

beforeAll(async () => {
  meera = await signUpAdministrator(server())
})

const users = (administrator = meera) => administrator.trpc.admin.users

const forbidden = (message: string) => ({ message, data: { httpStatus: 403 } })

/** The latest actions about a user, the newest first. */
async function actionsAbout(userId: string): Promise<unknown[]> {
  const rows = await server()
    .services.db.selectFrom('admin_log')
    .select(['action', 'details', 'administrator_name'])
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(({ action, details, administrator_name }) => [
    administrator_name,
    action,
    JSON.parse(details) as unknown,
  ])
}

describe('blocking a user', () => {
  test('ends their sessions and API keys, cancels their generations and rejects their sign-in', async () => {
    const asha = await makeAccount(server())
    const phone = await otherDevice(server(), asha)
    const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
    const running = (await asha.trpc.images.generate.mutate({ prompt: `It runs for ${asha.id}` })).images[0]
    const job = await waitForJob(`It runs for ${asha.id}`)
    const waiting = (await asha.trpc.images.generate.mutate({ prompt: 'It waits' })).images[0]

    const user = await users().update.mutate({ id: asha.id, blocked: true })
    expect(user).toMatchObject({ id: asha.id, blocked: true, role: 'member' })
    for (const cookie of [asha.cookie, phone]) expect(await statusFor(server(), cookie)).toBe(401)
    const robot = server().client({ authorization: `Bearer ${key}` })
    await expect(robot.images.quota.query()).rejects.toMatchObject({ data: { httpStatus: 401 } })
    expect(job.signal.aborted).toBe(true)
    const { db } = server().services
    const states = await db
      .selectFrom('images')
      .select('state')
      .where('id', 'in', [running?.id ?? '', waiting?.id ?? ''])
      .execute()
    expect(states).toEqual([{ state: 'canceled' }, { state: 'canceled' }])

    const blocked = await signIn(server(), asha)
    expect(blocked.status).toBe(403)
    expect(await blocked.json()).toMatchObject({
      code: 'ACCOUNT_BLOCKED',
      message: 'An administrator has blocked this account.',
    })
    expect(cookieOf(blocked)).not.toContain('session_token')
    expect((await signIn(server(), { ...asha, password: 'not this one' })).status).toBe(401)
    const { rows } = await sql`SELECT id FROM session WHERE "userId" = ${asha.id}`.execute(db)
    expect(rows).toEqual([])

    await users().update.mutate({ id: asha.id, blocked: false })
    expect((await signIn(server(), asha)).status).toBe(200)
    expect(await statusFor(server(), asha.cookie)).toBe(401)
    await expect(robot.images.quota.query()).rejects.toMatchObject({ data: { httpStatus: 401 } })
    expect(await actionsAbout(asha.id)).toEqual([
      ['Meera', 'unblock', {}],
      ['Meera', 'block', {}],
    ])
  })

  test('rejects a request that was authenticated before', async () => {
    const asha = await server().signUp()
    const { services } = server()
    const viewer = { id: asha.id, firstName: 'Asha', imageUrl: null, role: 'member' as const }
    await users().update.mutate({ id: asha.id, blocked: true })
    await expect(services.generations.generate(viewer, { prompt: 'Too late' })).rejects.toMatchObject({
      code: 'not_signed_in',
    })
  })

  test.runIf(inject('postgresUrl') !== undefined)(
    'on one process ends their sessions and generations on another',
    async () => {
      const other = await startTestServer({ engine, folder: server().directory })
      const asha = await makeAccount(server())
      const elsewhere = other.client({ cookie: asha.cookie, origin: other.url })
      const prompt = `It runs elsewhere for ${asha.id}`
      await elsewhere.images.generate.mutate({ prompt })
      const job = await waitForJob(prompt)
      await users().update.mutate({ id: asha.id, blocked: true })
      await eventually(() => job.signal.aborted).toBe(true)
      await expect(elsewhere.images.quota.query()).rejects.toMatchObject({ data: { httpStatus: 401 } })
      expect((await signIn(other, asha)).status).toBe(403)
    },
  )
})

describe('a role', () => {
  test('takes effect at once, with what it allows', async () => {
    const ravi = await server().signUp('Ravi Shah')
    await users().update.mutate({ id: ravi.id, role: 'moderator' })
    expect(await ravi.trpc.viewer.query()).toMatchObject({ role: 'moderator' })
    expect(await ravi.trpc.moderation.listReported.query()).toMatchObject({ total: 0 })
    await expect(ravi.trpc.admin.users.list.query()).rejects.toMatchObject(
      forbidden('Only administrators can do this.'),
    )
    await users().update.mutate({ id: ravi.id, role: 'administrator' })
    expect((await users(ravi).get.query({ id: ravi.id })).role).toBe('administrator')
    await users().update.mutate({ id: ravi.id, role: 'member' })
    await expect(ravi.trpc.moderation.listReported.query()).rejects.toMatchObject({
      data: { httpStatus: 403 },
    })
    expect(await actionsAbout(ravi.id)).toEqual([
      ['Meera', 'change_role', { from: 'administrator', to: 'member' }],
      ['Meera', 'change_role', { from: 'moderator', to: 'administrator' }],
      ['Meera', 'change_role', { from: 'member', to: 'moderator' }],
    ])
  })

  test('is never higher than member for an API key', async () => {
    const ravi = await server().signUp()
    await users().update.mutate({ id: ravi.id, role: 'administrator' })
    const { key } = await ravi.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
    const robot = server().client({ authorization: `Bearer ${key}` })
    expect(await robot.viewer.query()).toMatchObject({ role: 'member' })
    await expect(robot.admin.users.list.query()).rejects.toMatchObject({ data: { httpStatus: 403 } })
    await expect(robot.moderation.listReported.query()).rejects.toMatchObject({ data: { httpStatus: 403 } })
  })

  test('of two administrators who demote each other stays with one', async () => {
    const [one, two] = [
      await signUpAdministrator(server(), 'One'),
      await signUpAdministrator(server(), 'Two'),
    ]
    const results = await Promise.allSettled([
      users(one).update.mutate({ id: two.id, role: 'member' }),
      users(two).update.mutate({ id: one.id, role: 'member' }),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const roles = await Promise.all([one, two].map(async ({ id }) => (await users().get.query({ id })).role))
    expect(roles.toSorted()).toEqual(['administrator', 'member'])
  })
})

test.each<[string, (administrator: TestUser, id: string) => Promise<unknown>]>([
  ['an option', ({ trpc }) => trpc.admin.options.update.mutate({ dailyImageLimit: 7 })],
  ['an engine', ({ trpc }) => trpc.admin.engines.update.mutate({ id: engine.id, access: 'moderator' })],
  [
    'an announcement',
    ({ trpc }) =>
      trpc.admin.announcements.save.mutate({
        id: null,
        text: 'Tonight',
        level: 'info',
        link: null,
        endsAt: null,
      }),
  ],
  ['a new invitation', ({ trpc }) => trpc.admin.invitations.create.mutate({})],
  ['an invitation', ({ trpc }, id) => trpc.admin.invitations.revoke.mutate({ id })],
  [
    'a webhook of the site',
    ({ trpc }) =>
      trpc.admin.webhooks.create.mutate({ url: 'https://93.184.215.14/hook', events: ['post.created'] }),
  ],
])('a change of %s is rejected if its administrator loses the role meanwhile', async (_, change) => {
  const former = await signUpAdministrator(server(), 'Former')
  const { id } = await meera.trpc.admin.invitations.create.mutate({})
  const { authenticator } = server().services
  const authenticate = authenticator.authenticate.bind(authenticator)
  const [authenticated, demoted] = [createGate(), createGate()]
  vi.spyOn(authenticator, 'authenticate').mockImplementationOnce(async (credentials) => {
    const identity = await authenticate(credentials)
    authenticated.open()
    await demoted.opened
    return identity
  })
  const rejected = expect(change(former, id)).rejects.toMatchObject(
    forbidden('Only administrators can do this.'),
  )
  await authenticated.opened
  await users().update.mutate({ id: former.id, role: 'moderator' })
  demoted.open()
  await rejected
  const { entries } = await meera.trpc.admin.auditLog.query({ limit: 10 })
  const actors = entries.map(({ record }) => ('administrator' in record ? record.administrator : null))
  expect(actors).not.toContain('Former')
})

test('administrators cannot change their own role, block or delete themselves, but their own limit', async () => {
  const own = { id: meera.id }
  const rejected = forbidden('You cannot do this to your own account.')
  await expect(users().update.mutate({ ...own, role: 'member' })).rejects.toMatchObject(rejected)
  await expect(users().update.mutate({ ...own, blocked: true })).rejects.toMatchObject(rejected)
  await expect(users().delete.mutate({ ...own, posts: 'remove' })).rejects.toMatchObject(rejected)
  expect(await users().update.mutate({ ...own, role: 'administrator', dailyImageLimit: 500 })).toMatchObject({
    role: 'administrator',
    dailyImageLimit: 500,
  })
  expect(await meera.trpc.images.quota.query()).toMatchObject({ limit: 500 })
})

test('an own daily limit replaces that of the site until it is removed', async () => {
  const asha = await server().signUp()
  await users().update.mutate({ id: asha.id, dailyImageLimit: 0 })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ limit: 0 })
  await expect(asha.trpc.images.generate.mutate({ prompt: 'One too many' })).rejects.toMatchObject({
    data: { reason: 'daily_limit' },
  })
  expect(await users().update.mutate({ id: asha.id, dailyImageLimit: null })).toMatchObject({
    dailyImageLimit: null,
  })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ limit: 20 })
  for (const dailyImageLimit of [-1, 1.5, 1e12])
    await expect(users().update.mutate({ id: asha.id, dailyImageLimit })).rejects.toMatchObject({
      data: { httpStatus: 400 },
    })
  expect(await actionsAbout(asha.id)).toEqual([
    ['Meera', 'change_daily_limit', { from: 0, to: null }],
    ['Meera', 'change_daily_limit', { from: null, to: 0 }],
  ])
})

test('responds with 404 for a user who does not exist', async () => {
  const unknown = { id: 'unknown' }
  const notFound = { message: 'User not found.', data: { httpStatus: 404 } }
  await expect(users().get.query(unknown)).rejects.toMatchObject(notFound)
  await expect(users().update.mutate({ ...unknown, blocked: true })).rejects.toMatchObject(notFound)
  await expect(users().signOut.mutate(unknown)).rejects.toMatchObject(notFound)
  await expect(users().delete.mutate({ ...unknown, posts: 'keep' })).rejects.toMatchObject(notFound)
})

test('signing a user out ends every session and leaves API keys', async () => {
  const asha = await makeAccount(server())
  const phone = await otherDevice(server(), asha)
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  await users().signOut.mutate({ id: asha.id })
  for (const cookie of [asha.cookie, phone]) expect(await statusFor(server(), cookie)).toBe(401)
  const robot = server().client({ authorization: `Bearer ${key}` })
  expect(await robot.viewer.query()).toMatchObject({ id: asha.id })
  expect((await signIn(server(), asha)).status).toBe(200)
  expect(await actionsAbout(asha.id)).toEqual([['Meera', 'sign_out_user', {}]])
})

test('deleting a user with posts: keep leaves their post, and nothing else', async () => {
  const own = await startTestServer()
  const administrator = await signUpAdministrator(own)
  const asha = await makeAccount(own)
  await asha.share('A lotus')
  await users(administrator).update.mutate({ id: asha.id, dailyImageLimit: 3 })
  await users(administrator).delete.mutate({ id: asha.id, posts: 'keep' })
  expect(await statusFor(own, asha.cookie)).toBe(401)
  expect((await signIn(own, asha)).status).toBe(401)
  expect((await own.client().posts.list.query()).total).toBe(1)
  expect((await users(administrator).list.query()).users.map(({ id }) => id)).toEqual([administrator.id])
  const log = await own.services.db.selectFrom('admin_log').selectAll().orderBy('seq').execute()
  expect(log).toMatchObject([
    { action: 'change_daily_limit', user_id: null },
    { action: 'delete_user', user_id: null, details: JSON.stringify({ posts: 'keep' }) },
  ])
  await expect(users(administrator).delete.mutate({ id: asha.id, posts: 'keep' })).rejects.toMatchObject({
    data: { httpStatus: 404 },
  })
})
