import type { AnyProcedure } from '@trpc/server'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { PostPage } from '../../../shared/posts.ts'
import { appRouter } from '../../trpc/router.ts'
import { publicReads } from './public-reads.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

const shared = 'public, max-age=0, s-maxage=10'
const unshared = 'private, no-cache'

const list = '/trpc/posts.list'
const searched = `${list}?input=${encodeURIComponent(JSON.stringify({ search: 'post' }))}`
const pages = ['/', '/?q=post', '/create-post']
const calls = [list, searched, '/api/v1/post', '/api/v1/post?search=post', '/feed.xml?q=post']

const server = shareTestServer({ env: { PUBLIC_URL: 'https://pictures.example' } })

test.each([...pages, ...calls])(
  '%s is cacheable by proxies for 10 seconds, with the same headers rendered or cached',
  async (address) => {
    const isPage = pages.includes(address)
    await fillGallery(server(), numberedPosts(3))
    const made = await server().request(address)
    const headersOf = ({ headers }: Response) => ({ ...Object.fromEntries(headers), date: '' })
    expect(headersOf(await server().request(address))).toEqual(headersOf(made))
    expect(headersOf(made)).toMatchObject({
      'cache-control': shared,
      vary: `Accept-Encoding, trpc-accept${isPage ? ', Accept-Language, Cookie' : ''}`,
      'x-content-type-options': 'nosniff',
      ...(isPage
        ? { 'content-security-policy': expect.any(String) }
        : { 'access-control-allow-origin': '*' }),
    })
    expect(made.headers.getSetCookie()).toEqual([])
    const head = await server().request(address, { method: 'HEAD' })
    const etag = made.headers.get('etag')
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
  },
)

