import { beforeEach, expect, test } from 'vitest'
import { clerkEnv, mintToken, signInAtClerk } from '../../../test/support/clerk.ts'
import { eventually } from '../../../test/support/generations.ts'
import { startTestServer, type TestServer, type TestUser } from '../../../test/support/test-server.ts'

let server: TestServer
let boss: TestUser

beforeEach(async () => {
  server = await startTestServer({ env: clerkEnv({ CLERK_ADMINISTRATORS: 'user_boss' }) })
  boss = signInAtClerk(server, 'user_boss')
  await boss.trpc.viewer.query()
})

const users = () => boss.trpc.admin.users

/** Signs a user in and waits until the directory has them. */
async function visit(sub: string, claims: Record<string, unknown> = {}): Promise<{ authorization: string }> {
  const authorization = `Bearer ${mintToken({ azp: server.url, sub, ...claims })}`
  await server.client({ authorization }).viewer.query()
  await eventually(async () => (await users().list.query({ search: sub })).total).toBe(1)
  return { authorization }
}

test('lists the users who have been here, with their first names, and finds them by name and id', async () => {
  await visit('user_asha', { first_name: 'ÁSHA', image_url: 'https://img.clerk.com/asha' })
  for (const search of ['ásha', 'user_asha']) {
    expect(await users().list.query({ search })).toMatchObject({
      users: [{ id: 'user_asha', name: 'ÁSHA', email: null, role: 'member', fixedRole: null, signIn: [] }],
      total: 1,
    })
  }
  const first = await users().list.query({ limit: 1 })
  const second = await users().list.query({ limit: 1, cursor: first.nextCursor })
  expect([...first.users, ...second.users].map(({ id }) => id)).toEqual(['user_asha', 'user_boss'])
  expect(second.nextCursor).toBeNull()
})

test('a role, an own limit and a block apply to sessions by cookie and by token', async () => {
  const token = await visit('user_ravi')
  const byToken = server.client(token)
  const byCookie = signInAtClerk(server, 'user_ravi').trpc
  await users().update.mutate({ id: 'user_ravi', role: 'moderator', dailyImageLimit: 2 })
  for (const client of [byToken, byCookie]) {
    expect(await client.viewer.query()).toMatchObject({ role: 'moderator' })
    expect(await client.images.quota.query()).toMatchObject({ limit: 2 })
    expect(await client.moderation.listReported.query()).toMatchObject({ total: 0 })
  }
  await users().update.mutate({ id: 'user_ravi', blocked: true })
  expect(await byCookie.viewer.query()).toBeNull()
  await expect(byCookie.images.quota.query()).rejects.toMatchObject({ data: { httpStatus: 401 } })
  await expect(byToken.images.quota.query()).rejects.toMatchObject({
    message: 'An administrator has blocked this account.',
    data: { httpStatus: 401 },
  })
  await users().update.mutate({ id: 'user_ravi', blocked: false })
  expect(await byToken.viewer.query()).toMatchObject({ role: 'moderator' })
})

test('the role of CLERK_ADMINISTRATORS is shown as fixed, also to administrators who were appointed here', async () => {
  const token = await visit('user_meera')
  await users().update.mutate({ id: 'user_meera', role: 'administrator' })
  const meera = server.client(token).admin.users
  expect(await meera.get.query({ id: 'user_boss' })).toMatchObject({
    role: 'administrator',
    fixedRole: 'CLERK_ADMINISTRATORS',
  })
  await expect(meera.update.mutate({ id: 'user_boss', role: 'member' })).rejects.toMatchObject({
    message: 'This role is set by the environment variable CLERK_ADMINISTRATORS.',
    data: { httpStatus: 403 },
  })
})

test('sessions are Clerk’s, and deleting a user deletes what is stored here', async () => {
  const token = await visit('user_lila')
  const lila = server.client(token)
  const { images } = await lila.images.generate.mutate({ prompt: 'A lotus' })
  await eventually(async () => (await lila.images.get.query({ id: images[0]?.id ?? '' })).state).toBe(
    'succeeded',
  )
  await expect(users().signOut.mutate({ id: 'user_lila' })).rejects.toMatchObject({
    message: 'Sessions are managed by Clerk: end them in its dashboard.',
    data: { httpStatus: 403 },
  })
  await users().delete.mutate({ id: 'user_lila', posts: 'remove' })
  expect((await users().list.query({ search: 'user_lila' })).total).toBe(0)
  const { db } = server.services
  expect(await db.selectFrom('images').select('id').where('owner_id', '=', 'user_lila').execute()).toEqual([])
  await expect(lila.images.generate.mutate({ prompt: 'A kite' })).rejects.toMatchObject({
    data: { httpStatus: 401 },
  })
})

test('a blocked user stays blocked after their data is deleted, until they are unblocked', async () => {
  const token = await visit('user_mohan', { first_name: 'Mohan' })
  await users().update.mutate({ id: 'user_mohan', blocked: true, dailyImageLimit: 3 })
  await users().delete.mutate({ id: 'user_mohan', posts: 'remove' })
  // Closed accounts are forgotten after an hour.
  await server.services.db.deleteFrom('closed_accounts').execute()
  const mohan = server.client(token)
  await expect(mohan.images.quota.query()).rejects.toMatchObject({
    message: 'An administrator has blocked this account.',
  })
  const { users: found } = await users().list.query({ search: 'user_mohan' })
  expect(found).toMatchObject([
    { id: 'user_mohan', name: 'user_mohan', blocked: true, dailyImageLimit: null },
  ])
  await users().update.mutate({ id: 'user_mohan', blocked: false })
  expect(await mohan.images.quota.query()).toMatchObject({ used: 0 })
})

test('a visit is written at most once an hour', async () => {
  await visit('user_often')
  const read = () => server.services.db.selectFrom('known_users').selectAll().orderBy('user_id').execute()
  const before = await read()
  await visit('user_often')
  expect(await read()).toEqual(before)
})
