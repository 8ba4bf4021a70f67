import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { signUpAdministrator } from '../http/test-administrator.ts'
import { clerkEnv, mintToken } from '../http/test-clerk.ts'
import { eventually } from '../http/test-generations.ts'
import { shareTestServer, startTestServer, type TestPerson } from '../http/test-kit.ts'
import { signInModes } from '../http/test-sign-in-modes.ts'

const noEnd = { expiresInDays: null }

describe.each(signInModes)('tokens with $mode', ({ env, signIn }) => {
  const server = shareTestServer({ env })
  let asha: TestPerson
  beforeEach(async () => {
    asha = await signIn(server())
  })

  test('are made, listed and revoked by their person', async () => {
    const { tokens } = asha.trpc.account
    expect(await tokens.list.query()).toEqual([])
    const { token, ...first } = await tokens.create.mutate({ name: '  CI \u202e of the\nlake ' })
    expect(token).toMatch(/^rgl_[0-9A-Za-z]{49}$/)
    expect(first).toEqual({
      id: expect.stringMatching(/^[\w-]{36}$/),
      name: 'CI  of the lake',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expiresAt: null,
      lastUsedAt: null,
    })
    const { token: _, ...second } = await tokens.create.mutate({ name: 'CI', expiresInDays: 90 })
    expect(Date.parse(second.expiresAt ?? '') - Date.parse(second.createdAt)).toBe(90 * 86_400_000)
    expect(await tokens.list.query()).toEqual([second, first])
    expect(await tokens.revoke.mutate({ id: first.id })).toEqual({ id: first.id })
    expect(await tokens.list.query()).toEqual([second])
    await expect(tokens.revoke.mutate({ id: first.id })).rejects.toMatchObject({
      message: 'There is no such API token.',
      data: { httpStatus: 404 },
    })
  })

  test('are twenty at most, however many are asked for at once, and others after one is revoked', async () => {
    const { tokens } = asha.trpc.account
    const make = (name: number) =>
      server().postJson('/trpc/account.tokens.create', { name: `Token ${name}` }, { cookie: asha.cookie })
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => make(index)))
    const countOf = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([countOf(200), countOf(429)]).toEqual([20, 5])
    await expect(tokens.create.mutate({ name: 'One more' })).rejects.toMatchObject({
      message: 'You have 20 API tokens already. Please revoke one first.',
      data: { reason: 'token_limit' },
    })
    const [{ id } = { id: '' }] = await tokens.list.query()
    await tokens.revoke.mutate({ id })
    await tokens.create.mutate({ name: 'One more' })
    expect(await tokens.list.query()).toHaveLength(20)
  })

  test('are kept as hashes, in no other form', async () => {
    const { id, token } = await asha.trpc.account.tokens.create.mutate({ name: 'A robot' })
    const row = await server()
      .services.db.selectFrom('personal_tokens')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(token.slice(4, 20))
    expect(JSON.stringify(await asha.trpc.account.tokens.list.query())).not.toContain(row.hash)
  })

  test.each([
    [{}, 'The name must be a text.'],
    [{ name: 5 }, 'The name must be a text.'],
    [{ name: null }, 'The name must be a text.'],
    [{ name: ['CI'] }, 'The name must be a text.'],
    [{ name: '' }, 'Please give the token a name.'],
    [{ name: ' \u200b\u202e ' }, 'Please give the token a name.'],
    [{ name: 'x'.repeat(81) }, 'A name may have at most 80 characters.'],
    ...[0, 8, -7, 7.5, '7', true, [7], {}].map((expiresInDays): [object, string] => [
      { name: 'CI', expiresInDays },
      'The field expiresInDays must be 7, 30, 90 or 365, or null for a token without end.',
    ]),
    [[], 'The input must be an object.'],
    ['CI', 'The input must be an object.'],
  ])('are not made of %j', async (input, message) => {
    const { cookie } = asha
    const answer = await server().postJson('/trpc/account.tokens.create', JSON.stringify(input), { cookie })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { message, data: { reason: 'bad_input' } } })
    expect(await asha.trpc.account.tokens.list.query()).toEqual([])
  })

  test.each([
    [{}, 'The id must be a text.'],
    [{ id: 5 }, 'The id must be a text.'],
    [{ id: "' OR 1=1" }, 'This is not an id.'],
  ])('are not revoked by %j', async (input, message) => {
    const { cookie } = asha
    const answer = await server().postJson('/trpc/account.tokens.revoke', input, { cookie })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { message } }])
  })

  test('with 80 characters of Hindi in their name are made', async () => {
    const name = 'नि'.repeat(80)
    expect(await asha.trpc.account.tokens.create.mutate({ name, ...noEnd })).toMatchObject({ name })
  })

  test('are not made by what another site sends with one’s cookie', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    const { cookie } = asha
    const answer = await server().postJson('/trpc/account.tokens.create', { name: 'X' }, { cookie }, headers)
    expect(answer.status).toBe(403)
    expect(await asha.trpc.account.tokens.list.query()).toEqual([])
  })

  test('are in no answer that a cache may keep', async () => {
    const { cookie } = asha
    const made = await server().postJson('/trpc/account.tokens.create', { name: 'X' }, { cookie })
    const listed = await server().request('/trpc/account.tokens.list', { headers: { cookie } })
    for (const answer of [made, listed]) expect(answer.headers.get('cache-control')).toMatch(/^private/)
  })
})

