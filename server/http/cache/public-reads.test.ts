import type { AnyProcedure } from '@trpc/server'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { PostPage } from '../../../shared/posts.ts'
import { appRouter } from '../../trpc/router.ts'
import { publicReads } from './public-reads.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

const shared = 'public, max-age=0, s-maxage=10'
const unshared = 'private, no-cache'

const list = '/trpc/posts.list'
const searched = `${list}?input=${encodeURIComponent(JSON.stringify({ search: 'post' }))}`
const publicUrl = { PUBLIC_URL: 'https://pictures.example' }

const reads = [
  '/',
  '/?q=post',
  '/create-post',
  list,
  searched,
  '/api/v1/post',
  '/api/v1/post?search=post',
  '/feed.xml?q=post',
]

const isPage = (address: string) => /^\/(?:$|\?|create-post)/.test(address)

describe('public responses', () => {
  const server = shareTestServer({ env: publicUrl })

  test.each(reads)('%s is cacheable by proxies for 10 seconds, and not by browsers', async (address) => {
    await fillGallery(server(), numberedPosts(3))
    for (let time = 0; time < 2; time += 1) {
      const response = await server().request(address)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe(shared)
      const vary = response.headers.get('vary')
      expect(vary).toBe(`Accept-Encoding, trpc-accept${isPage(address) ? ', Accept-Language, Cookie' : ''}`)
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  test.each(reads)('%s responds 304 to its ETag until it changes', async (address) => {
    const first = await server().request(address)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[^"]+"$/)
    for (const names of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await server().request(address, { headers: { 'if-none-match': names } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('cache-control')).toBe(shared)
    }
    const other = await server().request(address, { headers: { 'if-none-match': '"other", W/"another"' } })
    expect([other.status, await other.text()]).toEqual([200, await first.text()])
    if (address === '/create-post') return

    await fillGallery(server(), [{ name: 'Asha', prompt: `Post after ${address}` }])
    const changed = await server().request(address, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(await changed.text()).toContain('Post after')
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  test.each(reads)('%s has the same headers whether rendered or cached', async (address) => {
    await fillGallery(server(), numberedPosts(1))
    const made = await server().request(address)
    const kept = await server().request(address)
    const named = (response: Response) =>
      Object.fromEntries([...response.headers].filter(([name]) => name !== 'date'))
    expect(named(kept)).toEqual(named(made))
    expect(kept.headers.get('x-content-type-options')).toBe('nosniff')
    expect(kept.headers.get('access-control-allow-origin')).toBe(
      /^\/(?:trpc|api|feed)/.test(address) ? '*' : null,
    )
    expect(kept.headers.get('content-security-policy') !== null).toBe(!/^\/(?:trpc|api|feed)/.test(address))
    const head = await server().request(address, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([
      200,
      '',
      made.headers.get('etag'),
    ])
  })

  test('a stream and a plain response of the same URL do not mix', async () => {
    await fillGallery(server(), numberedPosts(2, 'Streamed'))
    const headers = { 'trpc-accept': 'application/jsonl' }
    const batch = `${list}?batch=1&input=${encodeURIComponent('{"0":{}}')}`
    const whole = await (await server().request(batch)).json()
    const streamed = await server().request(batch, { headers })
    expect(streamed.headers.get('cache-control')).toBe(unshared)
    const lines = (await streamed.text()).trim().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    const again = await server().request(batch)
    expect(again.headers.get('x-accel-buffering')).toBeNull()
    expect(await again.json()).toEqual(whole)
  })

  test('Strict-Transport-Security depends on the request, cached or not', async () => {
    const own = await startTestServer()
    await own.request('/')
    for (const [scheme, header] of [
      ['https', 'max-age=31536000'],
      ['http', null],
      ['https', 'max-age=31536000'],
    ] as const) {
      const response = await own.request('/', { headers: { 'x-forwarded-proto': scheme } })
      expect(response.headers.get('strict-transport-security')).toBe(header)
    }
  })
})

describe('private responses', () => {
  const server = shareTestServer({ env: publicUrl })

  test.each([
    [list, { cookie: 'a=b' }],
    ['/api/v1/post', { cookie: 'a=b' }],
    [list, { authorization: 'Bearer a.b.c' }],
    ['/api/v1/post', { authorization: 'Basic YTpi' }],
    ['/', { authorization: 'Basic YTpi' }],
    ['/create-post', { authorization: 'Bearer a.b.c' }],
  ])('a response of %s to %j is private', async (address, headers) => {
    const response = await server().request(address, { headers: headers as Record<string, string> })
    expect(response.headers.get('cache-control')).toBe(unshared)
    const etag = response.headers.get('etag') ?? ''
    const again = await server().request(address, {
      headers: { ...(headers as Record<string, string>), 'if-none-match': etag },
    })
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
    const asha = await own.signUp('Asha Rao')
    const { id } = await asha.generate('A lotus')
    const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>)
    const queries = procedures.filter(([, { _def }]) => _def.type === 'query').map(([name]) => name)
    expect(queries).toContain('viewer')
    const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`
    const addresses = [
      ...queries.map((name) => `/trpc/${name}?${input({ id })}`),
      `/trpc/viewer,posts.list?batch=1&${input({ 1: {} })}`,
      `/trpc/posts.list,viewer?batch=1&${input({ 0: {} })}`,
      '/api/v1/post',
      '/api/auth/get-session',
      '/api/auth/list-sessions',
    ]
    for (const address of addresses) {
      const response = await own.request(address, { headers: own.headersOf(asha) })
      const caching = response.headers.get('cache-control') ?? ''
      expect([address, /public|s-maxage/.test(caching)]).toEqual([address, false])
    }
    for (const address of ['/', '/create-post', '/account', '/moderation']) {
      const page = await own.request(address, { headers: own.headersOf(asha) })
      expect(await page.text()).not.toContain('Asha')
      expect(page.headers.getSetCookie()).toEqual([])
    }
  })

  test.each([
    `${list}?input=${encodeURIComponent('{"limit":0}')}`,
    `${list}?input=no-json`,
    '/api/v1/post?limit=0',
    '/api/v1/post?before=nonsense',
    '/nothing',
    '/trpc/nothing',
    '/uploads/none/original.jpg',
  ])('the error of %s is not cacheable', async (address) => {
    const response = await server().request(address)
    expect(response.ok).toBe(false)
    expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache/)
    expect(response.headers.get('etag')).toBeNull()
  })
})

describe('the cache key', () => {
  const server = shareTestServer({ env: publicUrl })

  /** An app with one public route whose responses contain the number of renderings and the parameters. */
  function countingApp() {
    let made = 0
    const kept = publicReads(server().services)({ path: '/list', parameters: ['q', 'page'] })
    return new Hono().get('/list', kept, (c) => {
      made += 1
      return c.json({ made, queries: c.req.queries(), search: new URL(c.req.url).search })
    })
  }

  test('contains only the declared parameters, in canonical form', async () => {
    const app = countingApp()
    const spellings = [
      '/list?q=a%20lotus&page=2',
      '/list?page=2&q=a+lotus',
      '/list?q=%61+lotus&page=2&utm_source=mail',
      '/list?utm_source=1&q=a+lotus&q=second&page=2&page=3',
      '/%6cist?q=a+lotus&page=2&_=1',
    ]
    for (const address of spellings) {
      expect(await (await app.request(address)).json()).toEqual({
        made: 1,
        queries: { q: ['a lotus'], page: ['2'] },
        search: '?q=a+lotus&page=2',
      })
    }
    for (const [index, address] of ['/list?q=a+lotus', '/list?q=', '/list'].entries()) {
      expect(await (await app.request(address)).json()).toMatchObject({ made: index + 2 })
    }
  })

  test('hides all other parameters from the handler', async () => {
    const app = countingApp()
    const response = await app.request('/list?evil=1&q=%ff&evil=2')
    expect(await response.json()).toMatchObject({ queries: { q: ['\ufffd'] }, search: '?q=%EF%BF%BD' })
    const bare = await app.request('/list?evil=1')
    expect(await bare.json()).toMatchObject({ queries: {}, search: '' })
  })

  test.each([
    ['/', '/?utm_source=mail'],
    ['/create-post', '/create-post?next=%2F'],
    ['/?q=post', '/?fbclid=1&q=post&q=other'],
    [list, `${list}?_=1`],
    ['/api/v1/post?limit=1', '/api/v1/post?utm_source=mail&limit=1&limit=2'],
  ])('is the same for %s and %s', async (address, other) => {
    await fillGallery(server(), numberedPosts(3))
    const [one, two] = [await server().request(address), await server().request(other)]
    expect(two.headers.get('cache-control')).toBe(shared)
    expect(two.headers.get('link')).toBe(one.headers.get('link'))
    expect(await two.text()).toBe(await one.text())
  })
})

describe('a change is visible to the next request', () => {
  const firstPrompts = async (server: TestServer) => {
    const page = await (await server.request('/')).text()
    const { result } = (await (await server.request(list)).json()) as { result: { data: PostPage } }
    const rest = (await (await server.request('/api/v1/post')).json()) as { data: { prompt: string }[] }
    const prompts = result.data.posts.map(({ prompt }) => prompt)
    expect(rest.data.map(({ prompt }) => prompt).toReversed()).toEqual(prompts)
    for (const prompt of prompts) expect(page).toContain(`>${prompt}</p>`)
    expect(page).toContain(`Showing ${prompts.length} post`)
    return prompts
  }

  test('after sharing, deleting and hiding a post, in this and in another process', async () => {
    const server = await startTestServer()
    const other = await startTestServer({ folder: server.directory })
    const asha = await server.signUp()
    expect(await firstPrompts(server)).toEqual([])
    expect(await firstPrompts(other)).toEqual([])

    const share = async (prompt: string) => {
      const { id: imageId } = await asha.generate(prompt)
      return asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })
    }
    const { id } = await share('A lotus')
    expect(await firstPrompts(server)).toEqual(['A lotus'])
    expect(await firstPrompts(other)).toEqual(['A lotus'])
    const kite = await share('A kite')
    expect(await firstPrompts(other)).toEqual(['A kite', 'A lotus'])
    await asha.trpc.posts.delete.mutate({ id })
    expect(await firstPrompts(server)).toEqual(['A kite'])
    expect(await firstPrompts(other)).toEqual(['A kite'])
    await other.services.db.updateTable('posts').set({ hidden_at: 1 }).where('id', '=', kite.id).execute()
    expect(await firstPrompts(server)).toEqual([])
    expect(await firstPrompts(other)).toEqual([])
  })

  test('concurrent requests share one rendering', async () => {
    const server = await startTestServer()
    await fillGallery(server, numberedPosts(30))
    const responses = await Promise.all(Array.from({ length: 40 }, () => server.request('/')))
    const pages = new Set(await Promise.all(responses.map((response) => response.text())))
    expect(pages.size).toBe(1)
    const rejected = await Promise.all(
      Array.from({ length: 20 }, () => server.request('/api/v1/post?before=nonsense')),
    )
    expect(rejected.map(({ status }) => status)).toEqual(rejected.map(() => 400))
  })
})
