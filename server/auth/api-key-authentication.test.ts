import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transports } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { eventually } from '../../test/support/generations.ts'
import { shareTestServer, type TestUser, type TestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'
import { signInModes, type SignInMode } from '../../test/support/sign-in-modes.ts'
import { generateApiKey } from '../access/api-keys.ts'

const day = 24 * 60 * 60 * 1_000

async function createKey({ trpc }: TestUser, expiresInDays: 7 | null = null): Promise<string> {
  return (await trpc.account.apiKeys.create.mutate({ name: 'A robot', expiresInDays })).key
}

const clientOf = (server: TestServer, token: string) => server.client({ authorization: `Bearer ${token}` })

describe.each(signInModes)('an API key with $mode', (way) => {
  describe.each(transports)('through $name', (transport) => {
    const server = shareTestServer({ env: { ...way.env, DAILY_IMAGE_LIMIT: '2' } })
    let asha: TestUser
    let bearer: string
    beforeEach(async () => {
      asha = await way.signIn(server())
      bearer = await createKey(asha)
    })

    test('acts as its user, within the same daily quota', async () => {
      await asha.generate('A lotus')
      expect(await transport.generate(server(), { prompt: 'A kite' }, { bearer })).toMatchObject({
        error: null,
      })
      expect(await transport.generate(server(), { prompt: 'A drum' }, { bearer })).toEqual({
        status: 429,
        error: 'You have reached your daily image limit.',
        retryAfter: expect.any(Number) as number,
      })
      const { images } = await asha.trpc.images.list.query()
      expect(images.map(({ prompt }) => prompt)).toEqual(['A kite', 'A lotus'])

      const photo = dataUrl(await plainJpeg(`a photo of ${asha.id}`))
      const name = `Robot of ${asha.id}`
      expect(await transport.share(server(), { name, prompt: 'p', photo }, { bearer })).toMatchObject({
        error: null,
      })
      const { posts } = await asha.trpc.posts.list.query({ search: name })
      expect(posts).toMatchObject([{ authorId: asha.id }])
    })

    /** Expects both calls of the transport to fail with 401 and this message. */
    async function expectError(token: string, error: string) {
      const expected = { status: 401, error }
      expect(await transport.generate(server(), { prompt: 'A lotus' }, { bearer: token })).toMatchObject(
        expected,
      )
      expect(await transport.share(server(), { prompt: 'p', photo: 'p' }, { bearer: token })).toMatchObject(
        expected,
      )
    }

    test('is rejected after it is revoked', async () => {
      const [{ id } = { id: '' }] = await asha.trpc.account.apiKeys.list.query()
      expect(await asha.trpc.account.apiKeys.revoke.mutate({ id })).toEqual({ id })
      await expectError(bearer, 'The bearer token is not valid.')
    })

    test('is rejected if it is unknown', async () => {
      await expectError(generateApiKey(), 'The bearer token is not valid.')
    })

    test.each([
      ['truncated', (token: string) => token.slice(0, -1)],
      ['mistyped', (token: string) => token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')],
      ['in lower case', (token: string) => token.toLowerCase()],
      ['repeated after a space', (token: string) => `${token} ${token}`],
      ['very long', (token: string) => token.repeat(100)],
      ['not ASCII', () => 'rgl_ÿþ'],
      ['only the prefix', () => 'rgl_'],
    ])('is rejected if it is %s', async (_, spoil) => {
      await expectError(spoil(bearer), 'The API key is incomplete or mistyped.')
    })

    test.each(['rgl_', 'Bearer', 'x', 'a valid key'])(
      '%j takes precedence over a valid cookie',
      async (sent) => {
        const eve = await way.signIn(server())
        const token = sent === 'a valid key' ? bearer : sent
        const headers = { cookie: eve.cookie, origin: server().url, authorization: `Bearer ${token}` }
        const answer = await server().request('/trpc/viewer', { headers })
        if (token === bearer) expect(await answer.json()).toMatchObject({ result: { data: { id: asha.id } } })
        else expect(answer.status).toBe(401)
        const share = await server().postJson(transport.addresses.share, '{}', undefined, headers)
        expect(share.status).toBe(token === bearer ? 400 : 401)
      },
    )

    test('ignores an API key in a URL', async () => {
      const asHeader = `Bearer ${bearer}`
      const connectionParams = JSON.stringify({ authorization: asHeader, token: bearer })
      const everyName: Record<string, string>[] = [
        { token: bearer, access_token: bearer, bearer, api_key: bearer },
        { authorization: asHeader, Authorization: asHeader },
        { connectionParams },
      ]
      for (const names of everyName) {
        const query = `?${new URLSearchParams(names)}`
        const answer = await server().postJson(transport.addresses.share + query, { prompt: 'p', photo: 'p' })
        expect(answer.status).toBe(401)
        const viewer = await server().request(`/trpc/viewer${query}`)
        expect(await viewer.json()).toEqual({ result: { data: null } })
      }
    })

    test('is ignored in a cookie, in another scheme, and in a body', async () => {
      for (const headers of [
        { cookie: `${way.cookieName}=${bearer}`, origin: server().url },
        { authorization: `Basic ${btoa(`x:${bearer}`)}` },
        { authorization: `Token ${bearer}` },
        { authorization: bearer },
        { 'x-api-key': bearer },
      ]) {
        const body = { prompt: 'p', photo: 'p', token: bearer, authorization: `Bearer ${bearer}` }
        const answer = await server().postJson(transport.addresses.share, body, undefined, headers)
        expect(answer.status).toBe(401)
      }
    })
  })
})

describe.each(signInModes)('over time, with $mode', ({ env, signIn }: SignInMode) => {
  let time = Date.now()
  const server = shareTestServer({ env, now: () => time })
  let asha: TestUser
  beforeAll(async () => {
    asha = await signIn(server())
  })

  test('an API key is accepted until it expires, then rejected with the reason', async () => {
    const created = await asha.trpc.account.apiKeys.create.mutate({ name: 'A week', expiresInDays: 7 })
    expect(created).toMatchObject({
      createdAt: new Date(time).toISOString(),
      expiresAt: new Date(time + 7 * day).toISOString(),
    })
    const robot = clientOf(server(), created.key)
    time += 7 * day - 1
    expect(await robot.viewer.query()).toMatchObject({ id: asha.id })
    time += 1
    for (const transport of transports) {
      const answer = await transport.generate(server(), { prompt: 'A lotus' }, { bearer: created.key })
      expect(answer).toMatchObject({ status: 401, error: 'The API key has expired.' })
    }
    expect(await asha.trpc.account.apiKeys.list.query()).toContainEqual(
      expect.objectContaining({ id: created.id, expiresAt: created.expiresAt }),
    )
  })

  test('records the last use of an API key at most once a minute', async () => {
    const { id, key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'Often' })
    const lastUse = async () =>
      (await asha.trpc.account.apiKeys.list.query()).find((one) => one.id === id)?.lastUsedAt
    const robot = clientOf(server(), key)
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
})
