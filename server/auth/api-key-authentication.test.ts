import { beforeEach, describe, expect, test, vi } from 'vitest'
import { plainJpeg } from '../../test/support/engine.ts'
import { clerkEnv, mintToken } from '../../test/support/clerk.ts'
import { eventually } from '../../test/support/generations.ts'
import { dataUrl } from '../../test/support/images.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { trpcTransport as transport } from '../../test/support/transports.ts'
import { generateApiKey } from '../access/api-keys.ts'

const day = 24 * 60 * 60 * 1_000

let time = Date.now()
const server = shareTestServer({
  env: { DAILY_IMAGE_LIMIT: '2' },
  now: () => time,
})
let asha: TestUser
let bearer: string
let robot: TestUser['trpc']

const clientOf = (token: string) => server().client({ authorization: `Bearer ${token}` })

beforeEach(async () => {
  asha = await server().signUp()
  bearer = (await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })).key
  robot = clientOf(bearer)
})

describe('an API key', () => {
  test('acts as its user, within the same daily quota', async () => {
    await asha.generate('A lotus')
    const generate = (prompt: string) => transport.generate(server(), { prompt }, { bearer })
    expect(await generate('A kite')).toMatchObject({ error: null })
    expect(await generate('A drum')).toMatchObject({
      status: 429,
      error: 'You have reached your daily image limit.',
    })
    const photo = dataUrl(await plainJpeg(`a photo of ${asha.id}`))
    const name = `Robot of ${asha.id}`
    expect(await transport.share(server(), { name, prompt: 'p', photo }, { bearer })).toMatchObject({
      error: null,
    })
    const { posts } = await asha.trpc.posts.list.query({ search: name })
    expect(posts).toMatchObject([{ authorId: asha.id }])
    await robot.posts.delete.mutate({ id: posts[0]?.id ?? '' })
  })

  test.each<[string, string, (token: string) => string]>([
    ['unknown', 'The bearer token is not valid.', generateApiKey],
    ['mistyped', 'The API key is incomplete or mistyped.', (token) => token.toLowerCase()],
    ['very long', 'The API key is incomplete or mistyped.', (token) => token.repeat(100)],
    ['not ASCII', 'The API key is incomplete or mistyped.', () => 'rgl_ÿþ'],
  ])('is rejected if it is %s', async (_, error, spoil) => {
    const credential = { bearer: spoil(bearer) }
    const expected = { status: 401, error }
    expect(await transport.generate(server(), { prompt: 'A lotus' }, credential)).toMatchObject(expected)
    expect(await transport.share(server(), { prompt: 'p', photo: 'p' }, credential)).toMatchObject(expected)
  })

  test('is ignored in a URL, a cookie, another scheme and a body', async () => {
    const asHeader = `Bearer ${bearer}`
    const { share } = transport.addresses
    const body = { prompt: 'p', photo: 'p', token: bearer, authorization: asHeader }
    for (const query of [
      { token: bearer, access_token: bearer, bearer, api_key: bearer },
      { authorization: asHeader, Authorization: asHeader },
      { connectionParams: JSON.stringify({ authorization: asHeader, token: bearer }) },
    ] as Record<string, string>[]) {
      const answer = await server().postJson(`${share}?${new URLSearchParams(query)}`, body)
      expect(answer.status).toBe(401)
    }
    for (const headers of [
      { cookie: `better-auth.session_token=${bearer}`, origin: server().url },
      { authorization: `Basic ${btoa(`x:${bearer}`)}` },
      { authorization: bearer },
      { 'x-api-key': bearer },
    ]) {
      expect((await server().postJson(share, body, undefined, headers)).status).toBe(401)
    }
  })
})

test('an API key authenticates its user from any origin, whatever the case of the scheme', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
    const headers = { authorization: `${scheme} ${bearer}`, origin: 'https://elsewhere.example' }
    const answer = await server().request('/trpc/viewer', { headers })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toEqual({
      result: {
        data: { id: asha.id, firstName: 'Asha', imageUrl: null, role: 'member', unreadNotifications: 0 },
      },
    })
  }
})

test.each(['rgl_', 'Bearer', 'x', 'a valid key'])('%j takes precedence over a valid cookie', async (sent) => {
  const eve = await server().signUp()
  const token = sent === 'a valid key' ? bearer : sent
  const headers = { cookie: eve.cookie, origin: server().url, authorization: `Bearer ${token}` }
  const answer = await server().request('/trpc/viewer', { headers })
  if (token === bearer) expect(await answer.json()).toMatchObject({ result: { data: { id: asha.id } } })
  else expect(answer.status).toBe(401)
})

