import { beforeAll, describe, expect, test, vi } from 'vitest'
import { clerkEnv, mintToken } from '../../test/support/clerk.ts'
import { eventually } from '../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'

describe('the API key of an administrator', () => {
  test('has the rights of a member with Clerk', async () => {
    const server = await startTestServer({ env: clerkEnv({ CLERK_ADMINISTRATORS: 'user_boss' }) })
    const authorization = `Bearer ${mintToken({ azp: server.url, sub: 'user_boss' })}`
    const boss = server.client({ authorization })
    expect(await boss.viewer.query()).toMatchObject({ role: 'administrator' })
    const { key } = await boss.account.apiKeys.create.mutate({ name: 'A robot' })
    const robot = server.client({ authorization: `Bearer ${key}` })
    expect(await robot.viewer.query()).toMatchObject({ role: 'member' })
    await expect(robot.moderation.listReported.query()).rejects.toMatchObject({ data: { httpStatus: 403 } })
  })
})

describe('the name of the user of an API key', () => {
  test('is the current name of a local account', async () => {
    const server = await startTestServer()
    const asha = await server.signUp('Asha Rao')
    const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
    await server.postAccount('/update-user', { name: 'Lata Rao' }, { cookie: asha.cookie })
    const viewer = await server.client({ authorization: `Bearer ${key}` }).viewer.query()
    expect(viewer).toMatchObject({ id: asha.id, firstName: 'Lata' })
  })

  test('is the name in the Clerk session that created the key', async () => {
    const server = await startTestServer({ env: clerkEnv() })
    const claims = { first_name: 'Asha', image_url: 'https://img.clerk.com/asha' }
    const session = mintToken({ azp: server.url, ...claims })
    const asha = server.client({ authorization: `Bearer ${session}` })
    const { key } = await asha.account.apiKeys.create.mutate({ name: 'A robot' })
    expect(await server.client({ authorization: `Bearer ${key}` }).viewer.query()).toEqual({
      id: 'user_asha',
      firstName: 'Asha',
      imageUrl: 'https://img.clerk.com/asha',
      role: 'member',
    })
  })
})

describe('while the database rejects writes', () => {
  const lines: string[] = []
  const server = shareTestServer({ logTo: { write: (line) => void lines.push(line) } })
  let robot: TestUser['trpc']
  beforeAll(async () => {
    const asha = await server().signUp()
    const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
    robot = server().client({ authorization: `Bearer ${key}` })
  })

  test('an API key still authenticates, and the log says that its use was not recorded', async () => {
    const { db } = server().services
    const broken = vi.spyOn(db, 'updateTable').mockImplementation(() => {
      throw new Error('the disk is full')
    })
    try {
      expect(await robot.images.quota.query()).toMatchObject({ used: 0 })
      await eventually(
        () => lines.filter((line) => line.includes('could not record the use of an API key')).length,
      ).toBe(1)
      expect(await robot.images.quota.query()).toMatchObject({ used: 0 })
    } finally {
      broken.mockRestore()
    }
    expect(lines.filter((line) => line.includes('the disk is full'))).toHaveLength(1)
  })
})

test('creating and using API keys counts towards the write limit of their user', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  const calls = Array.from({ length: 100 }, () => 'posts.delete').join()
  const body = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [index, { id: 'none' }]))
  const send = () => server.postJson(`/trpc/${calls}?batch=1`, body, { bearer: key })
  await Promise.all([send(), send(), send()])
  await expect(asha.trpc.account.apiKeys.create.mutate({ name: 'Another' })).rejects.toMatchObject({
    data: { reason: 'rate_limited' },
  })
})
