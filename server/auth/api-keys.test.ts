import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transports } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { eventually } from '../../test/support/generations.ts'
import {
  shareTestServer,
  startTestServer,
  type TestUser,
  type TestServer,
} from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'
import { signInModes, type SignInMode } from '../../test/support/sign-in-modes.ts'
import { makeTokenText } from '../users/api-keys/api-key-format.ts'

const day = 24 * 60 * 60 * 1_000

async function makeToken({ trpc }: TestUser, expiresInDays: 7 | null = null): Promise<string> {
  return (await trpc.account.tokens.create.mutate({ name: 'A robot', expiresInDays })).token
}

const clientOf = (server: TestServer, token: string) => server.client({ authorization: `Bearer ${token}` })

describe.each(signInModes)('a personal token with $mode', (way) => {
  describe.each(transports)('through $name', (transport) => {
    const server = shareTestServer({ env: { ...way.env, DAILY_IMAGE_LIMIT: '2' } })
    let asha: TestUser
    let bearer: string
    beforeEach(async () => {
      asha = await way.signIn(server())
      bearer = await makeToken(asha)
    })

    test('acts as the user, with what is left of their day', async () => {
      await asha.generate('A lotus')
      expect(await transport.generate(server(), { prompt: 'A kite' }, { bearer })).toMatchObject({
        error: null,
      })
      expect(await transport.generate(server(), { prompt: 'A drum' }, { bearer })).toEqual({
        status: 429,
        error: 'You have reached your daily image limit.',
        retryAfter: null,
      })
      const { images } = await asha.trpc.images.mine.query()
      expect(images.map(({ prompt }) => prompt)).toEqual(['A kite', 'A lotus'])

      const photo = dataUrl(await plainJpeg(`a photo of ${asha.id}`))
      const name = `Robot of ${asha.id}`
      expect(await transport.share(server(), { name, prompt: 'p', photo }, { bearer })).toMatchObject({
        error: null,
      })
      const { posts } = await asha.trpc.posts.list.query({ search: name })
      expect(posts).toMatchObject([{ authorId: asha.id }])
    })

    /** Expects both calls of the transport to be refused with 401 and one sentence. */
    async function expectError(token: string, error: string) {
      const refusal = { status: 401, error }
      expect(await transport.generate(server(), { prompt: 'A lotus' }, { bearer: token })).toMatchObject(
        refusal,
      )
      expect(await transport.share(server(), { prompt: 'p', photo: 'p' }, { bearer: token })).toMatchObject(
        refusal,
      )
    }

    test('that was revoked is refused', async () => {
      const [{ id } = { id: '' }] = await asha.trpc.account.tokens.list.query()
      expect(await asha.trpc.account.tokens.revoke.mutate({ id })).toEqual({ id })
      await expectError(bearer, 'The bearer token is not valid.')
    })

    test('that nobody has is refused', async () => {
      await expectError(makeTokenText(), 'The bearer token is not valid.')
    })

    test('of another server is refused', async () => {
      const other = await startTestServer({ env: way.env })
      await expectError(await makeToken(await way.signIn(other)), 'The bearer token is not valid.')
    })

    test.each([
      ['cut short', (token: string) => token.slice(0, -1)],
      ['mistyped', (token: string) => token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')],
      ['in small letters', (token: string) => token.toLowerCase()],
      ['with more behind it', (token: string) => `${token} ${token}`],
      ['very long', (token: string) => token.repeat(100)],
      ['in bytes that are no text', () => 'rgl_ÿþ'],
      ['of the prefix alone', () => 'rgl_'],
    ])('that is %s is refused', async (_, spoil) => {
      await expectError(spoil(bearer), 'The API token is not complete: a part is missing or mistyped.')
    })

    test.each(['rgl_', 'Bearer', 'x', 'the good one'])('%j beats a good cookie', async (sent) => {
      const eve = await way.signIn(server())
      const token = sent === 'the good one' ? bearer : sent
      const headers = { cookie: eve.cookie, origin: server().url, authorization: `Bearer ${token}` }
      const answer = await server().request('/trpc/viewer', { headers })
      if (token === bearer) expect(await answer.json()).toMatchObject({ result: { data: { id: asha.id } } })
      else expect(answer.status).toBe(401)
      const share = await server().postJson(transport.addresses.share, '{}', undefined, headers)
      expect(share.status).toBe(token === bearer ? 400 : 401)
    })

    test('in an address is nobody’s', async () => {
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

    test('in a cookie, in another scheme or in the body is nobody’s', async () => {
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

describe.each(signInModes)('with $mode, in time', ({ env, signIn }: SignInMode) => {
  let time = Date.now()
  const server = shareTestServer({ env, now: () => time })
  let asha: TestUser
  beforeAll(async () => {
    asha = await signIn(server())
  })

  test('a token works until the moment in which it expires, and says so from then on', async () => {
    const made = await asha.trpc.account.tokens.create.mutate({ name: 'A week', expiresInDays: 7 })
    expect(made).toMatchObject({
      createdAt: new Date(time).toISOString(),
      expiresAt: new Date(time + 7 * day).toISOString(),
    })
    const robot = clientOf(server(), made.token)
    time += 7 * day - 1
    expect(await robot.viewer.query()).toMatchObject({ id: asha.id })
    time += 1
    for (const transport of transports) {
      const answer = await transport.generate(server(), { prompt: 'A lotus' }, { bearer: made.token })
      expect(answer).toMatchObject({ status: 401, error: 'The API token has expired.' })
    }
    expect(await asha.trpc.account.tokens.list.query()).toContainEqual(
      expect.objectContaining({ id: made.id, expiresAt: made.expiresAt }),
    )
  })

  test('a last use is noted at once, and again after a minute at the earliest', async () => {
    const { id, token } = await asha.trpc.account.tokens.create.mutate({ name: 'Often' })
    const lastUse = async () =>
      (await asha.trpc.account.tokens.list.query()).find((one) => one.id === id)?.lastUsedAt
    const robot = clientOf(server(), token)
    expect(await lastUse()).toBeNull()
    await expect(robot.account.tokens.list.query()).rejects.toThrow(/sign in/)
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
