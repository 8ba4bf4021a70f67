import { expect, test } from 'vitest'
import { plainJpeg } from '../../test/support/engine.ts'
import { dataUrl } from '../../test/support/images.ts'
import { shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { transports, trpcTransport } from '../../test/support/transports.ts'

const token = 'a-token-of-enough-letters'
const server = shareTestServer({ env: { API_TOKEN: token, DAILY_IMAGE_LIMIT: '2' } })
const ask = (headers: Record<string, string>) => server().request('/trpc/viewer', { headers })

test('API_TOKEN acts as a user of its own, with its own quota, through either transport', async () => {
  const asha = await server().signUp()
  const credential = { bearer: token }
  for (const { name, generate, share } of transports) {
    const generated = await generate(server(), { prompt: `A lotus by ${name}` }, credential)
    const shared = await share(server(), { prompt: 'p', photo: dataUrl(await plainJpeg(name)) }, credential)
    expect([generated, shared]).toMatchObject([{ error: null }, { error: null }])
  }
  const rejected = await trpcTransport.generate(server(), { prompt: 'A kite' }, credential)
  expect(rejected).toMatchObject({ status: 429 })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
})

test.each([
  ['another token', 'another-token-of-letters'],
  ['more than it', `${token}x`],
  ['its capitals', token.toUpperCase()],
])('API_TOKEN is not %s', async (_, bearer) => {
  const answer = await trpcTransport.share(server(), { prompt: 'p', photo: 'p' }, { bearer })
  expect(answer).toMatchObject({ status: 401, error: 'The bearer token is not valid.' })
})

test('is rejected if API_TOKEN is not set', async () => {
  const own = await startTestServer()
  for (const bearer of [token, 'undefined', 'null']) {
    const headers = { authorization: `Bearer ${bearer}` }
    expect((await own.request('/trpc/viewer', { headers })).status).toBe(401)
  }
})

test('the viewer is API for the service token, and null for another authorization scheme', async () => {
  const viewer = { id: 'api-token', firstName: 'API', imageUrl: null, role: 'member', unreadNotifications: 0 }
  for (const [authorization, data] of [
    [`BEARER  ${token}`, viewer],
    ['Basic YTpi', null],
  ] as const)
    expect(await (await ask({ authorization })).json()).toEqual({ result: { data } })
})
