import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Viewer } from '../../../shared/viewer.ts'
import { badTokens } from '../../../test/support/bad-tokens.ts'
import { clerkEnv, mintToken, publishableKey } from '../../../test/support/clerk.ts'
import { plainJpeg } from '../../../test/support/engine.ts'
import { dataUrl } from '../../../test/support/images.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../../test/support/test-server.ts'

afterEach(() => void vi.restoreAllMocks())

const CLERK_ADMINISTRATORS = 'user_boss, user_chief'
const server = shareTestServer({
  env: clerkEnv({ DAILY_IMAGE_LIMIT: '1', CLERK_ADMINISTRATORS }),
})

const tokenOf = (sub: string, claims: Record<string, unknown> = {}) =>
  mintToken({ azp: server().url, sub, ...claims })

const viewerStatus = async ({ request }: TestServer, headers: Record<string, string>) =>
  (await request('/trpc/viewer', { headers })).status

/** Records URLs requested from other hosts than the server. */
function requestLog(): string[] {
  const requestedUrls: string[] = []
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(server().url)) requestedUrls.push(address)
    return fetch(input, init)
  })
  return requestedUrls
}

test('a session token allows its user to generate and share, with one quota in all sessions', async () => {
  const requestedUrls = requestLog()
  const clientOf = (bearer: string) => server().client({ authorization: `Bearer ${bearer}` })
  const generate = (bearer: string) => clientOf(bearer).images.generate.mutate({ prompt: 'A lotus' })
  await generate(tokenOf('user_one', { sid: 'sess_1' }))
  await expect(generate(tokenOf('user_one', { sid: 'sess_2' }))).rejects.toMatchObject({
    data: { httpStatus: 429 },
  })
  await generate(tokenOf('user_two'))
  const photo = dataUrl(await plainJpeg('a photo'))
  const post = { name: 'Asha', prompt: 'p', photo }
  expect(await clientOf(tokenOf('user_one')).posts.create.mutate(post)).toMatchObject({
    authorId: 'user_one',
  })
  expect(requestedUrls).toEqual([])
})

// The procedures reject each of them in `protected-procedures.test.ts`.
test('asks Clerk nothing about invalid tokens', async () => {
  const requestedUrls = requestLog()
  for (const { create } of badTokens) {
    const authorization = `Bearer ${create(server().url)}`
    expect(await viewerStatus(server(), { authorization })).toBe(401)
  }
  expect(requestedUrls).toEqual([])
})

test('rejects an empty authorization, and a token of 100 kB before parsing it', async () => {
  for (const authorization of ['Bearer', 'Bearer ', 'BEARER  ']) {
    expect(await viewerStatus(server(), { authorization })).toBe(401)
  }
  const authorization = `Bearer ${mintToken({ azp: server().url, filler: 'x'.repeat(75_000) })}`
  for (const address of ['/trpc/viewer', '/api/v1/post']) {
    expect((await server().request(address, { headers: { authorization } })).status).toBe(431)
  }
})

test('accepts clocks that differ by a few seconds, and rejects a token once it has expired', async () => {
  const now = Math.floor(Date.now() / 1000)
  for (const claims of [{}, { exp: now - 1 }, { nbf: now + 2, iat: now + 2 }]) {
    const authorization = `Bearer ${tokenOf('user_asha', claims)}`
    expect(await viewerStatus(server(), { authorization })).toBe(200)
  }
  const authorization = `Bearer ${tokenOf('user_asha')}`
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 66_000)
  expect(await viewerStatus(server(), { authorization })).toBe(401)
})

test('accepts tokens for PUBLIC_URL, by default for the host of the request', async () => {
  const origin = 'https://pictures.example.org'
  const authorization = `Bearer ${mintToken({ azp: origin })}`
  const through = (host: string) => viewerStatus(server(), { authorization, 'x-forwarded-host': host })
  expect(await through('pictures.example.org')).toBe(200)
  expect(await through('elsewhere.example.org')).toBe(401)

  const site = await startTestServer({ env: clerkEnv({ PUBLIC_URL: origin }) })
  const statusFor = (azp: string) => viewerStatus(site, { authorization: `Bearer ${mintToken({ azp })}` })
  expect(await statusFor(origin)).toBe(200)
  expect(await statusFor('http://pictures.example.org')).toBe(401)
  expect(await statusFor(site.url)).toBe(401)
})