test('an API key is no session: calls of the account reject it', async () => {
  const headers = { authorization: `Bearer ${bearer}` }
  const session = await server().request('/api/auth/get-session', { headers })
  expect(await session.json()).toBe(null)
  for (const [address, body] of [
    ['/update-user', { name: 'Eve' }],
    ['/change-password', { currentPassword: 'correct horse', newPassword: 'a new lotus' }],
    ['/revoke-sessions', {}],
    ['/delete-user', { password: 'correct horse' }],
  ] as const) {
    expect((await server().postAccount(address, body, headers)).status).toBe(401)
  }
  expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id, firstName: 'Asha' })
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'Shares', scopes: ['share'] })
  await expect(clientOf(key).account.apiKeys.list.query()).rejects.toThrow(/Sign in/)
})

test('an API key is accepted until it expires, then rejected with the reason', async () => {
  const created = await asha.trpc.account.apiKeys.create.mutate({ name: 'A week', expiresInDays: 7 })
  const client = clientOf(created.key)
  time += 7 * day - 1
  expect(await client.viewer.query()).toMatchObject({ id: asha.id })
  time += 1
  await expect(client.viewer.query()).rejects.toMatchObject({
    message: 'The API key has expired.',
    data: { httpStatus: 401 },
  })
  expect(await asha.trpc.account.apiKeys.list.query()).toContainEqual(
    expect.objectContaining({ id: created.id, expiresAt: created.expiresAt }),
  )
})

test('records the last use of an API key at most once a minute', async () => {
  const lastUse = async () => (await asha.trpc.account.apiKeys.list.query())[0]?.lastUsedAt
  expect(await lastUse()).toBeNull()
  await expect(robot.account.apiKeys.list.query()).rejects.toThrow(/Sign in/)
  const first = new Date(time).toISOString()
  await eventually(lastUse).toBe(first)
  time += 59_999
  await Promise.all(Array.from({ length: 20 }, () => robot.viewer.query()))
  expect(await lastUse()).toBe(first)
  time += 1
  await Promise.all(Array.from({ length: 20 }, () => robot.viewer.query()))
  await eventually(lastUse).toBe(new Date(time).toISOString())
})

test('an API key authenticates while the database rejects writes, and the log says so', async () => {
  const broken = vi.spyOn(server().services.db, 'updateTable').mockImplementation(() => {
    throw new Error('the disk is full')
  })
  const reported = () =>
    server().lines.filter((line) => line.includes('could not record the use of an API key'))
  try {
    expect(await robot.images.quota.query()).toMatchObject({ used: 0 })
    await eventually(() => reported().length).toBe(1)
    expect(await robot.images.quota.query()).toMatchObject({ used: 0 })
  } finally {
    broken.mockRestore()
  }
  expect(server().lines.filter((line) => line.includes('the disk is full'))).toHaveLength(1)
})

test('an API key has the current name of its user', async () => {
  await server().postAccount('/update-user', { name: 'Lata Rao' }, { cookie: asha.cookie })
  expect(await robot.viewer.query()).toMatchObject({ id: asha.id, firstName: 'Lata' })
})

test('creating and using API keys counts towards the write limit of their user', async () => {
  // The first of 240 created the key.
  await server().services.writeLimits.perUser.consume(asha.id, 238)
  await expect(robot.posts.delete.mutate({ id: 'none' })).rejects.toThrow(/not found/)
  await expect(asha.trpc.account.apiKeys.create.mutate({ name: 'Another' })).rejects.toMatchObject({
    data: { reason: 'rate_limited' },
  })
})

describe('with Clerk', () => {
  const site = shareTestServer({ env: clerkEnv({ CLERK_ADMINISTRATORS: 'user_boss' }) })

  test('an API key has the name of the session that created it, and the rights of a member', async () => {
    const claims = { sub: 'user_boss', first_name: 'Asha', image_url: 'https://img.clerk.com/asha' }
    const boss = site().client({ authorization: `Bearer ${mintToken({ azp: site().url, ...claims })}` })
    expect(await boss.viewer.query()).toMatchObject({ role: 'administrator' })
    const { key } = await boss.account.apiKeys.create.mutate({ name: 'A robot' })
    const client = site().client({ authorization: `Bearer ${key}` })
    expect(await client.viewer.query()).toEqual({
      id: 'user_boss',
      firstName: 'Asha',
      imageUrl: 'https://img.clerk.com/asha',
      role: 'member',
      unreadNotifications: 0,
    })
    await expect(client.moderation.listReported.query()).rejects.toMatchObject({ data: { httpStatus: 403 } })
  })
})
