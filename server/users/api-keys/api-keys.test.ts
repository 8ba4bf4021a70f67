import { beforeEach, describe, expect, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { signInModes } from '../../../test/support/sign-in-modes.ts'

const noEnd = { expiresInDays: null }

describe.each(signInModes)('tokens with $mode', ({ env, signIn }) => {
  const server = shareTestServer({ env })
  let asha: TestUser
  beforeEach(async () => {
    asha = await signIn(server())
  })

  test('are made, listed and revoked by their user', async () => {
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
    [
      { name: '👩‍👩‍👧‍👦'.repeat(30) },
      'A name may have at most 320 UTF-16 code units. Emoji and combined letters take several each: use fewer of them.',
    ],
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

test.each([
  [signInModes[0], signInModes[1]],
  [signInModes[1], signInModes[0]],
])('with $mode they end where that is no longer how users sign in', async (before, after) => {
  if (!before || !after) throw new Error('There are two ways.')
  const folder = await tempFolder()
  const old = await startTestServer({ folder, env: before.env })
  const { trpc } = await before.signIn(old)
  const { token } = await trpc.account.tokens.create.mutate({ name: 'A robot' })
  await old.stop()
  const statusAt = async ({ env }: { env: Record<string, string> }) => {
    const server = await startTestServer({ folder, env })
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await server.request('/trpc/viewer', { headers })
    await server.stop()
    return status
  }
  expect([await statusAt(after), await statusAt(before)]).toEqual([401, 200])
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
