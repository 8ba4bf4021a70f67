import { beforeAll, describe, expect, test, vi } from 'vitest'
import { signUpAdministrator } from '../../../test/support/administrator.ts'
import { clerkEnv, mintToken } from '../../../test/support/clerk.ts'
import { eventually } from '../../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'

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
  let robot: TestUser['trpc']
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

test('tokens and their uses are counted with the writes of their user', async () => {
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
