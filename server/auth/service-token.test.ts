import { beforeAll, describe, expect, test } from 'vitest'
import { transports } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'

const token = 'a-token-of-enough-letters'
const notValid = { status: 401, error: 'The bearer token is not valid.' }

describe.each(transports)('API_TOKEN through $name', (transport) => {
  const server = shareTestServer({ env: { API_TOKEN: token, DAILY_IMAGE_LIMIT: '1' } })
  let asha: TestUser
  beforeAll(async () => {
    asha = await server().signUp()
  })

  test('acts as a user of its own, with its own quota', async () => {
    expect(await transport.generate(server(), { prompt: 'A lotus' }, { bearer: token })).toMatchObject({
      error: null,
    })
    expect(await transport.generate(server(), { prompt: 'A kite' }, { bearer: token })).toMatchObject({
      status: 429,
    })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    const photo = dataUrl(await plainJpeg('a photo'))
    expect(await transport.share(server(), { prompt: 'p', photo }, { bearer: token })).toMatchObject({
      error: null,
    })
  })

  test.each([
    ['another token', 'another-token-of-letters'],
    ['a part of it', token.slice(0, -1)],
    ['more than it', `${token}x`],
    ['its capitals', token.toUpperCase()],
    ['what looks like a JWT', 'a.b.c'],
    ['one letter', 'x'],
    ['two words', `${token} ${token}`],
    ['a very long one', 'x'.repeat(5_000)],
  ])('is not %s', async (_, bearer) => {
    expect(await transport.generate(server(), { prompt: 'A lotus' }, { bearer })).toMatchObject(notValid)
    expect(await transport.share(server(), { prompt: 'p', photo: 'p' }, { bearer })).toMatchObject(notValid)
  })

  test.each(['Bearer', 'Bearer ', 'bearer x', 'BEARER x', 'Bearer  a.b.c'])(
    '%j takes precedence over a valid cookie',
    async (authorization) => {
      const { cookie } = asha
      const headers = { 'content-type': 'application/json', origin: server().url, cookie, authorization }
      const response = await server().request(transport.addresses.share, {
        method: 'POST',
        headers,
        body: '{}',
      })
      expect(response.status).toBe(401)
    },
  )

  test('is rejected if API_TOKEN is not set', async () => {
    const own = await startTestServer()
    expect(await transport.generate(own, { prompt: 'A lotus' }, { bearer: token })).toMatchObject(notValid)
    expect(await transport.generate(own, { prompt: 'A lotus' }, { bearer: 'undefined' })).toMatchObject(
      notValid,
    )
  })
})

describe('viewer', () => {
  const server = shareTestServer({ env: { API_TOKEN: token } })
  const ask = (headers: Record<string, string>) => server().request('/trpc/viewer', { headers })

  test('is API for the service token, whatever the case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const answer = await ask({ authorization: `${scheme} ${token}` })
      expect(await answer.json()).toEqual({
        result: { data: { id: 'api-token', firstName: 'API', imageUrl: null, role: 'member' } },
      })
    }
  })

  test('is null without credentials, and with another authorization scheme', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { cookie: 'theme=hc' }]) {
      expect(await (await ask(headers)).json()).toEqual({ result: { data: null } })
    }
  })

  test('is an error for an invalid token', async () => {
    expect((await ask({ authorization: 'Bearer a.b.c' })).status).toBe(401)
  })

  test('the service token takes precedence over a cookie', async () => {
    const { cookie } = await server().signUp()
    const answer = await ask({ cookie, authorization: `Bearer ${token}` })
    expect(await answer.json()).toMatchObject({ result: { data: { id: 'api-token' } } })
  })
})