describe('the viewer', () => {
  const viewerWith = (claims: Record<string, unknown>): Promise<Viewer | null> =>
    server()
      .client({ authorization: `Bearer ${mintToken({ azp: server().url, ...claims })}` })
      .viewer.query()

  test('has the id of the token, and a name and avatar from custom claims', async () => {
    const asha = {
      id: 'user_asha',
      firstName: 'User',
      imageUrl: null,
      role: 'member',
      unreadNotifications: 0,
    }
    expect(await viewerWith({})).toEqual(asha)
    const imageUrl = 'https://img.clerk.com/asha'
    const named = { ...asha, firstName: 'Asha', imageUrl }
    expect(await viewerWith({ first_name: 'Asha', image_url: imageUrl })).toEqual(named)
  })

  test.each([
    [{ first_name: 'Mary Ann' }, 'Mary Ann'],
    [{ given_name: 'Asha', name: 'Someone Else' }, 'Asha'],
    [{ first_name: '', name: ' \u202eAsha\n Rao' }, 'Asha'],
    [{ first_name: null, firstName: 5, given_name: ['a'], name: { a: 1 } }, 'User'],
    [{ first_name: ' \u200b ' }, 'User'],
    [{ first_name: 'x'.repeat(81) }, 'User'],
    [{ first_name: 'x'.repeat(80) }, 'x'.repeat(80)],
  ])('with the claims %j has the first name %j', async (claims, firstName) => {
    expect(await viewerWith(claims)).toMatchObject({ firstName })
  })

  test.each([
    [{ image_url: '', picture: 'https://img.clerk.com/a' }, 'https://img.clerk.com/a'],
    [{ image_url: 'http://img.clerk.com/a' }, null],
    [{ image_url: 'javascript:alert(1)' }, null],
    [{ image_url: '/a.jpg' }, null],
    [{ image_url: 5, imageUrl: null, picture: ['https://img.clerk.com/a'] }, null],
  ])('with the claims %j has the image %j', async (claims, imageUrl) => {
    expect(await viewerWith(claims)).toMatchObject({ imageUrl })
  })

  test.each([
    ['administrator', { sub: 'user_chief' }],
    ['member', { sub: 'user_bossy' }],
    ['member', { sub: 'user_BOSS' }],
    ['member', { role: 'administrator', org_role: 'org:admin', metadata: { role: 'administrator' } }],
  ])('is %s with the claims %j', async (role, claims) => {
    expect(await viewerWith(claims)).toMatchObject({ role })
  })
})

const suffixFor = (key: string) =>
  createHash('sha1').update(key).digest('base64').replaceAll('+', '-').replaceAll('/', '_').slice(0, 8)
const suffix = suffixFor(publishableKey)
const expired = () => tokenOf('user_old', { exp: Math.floor(Date.now() / 1000) - 60 })

test.each<[string, () => string, string | null]>([
  [
    'prefers the name with the suffix of the instance',
    () => `__session=${tokenOf('user_meera')}; __session_${suffix}=${tokenOf('user_asha')}`,
    'user_asha',
  ],
  [
    'accepts the shared name if the other one has expired',
    () => `__session_${suffix}=${expired()}; __session=${tokenOf('user_asha')}`,
    'user_asha',
  ],
  [
    'ignores the cookie of another application on the host',
    () =>
      `__session=${tokenOf('user_eve', { iss: 'https://clerk.other.example' })}; __session_${suffix}=${tokenOf('user_asha')}`,
    'user_asha',
  ],
  [
    'rejects the name with the suffix of another instance',
    () => `__session_${suffixFor('pk_test_other')}=${tokenOf('user_asha')}`,
    null,
  ],
  ['rejects an expired token', () => `__session=${expired()}`, null],
  ['rejects invalid percent-encoding', () => '__session=%E0%A4%A', null],
  ['rejects characters that are invalid in headers', () => '__session=%F0%9F%AA%94.%F0%9F%AA%94.x', null],
])('a session cookie of Clerk’s script: %s', async (_, cookie, id) => {
  const viewer = await server().client({ cookie: cookie() }).viewer.query()
  expect(viewer?.id ?? null).toBe(id)
})
