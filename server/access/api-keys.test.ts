import { beforeEach, describe, expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { signInModes } from '../../test/support/sign-in-modes.ts'

describe.each(signInModes)('API keys with $mode', ({ env, signIn }) => {
  const server = shareTestServer({ env })
  let asha: TestUser
  beforeEach(async () => {
    asha = await signIn(server())
  })

  test('are created, listed and revoked by their user', async () => {
    const { apiKeys } = asha.trpc.account
    expect(await apiKeys.list.query()).toEqual([])
    const { key, ...first } = await apiKeys.create.mutate({ name: '  CI \u202e of the\nlake ' })
    expect(key).toMatch(/^rgl_[0-9A-Za-z]{49}$/)
    expect(first).toEqual({
      id: expect.stringMatching(/^[\w-]{36}$/),
      name: 'CI  of the lake',
      scopes: ['read', 'generate', 'share'],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expiresAt: null,
      lastUsedAt: null,
    })
    const { key: _, ...second } = await apiKeys.create.mutate({ name: 'CI', expiresInDays: 90 })
    expect(Date.parse(second.expiresAt ?? '') - Date.parse(second.createdAt)).toBe(90 * 86_400_000)
    expect(await apiKeys.list.query()).toEqual([second, first])
    expect(await apiKeys.revoke.mutate({ id: first.id })).toEqual({ id: first.id })
    expect(await apiKeys.list.query()).toEqual([second])
    await expect(apiKeys.revoke.mutate({ id: first.id })).rejects.toMatchObject({
      message: 'API key not found.',
      data: { httpStatus: 404 },
    })
  })

  test('have the scopes that their user chose, and need at least one', async () => {
    const { apiKeys } = asha.trpc.account
    const { key, ...listed } = await apiKeys.create.mutate({ name: 'CI', scopes: ['share', 'read', 'share'] })
    expect(listed.scopes).toEqual(['read', 'share'])
    expect(await apiKeys.list.query()).toEqual([listed])
    const robot = server().client({ authorization: `Bearer ${key}` })
    expect(await robot.viewer.query()).toMatchObject({ id: asha.id })
    await expect(robot.images.generate.mutate({ prompt: 'A lotus' })).rejects.toMatchObject({
      message: 'This API key does not have the scope generate.',
      data: {
        httpStatus: 403,
        reason: 'forbidden',
        detail: { code: 'api_key_scope', values: { scope: 'generate' } },
      },
    })
    for (const scopes of [[], ['write']]) {
      const input = { name: 'CI', scopes }
      const answer = await server().postJson('/trpc/account.apiKeys.create', input, { cookie: asha.cookie })
      expect(answer.status).toBe(400)
    }
  })

  test('without the scope read, read what visitors read', async () => {
    const { id: imageId } = await asha.generate('A lotus')
    const { id } = await asha.trpc.posts.create.mutate({
      name: 'Asha',
      prompt: 'A lotus',
      imageId,
      visibility: 'private',
    })
    const read = async (scope: 'read' | 'share') => {
      const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: scope, scopes: [scope] })
      return server()
        .client({ authorization: `Bearer ${key}` })
        .posts.get.query({ id })
    }
    expect(await read('read')).toMatchObject({ id })
    await expect(read('share')).rejects.toMatchObject({ data: { httpStatus: 404 } })
  })

  test('are limited to 20, also when created concurrently', async () => {
    const { apiKeys } = asha.trpc.account
    const make = (name: number) =>
      server().postJson('/trpc/account.apiKeys.create', { name: `Key ${name}` }, { cookie: asha.cookie })
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => make(index)))
    const countOf = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([countOf(200), countOf(429)]).toEqual([20, 5])
    await expect(apiKeys.create.mutate({ name: 'One more' })).rejects.toMatchObject({
      message: 'You already have 20 API keys. Revoke one first.',
      data: { reason: 'api_key_limit' },
    })
    const [{ id } = { id: '' }] = await apiKeys.list.query()
    await apiKeys.revoke.mutate({ id })
    await apiKeys.create.mutate({ name: 'One more' })
    expect(await apiKeys.list.query()).toHaveLength(20)
  })

  test('are stored as hashes only', async () => {
    const { id, key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
    const row = await server()
      .services.db.selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(key.slice(4, 20))
    expect(JSON.stringify(await asha.trpc.account.apiKeys.list.query())).not.toContain(row.hash)
  })

  test.each([
    [{}, '`name` must be a string.'],
    [{ name: 5 }, '`name` must be a string.'],
    [{ name: null }, '`name` must be a string.'],
    [{ name: ['CI'] }, '`name` must be a string.'],
    [{ name: '' }, 'Please give the API key a name.'],
    [{ name: ' \u200b\u202e ' }, 'Please give the API key a name.'],
    [{ name: 'x'.repeat(81) }, 'A name may have at most 80 characters.'],
    [
      { name: '👩‍👩‍👧‍👦'.repeat(30) },
      'A name may have at most 320 UTF-16 code units. Emoji and combined letters take several each: use fewer of them.',
    ],
    ...[0, 8, -7, 7.5, '7', true, [7], {}].map((expiresInDays): [object, string] => [
      { name: 'CI', expiresInDays },
      'The field expiresInDays must be 7, 30, 90 or 365, or null for a key that does not expire.',
    ]),
    [[], 'The input must be an object.'],
    ['CI', 'The input must be an object.'],
  ])('are not created from %j', async (input, message) => {
    const { cookie } = asha
    const answer = await server().postJson('/trpc/account.apiKeys.create', JSON.stringify(input), { cookie })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { message, data: { reason: 'bad_input' } } })
    expect(await asha.trpc.account.apiKeys.list.query()).toEqual([])
  })

  test.each([
    [{}, '`id` must be a string.'],
    [{ id: 5 }, '`id` must be a string.'],
    [{ id: "' OR 1=1" }, '`id` is not valid.'],
  ])('are not revoked with the input %j', async (input, message) => {
    const { cookie } = asha
    const answer = await server().postJson('/trpc/account.apiKeys.revoke', input, { cookie })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { message } }])
  })

  test('appear in no cacheable response', async () => {
    const { cookie } = asha
    const made = await server().postJson('/trpc/account.apiKeys.create', { name: 'X' }, { cookie })
    const listed = await server().request('/trpc/account.apiKeys.list', { headers: { cookie } })
    for (const answer of [made, listed]) expect(answer.headers.get('cache-control')).toMatch(/^private/)
  })
})