test('the holder of API_TOKEN has no personal tokens', async () => {
  const apiToken = 'rgl_is-how-this-one-begins-too'
  const server = await startTestServer({ env: { API_TOKEN: apiToken } })
  const client = server.client({ authorization: `Bearer ${apiToken}` })
  expect(await client.viewer.query()).toMatchObject({ id: 'api-token' })
  for (const call of [
    () => client.account.tokens.list.query(),
    () => client.account.tokens.create.mutate({ name: 'Mine' }),
    () => client.account.tokens.revoke.mutate({ id: 'x' }),
  ]) {
    await expect(call()).rejects.toMatchObject({ data: { httpStatus: 403 } })
  }
})

describe('a token of an administrator', () => {
  test('is of no administrator', async () => {
    const server = await startTestServer()
    const [meera, asha] = [await signUpAdministrator(server), await server.signUp()]
    const { id: imageId } = await asha.generate('A lotus')
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId })
    const { token } = await meera.trpc.account.tokens.create.mutate({ name: 'A robot' })
    const robot = server.client({ authorization: `Bearer ${token}` })
    expect(await robot.viewer.query()).toEqual({ id: meera.id, firstName: 'Meera', imageUrl: null })
    for (const call of [
      () => robot.posts.delete.mutate({ id: post.id }),
      () => robot.moderation.hide.mutate({ id: post.id }),
      () => robot.moderation.queue.query(),
    ]) {
      await expect(call()).rejects.toMatchObject({ data: { httpStatus: 403 } })
    }
    expect(await asha.trpc.posts.list.query()).toMatchObject({ total: 1 })
  })

  test('at Clerk neither', async () => {
    const server = await startTestServer({ env: clerkEnv({ CLERK_ADMINISTRATORS: 'user_boss' }) })
    const authorization = `Bearer ${mintToken({ azp: server.url, sub: 'user_boss' })}`
    const boss = server.client({ authorization })
    expect(await boss.viewer.query()).toMatchObject({ isAdministrator: true })
    const { token } = await boss.account.tokens.create.mutate({ name: 'A robot' })
    const robot = server.client({ authorization: `Bearer ${token}` })
    expect(await robot.viewer.query()).not.toHaveProperty('isAdministrator')
    await expect(robot.moderation.queue.query()).rejects.toMatchObject({ data: { httpStatus: 403 } })
  })
})

describe('the name of whoever holds a token', () => {
  test('is the one that the account has now', async () => {
    const server = await startTestServer()
    const asha = await server.signUp('Asha Rao')
    const { token } = await asha.trpc.account.tokens.create.mutate({ name: 'A robot' })
    await server.postAccount('/update-user', { name: 'Lata Rao' }, { cookie: asha.cookie })
    const viewer = await server.client({ authorization: `Bearer ${token}` }).viewer.query()
    expect(viewer).toMatchObject({ id: asha.id, firstName: 'Lata' })
  })

  test('at Clerk is the one that the session told when it was made', async () => {
    const server = await startTestServer({ env: clerkEnv() })
    const claims = { first_name: 'Asha', image_url: 'https://img.clerk.com/asha' }
    const session = mintToken({ azp: server.url, ...claims })
    const asha = server.client({ authorization: `Bearer ${session}` })
    const { token } = await asha.account.tokens.create.mutate({ name: 'A robot' })
    expect(await server.client({ authorization: `Bearer ${token}` }).viewer.query()).toEqual({
      id: 'user_asha',
      firstName: 'Asha',
      imageUrl: 'https://img.clerk.com/asha',
    })
  })
})

describe('while the database takes no writes', () => {
  const lines: string[] = []
  const server = shareTestServer({ logTo: { write: (line) => void lines.push(line) } })
  let robot: TestPerson['trpc']
  beforeAll(async () => {
    const asha = await server().signUp()
    const { token } = await asha.trpc.account.tokens.create.mutate({ name: 'A robot' })
    robot = server().client({ authorization: `Bearer ${token}` })
  })

  test('a token reads all the same, and the log says that its use was not noted', async () => {
    const { db } = server().services
    const broken = vi.spyOn(db, 'updateTable').mockImplementation(() => {
      throw new Error('the disk is full')
    })
    try {
      expect(await robot.images.quota.query()).toMatchObject({ used: 0 })
      await eventually(() => lines.filter((line) => line.includes('could not be noted')).length).toBe(1)
      expect(await robot.images.quota.query()).toMatchObject({ used: 0 })
    } finally {
      broken.mockRestore()
    }
    expect(lines.filter((line) => line.includes('the disk is full'))).toHaveLength(1)
  })
})

test('tokens and their uses are counted with the writes of their person', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const { token } = await asha.trpc.account.tokens.create.mutate({ name: 'A robot' })
  const calls = Array.from({ length: 100 }, () => 'posts.delete').join()
  const body = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [index, { id: 'none' }]))
  const send = () => server.postJson(`/trpc/${calls}?batch=1`, body, { bearer: token })
  await Promise.all([send(), send(), send()])
  await expect(asha.trpc.account.tokens.create.mutate({ name: 'Another' })).rejects.toMatchObject({
    data: { reason: 'rate_limited' },
  })
})
