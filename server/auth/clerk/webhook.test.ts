import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { clerkEnv, signInAtClerk, signMessage, webhookSecret } from '../../../test/support/clerk.ts'
import {
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../../test/support/test-server.ts'

const address = '/api/auth/webhook'
const env = clerkEnv({ CLERK_WEBHOOK_SIGNING_SECRET: webhookSecret })

const deletionOf = (id: string) =>
  JSON.stringify({ object: 'event', type: 'user.deleted', data: { id, object: 'user', deleted: true } })

function deliver(server: TestServer, body: string, headers: Record<string, string> = signMessage(body)) {
  return server.request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

const share = async (user: TestUser) => (await user.share('A lotus')).id

async function postIds({ trpc }: TestUser): Promise<string[]> {
  return (await trpc.posts.list.query()).posts.map(({ id }) => id)
}

test('deletes all data of a user who deletes their Clerk account, but no data of others', async () => {
  const server = await startTestServer({ env })
  const [asha, meera] = [signInAtClerk(server), signInAtClerk(server)]
  await share(asha)
  const kept = await share(meera)

  expect((await deliver(server, deletionOf(asha.id))).status).toBe(204)
  expect(await postIds(meera)).toEqual([kept])
  expect((await asha.trpc.images.list.query()).images).toEqual([])
  expect((await meera.trpc.images.list.query()).images).toHaveLength(1)

  expect((await deliver(server, deletionOf(asha.id))).status).toBe(204)
  expect(await postIds(meera)).toEqual([kept])
  expect(server.lines.find((line) => line.includes('deleted the data of a user'))).toContain(asha.id)
  expect(server.lines.join('')).not.toContain(webhookSecret)
})

describe('API keys of a user', () => {
  const banned = (id: string, value: unknown) =>
    JSON.stringify({ object: 'event', type: 'user.updated', data: { id, object: 'user', banned: value } })
  const hour = 60 * 60 * 1_000
  let time = Date.now()
  const server = shareTestServer({ env, now: () => time })
  const createKey = ({ trpc }: TestUser) => trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  const callBy = (key: string) =>
    server()
      .client({ authorization: `Bearer ${key}` })
      .viewer.query()

  test.each([
    ['deletes their account', (id: string) => deletionOf(id)],
    ['is banned', (id: string) => banned(id, true)],
  ])('are revoked when the user %s, and a leftover session cannot create new ones', async (_, message) => {
    const [asha, meera] = [signInAtClerk(server()), signInAtClerk(server())]
    const [hers, others] = [await createKey(asha), await createKey(meera)]
    expect((await deliver(server(), message(asha.id))).status).toBe(204)
    await expect(callBy(hers.key)).rejects.toThrow('The bearer token is not valid.')
    await expect(createKey(asha)).rejects.toMatchObject({ data: { reason: 'not_signed_in' } })
    expect(await asha.trpc.account.apiKeys.list.query()).toEqual([])
    expect(await callBy(others.key)).toMatchObject({ id: meera.id })

    // After an hour, old sessions have expired, and the user may be unbanned.
    time += hour
    expect(await callBy((await createKey(asha)).key)).toMatchObject({ id: asha.id })
    await deliver(server(), message(meera.id))
    const closed = await server().services.db.selectFrom('closed_accounts').select('user_id').execute()
    expect(closed).toEqual([{ user_id: meera.id }])
    time += hour
  })

  test('cannot be created or used to write by a banned user until the ban is lifted', async () => {
    const asha = signInAtClerk(server())
    await deliver(server(), banned(asha.id, true))
    await expect(asha.generate('A lotus')).rejects.toMatchObject({ data: { reason: 'not_signed_in' } })
    await expect(createKey(asha)).rejects.toMatchObject({ data: { reason: 'not_signed_in' } })
    expect((await deliver(server(), banned(asha.id, false))).status).toBe(204)
    const post = await asha.share('A lotus')
    expect(post).toMatchObject({ authorId: asha.id })
    expect(await callBy((await createKey(asha)).key)).toMatchObject({ id: asha.id })
  })

  test('remain after another change of the account', async () => {
    const asha = signInAtClerk(server())
    const { key } = await createKey(asha)
    for (const value of [false, 'true', null])
      expect((await deliver(server(), banned(asha.id, value))).status).toBe(204)
    expect(await callBy(key)).toMatchObject({ id: asha.id })
  })
})

describe('a message', () => {
  const server = shareTestServer({ env })
  let asha: TestUser
  let kept: string
  beforeAll(async () => {
    asha = signInAtClerk(server())
    kept = await share(asha)
  })
  afterEach(async () => {
    expect(await postIds(asha)).toEqual([kept])
  })

  test.each([
    ['a new account', () => ({ type: 'user.created', data: { id: asha.id } })],
    ['a deleted organization', () => ({ type: 'organization.deleted', data: { id: asha.id } })],
    ['a deletion without an id', () => ({ type: 'user.deleted', data: { deleted: true } })],
    ['the deletion of an unknown user', () => ({ type: 'user.deleted', data: { id: 'user_unknown' } })],
  ])('about %s is acknowledged and ignored', async (_, event) => {
    expect((await deliver(server(), JSON.stringify(event()))).status).toBe(204)
  })

  const now = () => Math.floor(Date.now() / 1000)
  test.each<[string, (body: string) => Record<string, string>]>([
    ['signed with another secret', (body) => signMessage(body, { secret: 'whsec_YW5vdGhlciBzZWNyZXQ=' })],
    ['signed for another body', () => signMessage('{}')],
    ['sent ten minutes ago', (body) => signMessage(body, { at: now() - 600 })],
    ['without any signature headers', () => ({})],
  ])('%s is rejected', async (_, headersFor) => {
    const body = deletionOf(asha.id)
    const response = await deliver(server(), body, headersFor(body))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: 'The message is not signed by Clerk.' })
  })

  test('that is no event is rejected, though it is signed', async () => {
    for (const body of ['', 'not json', '{"type":5,"data":{}}'])
      expect((await deliver(server(), body)).status).toBe(400)
  })

  test.each([
    ['GET', '/webhook'],
    ['POST', '/webhook/'],
    ['POST', '/sign-up/email'],
    ['GET', '/get-session'],
  ])('by %s /api/auth%s is not found', async (method, path) => {
    const body = deletionOf('user_asha')
    const init = method === 'GET' ? {} : { body, headers: signMessage(body) }
    expect((await server().request(`/api/auth${path}`, { method, ...init })).status).toBe(404)
  })
})

test('responds 404 to the webhook without CLERK_WEBHOOK_SIGNING_SECRET', async () => {
  const own = await startTestServer({ env: clerkEnv() })
  expect((await deliver(own, deletionOf('user_asha'))).status).toBe(404)
})

test('responds with an error if the deletion fails, so that Clerk retries', async () => {
  const server = await startTestServer({ env })
  const asha = signInAtClerk(server)
  await share(asha)
  const failure = vi.spyOn(server.services.blobs, 'unlink').mockRejectedValue(new Error('The disk is full.'))
  const rejected = await deliver(server, deletionOf(asha.id))
  expect(rejected.status).toBe(500)
  expect(await rejected.text()).not.toContain('disk')
  expect(server.lines.some((line) => line.includes('The disk is full.'))).toBe(true)
  expect(server.lines.some((line) => line.includes('deleted the data of a user'))).toBe(false)

  failure.mockRestore()
  expect((await deliver(server, deletionOf(asha.id))).status).toBe(204)
  expect(await postIds(asha)).toEqual([])
})
