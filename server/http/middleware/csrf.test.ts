import { beforeAll, expect, test } from 'vitest'
import { plainJpeg } from '../../../test/support/engine.ts'
import {
  cookieOf,
  shareTestServer,
  startTestServer,
  type TestUser,
} from '../../../test/support/test-server.ts'
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
const foreign = 'https://evil.example'

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

test.each([...writes, ...accountWrites])(
  'rejects a write to %s with a cookie from another site',
  async (address) => {
    const { total } = await asha.trpc.posts.list.query()
    for (const headers of [
      { origin: foreign },
      { origin: server().url.replace(/:\d+$/, ':1') },
      { origin: `${server().url}.evil.example` },
      { origin: 'null' },
      {},
      { origin: foreign, 'content-type': 'text/plain' },
      // The password of a proxy.
      { origin: foreign, authorization: 'Basic YTpi' },
    ]) {
      const response = await write(address, { cookie: asha.cookie, ...headers })
      expect([headers, response.status]).toEqual([headers, 403])
      expect(await response.text()).toContain('This request came from another site.')
    }
    expect((await asha.trpc.posts.list.query()).total).toBe(total)
    expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id })
  },
)

test.each(['PUT', 'PATCH', 'DELETE'])('rejects %s with a cookie from another site', async (method) => {
  const response = await write('/api/v1/post', { cookie: asha.cookie, origin: foreign }, method)
  expect(response.status).toBe(403)
})

test('rejects a batch from another site with an error that typed clients read', async () => {
  const client = server().client({ cookie: asha.cookie, origin: foreign })
  const calls = await Promise.allSettled(['a', 'b'].map((id) => client.posts.delete.mutate({ id })))
  const reason = {
    message: 'This request came from another site.',
    data: { httpStatus: 403, reason: 'forbidden' },
  }
  expect(calls).toMatchObject([{ reason }, { reason }])
})

test.each(accountWrites)('another site cannot sign users in or out through %s', async (address) => {
  const response = await server().request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: foreign, 'sec-fetch-site': 'cross-site' },
    body: JSON.stringify({ name: 'Eve', email: 'eve@example.org', password: 'correct horse' }),
  })
  expect([response.status, response.headers.getSetCookie()]).toEqual([403, []])
})

test.each<[what: string, headers: () => Record<string, string>, status: number]>([
  ['with a cookie from this site', () => ({ cookie: asha.cookie, origin: server().url }), 201],
  ['with a token, from any origin', () => ({ authorization: `Bearer ${token}`, origin: foreign }), 201],
  ['with a token, without Origin', () => ({ authorization: `Bearer ${token}` }), 201],
  ['with a token and a cookie', () => ({ authorization: `Bearer ${token}`, cookie: asha.cookie }), 201],
  ['without credentials', () => ({ origin: foreign }), 401],
  ['with a cookie and a bad token', () => ({ cookie: asha.cookie, authorization: 'Bearer a.b.c' }), 401],
  ['with a cookie and no token', () => ({ cookie: asha.cookie, authorization: 'Bearer' }), 401],
])('does not take a write %s for one from another site', async (_, headers, status) => {
  expect((await write('/api/v1/post', headers())).status).toBe(status)
})

test('PUBLIC_URL is the only accepted Origin if it is set', async () => {
  const origin = 'https://pictures.example.org'
  const own = await startTestServer({ env: { PUBLIC_URL: origin } })
  const account = { name: 'Asha', email: 'asha@example.org', password: 'correct horse' }
  const cookie = cookieOf(await own.postAccount('/sign-up/email', account, { origin }))
  for (const [from, status] of [
    [own.url, 403],
    ['http://pictures.example.org', 403],
    [origin, 200],
  ] as const) {
    const headers = { cookie, origin: from }
    const response = await own.postJson('/api/v1/imgGenerate', { prompt: 'x' }, undefined, headers)
    expect([from, response.status]).toEqual([from, status])
  }
})
