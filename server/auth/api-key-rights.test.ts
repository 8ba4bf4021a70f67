import { beforeEach, describe, expect, test } from 'vitest'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { signInModes } from '../../test/support/sign-in-modes.ts'

describe.each(signInModes)('an API key with $mode', (way) => {
  const server = shareTestServer({ env: way.env })
  let asha: TestUser
  let robot: TestUser['trpc']
  let authorization: string
  beforeEach(async () => {
    asha = await way.signIn(server())
    const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
    authorization = `Bearer ${key}`
    robot = server().client({ authorization })
  })

  test('authenticates its user, whatever the case of the scheme', async () => {
    const { id, firstName } = (await asha.trpc.viewer.query()) ?? { id: '', firstName: '' }
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const headers = { authorization: authorization.replace('Bearer', scheme) }
      const viewer = await (await server().request('/trpc/viewer', { headers })).json()
      expect(viewer).toEqual({ result: { data: { id, firstName, imageUrl: null, role: 'member' } } })
    }
  })

  test('deletes posts of its user, and none of other users', async () => {
    const eve = await way.signIn(server())
    const [own, others] = await Promise.all(
      [asha, eve].map(async (user) => {
        const { id: imageId } = await user.generate('A lotus')
        return user.trpc.posts.create.mutate({ name: 'N', prompt: 'A lotus', imageId })
      }),
    )
    expect(await robot.posts.delete.mutate({ id: own?.id ?? '' })).toEqual({ id: own?.id })
    await expect(robot.posts.delete.mutate({ id: others?.id ?? '' })).rejects.toMatchObject({
      message: 'Only its author can delete a post.',
    })
  })

  test.each([
    ['/update-user', { name: 'Eve' }],
    ['/change-password', { currentPassword: 'correct horse', newPassword: 'a new lotus' }],
    ['/revoke-sessions', {}],
    ['/delete-user', { password: 'correct horse' }],
    ['/webhook', {}],
  ])('is rejected at /api/auth%s', async (address, body) => {
    const profile = await server().services.authenticator.profileOf(asha.id)
    const answer = await server().postAccount(address, body, { authorization })
    expect(way.mode === 'Clerk' || address === '/webhook' ? [404] : [401]).toContain(answer.status)
    expect(await server().services.authenticator.profileOf(asha.id)).toEqual(profile)
    expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id })
  })

  test('is no session', async () => {
    const answer = await server().request('/api/auth/get-session', { headers: { authorization } })
    expect(answer.status === 404 ? null : await answer.json()).toBe(null)
  })

  test('is accepted from any origin', async () => {
    const headers = { authorization, origin: 'https://elsewhere.example' }
    const answer = await server().request('/trpc/images.quota', { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cache-control')).toMatch(/private/)
  })
})