test.each([...pages, ...calls])('%s responds 304 to its ETag until it changes', async (address) => {
  const read = (etag = '') => server().request(address, { headers: { 'if-none-match': etag } })
  const first = await read()
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[^"]+"$/)
  for (const names of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
    const again = await read(names)
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect([again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([etag, shared])
  }
  const other = await read('"other", W/"another"')
  expect([other.status, await other.text()]).toEqual([200, await first.text()])
  if (address === '/create-post') return
  await fillGallery(server(), [{ name: 'Asha', prompt: `Post after ${address}` }])
  const changed = await read(etag)
  expect(changed.status).toBe(200)
  expect(await changed.text()).toContain('Post after')
})

test('a stream and a plain response of the same URL do not mix', async () => {
  const batch = `${list}?batch=1&input=${encodeURIComponent('{"0":{}}')}`
  const whole = await (await server().request(batch)).json()
  const streamed = await server().request(batch, { headers: { 'trpc-accept': 'application/jsonl' } })
  expect(streamed.headers.get('cache-control')).toBe(unshared)
  expect((await streamed.text()).trim().split('\n').length).toBeGreaterThan(1)
  const again = await server().request(batch)
  expect(again.headers.get('x-accel-buffering')).toBeNull()
  expect(await again.json()).toEqual(whole)
})

test.each<[address: string, headers: Record<string, string>]>([
  [list, { cookie: 'a=b' }],
  ['/api/v1/post', { cookie: 'a=b' }],
  [list, { authorization: 'Bearer a.b.c' }],
  ['/api/v1/post', { authorization: 'Basic YTpi' }],
  ['/', { authorization: 'Basic YTpi' }],
  ['/create-post', { authorization: 'Bearer a.b.c' }],
])('a response of %s to %j is private', async (address, headers) => {
  const response = await server().request(address, { headers })
  expect(response.headers.get('cache-control')).toBe(unshared)
  const etag = response.headers.get('etag') ?? ''
  const again = await server().request(address, { headers: { ...headers, 'if-none-match': etag } })
  expect([again.status, again.headers.get('cache-control')]).toEqual([304, unshared])
})

test('a response with URLs from a Host header is private', async () => {
  const own = await startTestServer()
  await fillGallery(own, numberedPosts(1))
  for (const host of ['one.example', 'two.example']) {
    const response = await own.request('/api/v1/post', { headers: { 'x-forwarded-host': host } })
    expect(response.headers.get('cache-control')).toBe(unshared)
    expect(await response.text()).toContain(`http://${host}/uploads/`)
  }
})

test('no response to a signed-in user is public, except pages without user data', async () => {
  const own = await startTestServer()
  const asha = await own.signUp('Asha Kumar')
  const { id } = await asha.generate('A lotus')
  const headers = { cookie: asha.cookie }
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>)
  const queries = procedures.filter(([, { _def }]) => _def.type === 'query').map(([name]) => name)
  expect(queries).toContain('viewer')
  const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`
  for (const address of [
    ...queries.map((name) => `/trpc/${name}?${input({ id })}`),
    `/trpc/viewer,posts.list?batch=1&${input({ 1: {} })}`,
    `/trpc/posts.list,viewer?batch=1&${input({ 0: {} })}`,
    '/api/v1/post',
    '/api/auth/get-session',
    '/api/auth/list-sessions',
  ]) {
    const caching = (await own.request(address, { headers })).headers.get('cache-control') ?? ''
    expect([address, /public|s-maxage/.test(caching)]).toEqual([address, false])
  }
  for (const address of ['/', '/create-post', '/account', '/moderation']) {
    const page = await own.request(address, { headers })
    expect(await page.text()).not.toContain('Kumar')
    expect(page.headers.getSetCookie()).toEqual([])
  }
})

test.each([
  `${list}?input=${encodeURIComponent('{"limit":0}')}`,
  '/api/v1/post?limit=0',
  '/nothing',
  '/trpc/nothing',
  '/uploads/none/original.jpg',
])('the error of %s is not cacheable', async (address) => {
  const { ok, headers } = await server().request(address)
  expect(ok).toBe(false)
  expect(headers.get('cache-control')).toMatch(/no-store|no-cache/)
  expect(headers.get('etag')).toBeNull()
})

test('the cache key has the declared parameters only, in canonical form, and so has the handler', async () => {
  let made = 0
  const kept = publicReads(server().services)({ path: '/list', parameters: ['q', 'page'] })
  const app = new Hono().get('/list', kept, (c) => {
    made += 1
    return c.json({ made, queries: c.req.queries(), search: new URL(c.req.url).search })
  })
  const read = async (address: string) => (await app.request(address)).json()
  for (const address of [
    '/list?q=a%20lotus&page=2',
    '/list?page=2&q=a+lotus',
    '/list?q=%61+lotus&page=2&utm_source=mail',
    '/list?utm_source=1&q=a+lotus&q=second&page=2&page=3',
    '/%6cist?q=a+lotus&page=2&_=1',
  ])
    expect(await read(address)).toEqual({
      made: 1,
      queries: { q: ['a lotus'], page: ['2'] },
      search: '?q=a+lotus&page=2',
    })
  for (const [address, search] of [
    ['/list?q=a+lotus', '?q=a+lotus'],
    ['/list?q=', '?q='],
    ['/list?evil=1', ''],
    ['/list?evil=1&q=%ff&evil=2', '?q=%EF%BF%BD'],
  ] as const)
    expect(await read(address)).toMatchObject({ search })
  expect(made).toBe(5)
})

test('a change is visible to the next request, in this and in another process', async () => {
  const first = await startTestServer()
  const second = await startTestServer({ folder: first.directory })
  const asha = await first.signUp()

  async function promptsOf({ request }: TestServer) {
    const page = await (await request('/')).text()
    const { result } = (await (await request(list)).json()) as { result: { data: PostPage } }
    const rest = (await (await request('/api/v1/post')).json()) as { data: { prompt: string }[] }
    const prompts = result.data.posts.map(({ prompt }) => prompt)
    expect(rest.data.map(({ prompt }) => prompt).toReversed()).toEqual(prompts)
    for (const prompt of prompts) expect(page).toContain(`>${prompt}</p>`)
    expect(page).toContain(`Showing ${prompts.length} post`)
    return prompts
  }

  const expectBoth = async (...prompts: string[]) => {
    for (const process of [first, second]) expect(await promptsOf(process)).toEqual(prompts)
  }
  await expectBoth()
  const { id } = await asha.share('A lotus')
  await expectBoth('A lotus')
  const kite = await asha.share('A kite')
  await expectBoth('A kite', 'A lotus')
  await asha.trpc.posts.delete.mutate({ id })
  await expectBoth('A kite')
  await second.services.db.updateTable('posts').set({ hidden_at: 1 }).where('id', '=', kite.id).execute()
  await expectBoth()
})
