import { beforeEach, expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { signInModes } from '../../test/support/sign-in-modes.ts'
import { hashToken } from '../text/hash-token.ts'
import { generateApiKey, isApiKey, isCompleteApiKey } from './api-keys.ts'

const serviceToken = 'rgl_the-prefix-of-api-keys'
const server = shareTestServer({ env: { API_TOKEN: serviceToken } })
let asha: TestUser
beforeEach(async () => {
  asha = await server().signUp()
})

test('an API key is unique, recognizable, and a single word that a double click selects', () => {
  const keys = Array.from({ length: 1_000 }, generateApiKey)
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) {
    expect(key).toMatch(/^rgl_[0-9A-Za-z]{49}$/)
    expect(isApiKey(key) && isCompleteApiKey(key)).toBe(true)
  }
  // `printf %s 'abc' | sha256sum`
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test.each<[string, (key: string) => string]>([
  ['without its last digit', (key) => key.slice(0, -1)],
  ['without its first digit', (key) => `rgl_${key.slice(5)}`],
  ['with an extra digit', (key) => `${key}0`],
  ['with another last digit', (key) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')],
  [
    'with two digits swapped',
    (key) => key.replace(/(?<=^.{10})(.)(.)/, (_, a, b) => (a === b ? '--' : b + a)),
  ],
  ['in upper case', (key) => `rgl_${key.slice(4).toUpperCase()}`],
  ['that is only the prefix', () => 'rgl_'],
  ['with another prefix', (key) => key.replace('rgl_', 'rgk_')],
])('an API key %s is not complete', (_, spoil) => {
  expect(isCompleteApiKey(spoil(generateApiKey()))).toBe(false)
})

test('API keys are created, listed and revoked by their user, and stored as hashes only', async () => {
  const { apiKeys } = asha.trpc.account
  expect(await apiKeys.list.query()).toEqual([])
  const { key, ...first } = await apiKeys.create.mutate({ name: '  CI \u202e of the\nlake ' })
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
  const rows = await server().services.db.selectFrom('api_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(key.slice(4, 20))

  const eve = await server().signUp()
  for (const { trpc } of [eve, asha]) {
    if (trpc === asha.trpc) expect(await apiKeys.revoke.mutate({ id: first.id })).toEqual({ id: first.id })
    await expect(trpc.account.apiKeys.revoke.mutate({ id: first.id })).rejects.toMatchObject({
      message: 'API key not found.',
      data: { httpStatus: 404 },
    })
  }
  expect(await apiKeys.list.query()).toEqual([second])
})

test('an API key has the scopes that its user chose, and needs at least one', async () => {
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
})

test('an API key without the scope read reads what visitors read', async () => {
  const { id: imageId } = await asha.generate('A lotus')
  const words = { name: 'Asha', prompt: 'A lotus', imageId }
  const { id } = await asha.trpc.posts.create.mutate({ ...words, visibility: 'private' })
  const read = async (scope: 'read' | 'share') => {
    const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: scope, scopes: [scope] })
    return server()
      .client({ authorization: `Bearer ${key}` })
      .posts.get.query({ id })
  }
  expect(await read('read')).toMatchObject({ id })
  await expect(read('share')).rejects.toMatchObject({ data: { httpStatus: 404 } })
})

test('a user has at most 20 API keys, also when they are created concurrently', async () => {
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

const lifetimes = 'The field expiresInDays must be 7, 30, 90 or 365, or null for a key that does not expire.'

test.each<[string, unknown, string]>([
  ['create', { name: 5 }, '`name` must be a string.'],
  ['create', { name: ' \u200b\u202e ' }, 'Please give the API key a name.'],
  ['create', { name: 'x'.repeat(81) }, 'A name may have at most 80 characters.'],
  ['create', { name: 'CI', expiresInDays: 8 }, lifetimes],
  ['create', { name: 'CI', expiresInDays: '7' }, lifetimes],
  ['create', { name: 'CI', scopes: [] }, 'The scopes must be a list of'],
  ['create', { name: 'CI', scopes: ['write'] }, 'The scopes must be a list of'],
  ['create', [], 'The input must be an object.'],
  ['revoke', {}, '`id` must be a string.'],
  ['revoke', { id: "' OR 1=1" }, '`id` is not valid.'],
])('account.apiKeys.%s rejects the input %j', async (name, input, message) => {
  const { cookie } = asha
  const answer = await server().postJson(`/trpc/account.apiKeys.${name}`, JSON.stringify(input), { cookie })
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining(message), data: { reason: 'bad_input' } } },
  ])
  expect(await asha.trpc.account.apiKeys.list.query()).toEqual([])
})

test('API keys appear in no cacheable response', async () => {
  const { cookie } = asha
  const made = await server().postJson('/trpc/account.apiKeys.create', { name: 'X' }, { cookie })
  const listed = await server().request('/trpc/account.apiKeys.list', { headers: { cookie } })
  for (const answer of [made, listed]) expect(answer.headers.get('cache-control')).toMatch(/^private/)
})

test('API keys are rejected after the site changes its sign-in mode', async () => {
  const [before, after] = signInModes
  if (!before || !after) throw new Error('Expected two sign-in modes.')
  const folder = await tempFolder()
  const old = await startTestServer({ folder, env: before.env })
  const { trpc } = await before.signIn(old)
  const { key } = await trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  await old.stop()
  const statusAt = async ({ env }: { env: Record<string, string> }) => {
    const site = await startTestServer({ folder, env })
    const headers = { authorization: `Bearer ${key}` }
    const { status } = await site.request('/trpc/viewer', { headers })
    await site.stop()
    return status
  }
  expect([await statusAt(after), await statusAt(before)]).toEqual([401, 200])
})

test('the service token cannot manage API keys', async () => {
  const client = server().client({ authorization: `Bearer ${serviceToken}` })
  expect(await client.viewer.query()).toMatchObject({ id: 'api-token' })
  const { list, create, revoke } = client.account.apiKeys
  const calls = [list.query(), create.mutate({ name: 'Mine' }), revoke.mutate({ id: 'x' })]
  const rejected = { status: 'rejected', reason: { data: { httpStatus: 403 } } }
  expect(await Promise.allSettled(calls)).toMatchObject([rejected, rejected, rejected])
})
