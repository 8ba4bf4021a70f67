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
  ])('and an Origin %s is refused', async (_, headers) => {
    const { total } = await asha.trpc.posts.list.query()
    const answer = await write(address, { cookie: asha.cookie, ...headers() })
    expect(answer.status).toBe(403)
    expect(JSON.stringify(await answer.json())).toContain('This request came from another site.')
    expect((await asha.trpc.posts.list.query()).total).toBe(total)
    expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id })
  })
})

test.each(['PUT', 'PATCH', 'DELETE'])(
  'a %s with a cookie from elsewhere is refused as well',
  async (method) => {
    const answer = await write(
      '/api/v1/post',
      { cookie: asha.cookie, origin: 'https://evil.example' },
      method,
    )
    expect(answer.status).toBe(403)
  },
)

test('a batch from elsewhere is refused as a whole, in words that a typed client reads', async () => {
  const foreign = server().client({ cookie: asha.cookie, origin: 'https://evil.example' })
  const answers = await Promise.allSettled(['a', 'b'].map((id) => foreign.posts.delete.mutate({ id })))
  for (const answer of answers) {
    if (answer.status === 'fulfilled') throw new Error('A foreign write went through.')
    expect(answer.reason).toMatchObject({
      message: 'This request came from another site.',
      data: { httpStatus: 403, reason: 'forbidden' },
    })
  }
})

test.each(accountWrites)(
  'nobody is signed in or out by another site through %s, with or without a cookie',
  async (address) => {
    const account = JSON.stringify({ name: 'Eve', email: 'eve@example.org', password: 'correct horse' })
    const answer = await server().request(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
      body: account,
    })
    expect(answer.status).toBe(403)
    expect(answer.headers.getSetCookie()).toEqual([])
  },
)

describe('a write is taken', () => {
  test.each<[string, () => Record<string, string>, number]>([
    ['with a cookie from this site', () => ({ cookie: asha.cookie, origin: server().url }), 201],
    [
      'with a token, from any site',
      () => ({ authorization: `Bearer ${token}`, origin: 'https://app.example' }),
      201,
    ],
    ['with a token, from no browser', () => ({ authorization: `Bearer ${token}` }), 201],
    [
      'with a token, whatever cookie comes along',
      () => ({ authorization: `Bearer ${token}`, cookie: asha.cookie }),
      201,
    ],
    ['as nobody’s without either', () => ({ origin: 'https://evil.example' }), 401],
  ])('%s', async (_, headers, status) => {
    expect((await write('/api/v1/post', headers())).status).toBe(status)
  })
})

test('a bad token from another site does not fall back to the cookie', async () => {
  for (const authorization of ['Bearer a.b.c', 'Bearer']) {
    const answer = await write('/api/v1/post', {
      cookie: asha.cookie,
      origin: 'https://evil.example',
      authorization,
    })
    expect(answer.status).toBe(401)
  }
})

test('reading needs no origin', async () => {
  const answer = await server().request('/trpc/images.quota', { headers: { cookie: asha.cookie } })
  expect(answer.status).toBe(200)
})

test('PUBLIC_URL is the only origin where it is set', async () => {
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