test.each([
  [signInModes[0], signInModes[1]],
  [signInModes[1], signInModes[0]],
])(
  'API keys created with $mode are rejected after the site changes its sign-in mode',
  async (before, after) => {
    if (!before || !after) throw new Error('Expected two sign-in modes.')
    const folder = await tempFolder()
    const old = await startTestServer({ folder, env: before.env })
    const { trpc } = await before.signIn(old)
    const { key } = await trpc.account.apiKeys.create.mutate({ name: 'A robot' })
    await old.stop()
    const statusAt = async ({ env }: { env: Record<string, string> }) => {
      const server = await startTestServer({ folder, env })
      const headers = { authorization: `Bearer ${key}` }
      const { status } = await server.request('/trpc/viewer', { headers })
      await server.stop()
      return status
    }
    expect([await statusAt(after), await statusAt(before)]).toEqual([401, 200])
  },
)

test('the service token cannot manage API keys', async () => {
  const serviceToken = 'rgl_the-prefix-of-api-keys'
  const server = await startTestServer({ env: { API_TOKEN: serviceToken } })
  const client = server.client({ authorization: `Bearer ${serviceToken}` })
  expect(await client.viewer.query()).toMatchObject({ id: 'api-token' })
  for (const call of [
    () => client.account.apiKeys.list.query(),
    () => client.account.apiKeys.create.mutate({ name: 'Mine' }),
    () => client.account.apiKeys.revoke.mutate({ id: 'x' }),
  ]) {
    await expect(call()).rejects.toMatchObject({ data: { httpStatus: 403 } })
  }
})
