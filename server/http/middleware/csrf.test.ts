import { beforeAll, describe, expect, test } from 'vitest'
import { plainJpeg } from '../../../test/support/engine.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { dataUrl } from '../../../test/support/images.ts'

const token = 'a-token-of-enough-letters'
const server = shareTestServer({ env: { API_TOKEN: token } })
const writes = [
  '/trpc/posts.create',
  '/trpc/posts.delete',
  '/trpc/images.generate',
  '/api/v1/post',
  '/api/v1/imgGenerate',
]
const accountWrites = ['/api/auth/sign-out', '/api/auth/sign-in/email', '/api/auth/sign-up/email']

let asha: TestUser
let body: string
beforeAll(async () => {
  asha = await server().signUp()
  body = JSON.stringify({ name: 'Asha', prompt: 'A lotus', photo: dataUrl(await plainJpeg('a photo')) })
})

function write(address: string, headers: Record<string, string>, method = 'POST') {
  return server().request(address, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

describe.each([...writes, ...accountWrites])('a write to %s with a cookie', (address) => {
  test.each<[string, () => Record<string, string>]>([
    ['of another site', () => ({ origin: 'https://evil.example' })],
    ['of another port', () => ({ origin: server().url.replace(/:\d+$/, ':1') })],
    ['of a site whose name begins like ours', () => ({ origin: `${server().url}.evil.example` })],
    ['of no origin', () => ({ origin: 'null' })],
    ['without one', () => ({})],
    [
      'of another site, posted as a plain form',
      () => ({ origin: 'https://evil.example', 'content-type': 'text/plain' }),
    ],
    [
      'of another site, with the password of a proxy',
      () => ({ origin: 'https://evil.example', authorization: 'Basic YTpi' }),
    ],
  ])('and an Origin %s is rejected', async (_, headers) => {
    const { total } = await asha.trpc.posts.list.query()
    const response = await write(address, { cookie: asha.cookie, ...headers() })
    expect(response.status).toBe(403)
    expect(JSON.stringify(await response.json())).toContain('This request came from another site.')
    expect((await asha.trpc.posts.list.query()).total).toBe(total)
    expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id })
  })
})

test.each(['PUT', 'PATCH', 'DELETE'])('rejects %s with a cookie from another site', async (method) => {
  const response = await write(
    '/api/v1/post',
    { cookie: asha.cookie, origin: 'https://evil.example' },
    method,
  )
  expect(response.status).toBe(403)
})

test('rejects a batch from another site with an error that typed clients read', async () => {
  const foreign = server().client({ cookie: asha.cookie, origin: 'https://evil.example' })
  const responses = await Promise.allSettled(['a', 'b'].map((id) => foreign.posts.delete.mutate({ id })))
  for (const response of responses) {
    if (response.status === 'fulfilled') throw new Error('A write from another site succeeded.')
    expect(response.reason).toMatchObject({
      message: 'This request came from another site.',
      data: { httpStatus: 403, reason: 'forbidden' },
    })
  }
})

test.each(accountWrites)(
  'another site cannot sign users in or out through %s, with or without a cookie',
  async (address) => {
    const account = JSON.stringify({ name: 'Eve', email: 'eve@example.org', password: 'correct horse' })
    const response = await server().request(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
      body: account,
    })
    expect(response.status).toBe(403)
    expect(response.headers.getSetCookie()).toEqual([])
  },
)

describe('accepts a write', () => {
  test.each<[string, () => Record<string, string>, number]>([
    ['with a cookie from this site', () => ({ cookie: asha.cookie, origin: server().url }), 201],
    [
      'with a token, from any origin',
      () => ({ authorization: `Bearer ${token}`, origin: 'https://app.example' }),
      201,
    ],
    ['with a token, without Origin', () => ({ authorization: `Bearer ${token}` }), 201],
    ['with a token and a cookie', () => ({ authorization: `Bearer ${token}`, cookie: asha.cookie }), 201],
    ['without credentials, which fails later', () => ({ origin: 'https://evil.example' }), 401],
  ])('%s', async (_, headers, status) => {
    expect((await write('/api/v1/post', headers())).status).toBe(status)
  })
})

test('an invalid bearer token does not fall back to the cookie', async () => {
  for (const authorization of ['Bearer a.b.c', 'Bearer']) {
    const response = await write('/api/v1/post', {
      cookie: asha.cookie,
      origin: 'https://evil.example',
      authorization,
    })
    expect(response.status).toBe(401)
  }
})

test('reads need no Origin', async () => {
  const response = await server().request('/trpc/images.quota', { headers: { cookie: asha.cookie } })
  expect(response.status).toBe(200)
})

test('PUBLIC_URL is the only accepted Origin if it is set', async () => {
  const origin = 'https://pictures.example.org'
  const own = await startTestServer({ env: { PUBLIC_URL: origin } })
  const account = { name: 'Asha', email: 'asha@example.org', password: 'correct horse' }
  const signedUp = await own.postAccount('/sign-up/email', account, { origin })
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const statusFrom = async (from: string) =>
    (
      await own.request('/api/v1/imgGenerate', {
        method: 'POST',
        headers: { cookie, origin: from },
        body: '{"prompt":"x"}',
      })
    ).status
  expect(await statusFrom(own.url)).toBe(403)
  expect(await statusFrom('http://pictures.example.org')).toBe(403)
  expect(await statusFrom(origin)).toBe(200)
})
