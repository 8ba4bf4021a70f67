import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiKeyScopes } from '../../../shared/account.ts'
import type { PageData } from '../../../shared/page-data.ts'
import { webhookEvents } from '../../../shared/webhooks.ts'
import { clerkEnv, issuer } from '../../../test/support/clerk.ts'
import {
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

const evil = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> & "quotes" \u2028'

/** The data of the page's script. */
function dataOf(html: string): PageData {
  const json = /<script type="application\/json" id="page-data">([^<]*)<\/script>/.exec(html)?.[1]
  if (json === undefined) throw new Error('The page holds no data.')
  return JSON.parse(json) as PageData
}

/** The rendered application. */
const textOf = (html: string) =>
  html.slice(html.indexOf('<div id="root">'), html.indexOf('<script type="application/json"'))

const auth = {
  kind: 'local',
  signUp: 'open',
  hasPasswords: true,
  provider: null,
  passkeyDomain: 'localhost',
  hasMail: false,
}

const siteData = {
  logo: null,
  welcome: null,
  examples: expect.arrayContaining([expect.stringContaining('peacock')]) as unknown,
  auth,
  contact: null,
  engine: 'rangoli',
  dailyImageLimit: 20,
  unsharedImageDays: null,
  hasRules: false,
  languages: expect.arrayContaining([{ code: 'en', name: 'English', direction: 'ltr' }]) as unknown,
  engines: [],
  kinds: ['rangoli'],
  hasServiceWorker: true,
}

describe('the gallery page', () => {
  const server = shareTestServer({ env: { SITE_NAME: 'Kalā & <Co>' } })
  let asha: TestUser
  let html: string
  let response: Response
  beforeAll(async () => {
    const empty = textOf(await (await server().request('/')).text())
    for (const text of ['No Posts Yet', 'Showing 0 posts', 'Try changing your search or create a new post.'])
      expect(empty).toContain(text)
    await fillGallery(server(), numberedPosts(1))
    expect(textOf(await (await server().request('/')).text())).toMatch(/>Showing 1 post</)
    asha = await server().signUp(`Asha ${evil.slice(0, 20)}`)
    await fillGallery(server(), numberedPosts(29))
    const { id: imageId } = await asha.generate('A lotus')
    await asha.trpc.posts.create.mutate({ name: `Asha ${evil.slice(0, 20)}`, prompt: evil, imageId })
    response = await server().request('/')
    html = await response.text()
  })

  test('is HTML with the newest posts and their number', () => {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i)
    expect(html).toMatch(/^<!doctype html>\s*<html lang="en" dir="ltr">/)
    const text = textOf(html)
    expect(text).toContain('Showing 31 posts')
    expect(text).toContain('Post 7<')
    expect(text).not.toContain('Post 6<')
    expect(text.match(/<li /g)).toHaveLength(24)
  })

  test('escapes markup everywhere', () => {
    for (const markup of ['<script>alert', '<img src=x', '<Co>']) expect(html).not.toContain(markup)
    expect(html.match(/<script/g)).toHaveLength(3)
    expect(html).toContain('<title>Kalā &amp; &lt;Co&gt; — Text-to-Image AI Generator</title>')
    expect(dataOf(html).gallery?.firstPage.posts[0]?.prompt).toBe(evil.replaceAll('\u2028', ' ').trim())
  })

  test('contains the data of its script, and nothing else', () => {
    const { site, gallery } = dataOf(html)
    expect(site).toEqual({ name: 'Kalā & <Co>', ...siteData })
    expect(gallery).toMatchObject({ search: '', firstPage: { total: 31, posts: { length: 24 } } })
    expect(gallery?.firstPage.nextCursor).not.toBeNull()
  })

  test('loads its script after the images, and allows only its own scripts, inline ones by hash', () => {
    expect(html).toContain('<script data-when="used" data-files="/assets/main.js">')
    expect(html).not.toMatch(/modulepreload" href|type="module" src/)
    expect(html).toContain(
      '<link rel="preload" href="/assets/font.woff2" as="font" type="font/woff2" crossorigin />',
    )
    const inline = [...html.matchAll(/<script(?: data-[^>]*)?>([^]*?)<\/script>/g)]
    const hashes = inline.map(([, script = '']) => createHash('sha256').update(script).digest('base64'))
    expect(hashes).toHaveLength(2)
    const policy = response.headers.get('content-security-policy') ?? ''
    // One more for pages with announcements.
    const [first, , last] = /script-src 'self' ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? []
    expect([first, last]).toEqual(hashes.map((hash) => `'sha256-${hash}'`))
  })

  test('is identical for everyone of a language', async () => {
    for (const headers of [{ cookie: asha.cookie }, { authorization: 'Bearer a.b.c' }]) {
      const other = await server().request('/', { headers })
      expect(other.headers.getSetCookie()).toEqual([])
      expect(await other.text()).toBe(html)
    }
    expect(html).not.toContain(asha.cookie)
  })

  test('renders search results', async () => {
    const found = await (await server().request('/?q=%20post%202')).text()
    expect(textOf(found)).toContain('Results for <bdi dir="auto">post 2</bdi>')
    expect(textOf(found)).toContain('Showing 11 posts')
    expect(dataOf(found).gallery).toMatchObject({ search: 'post 2', firstPage: { total: 11 } })
    const nothing = textOf(await (await server().request('/?q=nowhere')).text())
    expect(nothing).toContain('No Search Results Found')
    expect(nothing).toContain('Showing 0 posts')
  })

  test.each([
    [encodeURIComponent('"><script>alert(1)</script>'), '"><script>alert(1)</script>'],
    ['100%25', '100%'],
    ['%', '%'],
    ['%ff', '\ufffd'],
    ['a+b', 'a b'],
    ['x'.repeat(501), undefined],
    ['%F0%9F%AA%94'.repeat(501), undefined],
  ])('renders a page for the search %.20s', async (q, term) => {
    const answer = await server().request(`/?q=${q}`)
    expect(answer.status).toBe(200)
    const page = await answer.text()
    expect(page).not.toContain('<script>alert')
    expect(dataOf(page).gallery?.search).toBe(term)
  })
})

test.each([
  ['emoji', `${'👩🏽‍❤️‍💋‍👩🏿'.repeat(10)} `, 105],
  ['Hindi', `${'क्षि'.repeat(20)} `, 190],
  ['characters that HTML and JSON escape', `${'<'.repeat(20)} `, 190],
  ['one word', '<', 4_000],
])('is small enough for the response cache with the longest texts of %s', async (_, word, words) => {
  const server = await startTestServer()
  const text = { name: '<'.repeat(80), prompt: word.repeat(words).trim() }
  await fillGallery(
    server,
    Array.from({ length: 24 }, () => text),
  )
  const page = await (await server.request('/')).arrayBuffer()
  expect(page.byteLength).toBeGreaterThan(300_000)
  expect(page.byteLength).toBeLessThan(1.25 * 1_024 * 1_024)
})

describe('other pages', () => {
  const token = 'a-token-of-enough-letters'
  const server = shareTestServer({
    env: { API_TOKEN: token, SIGN_UP: 'closed', DAILY_IMAGE_LIMIT: '7', SITE_NAME: 'Rangoli & <friends>' },
  })

  test('that of a post contains the post, identical for everyone', async () => {
    const own = await startTestServer({ env: { SITE_NAME: 'Kalā' } })
    const asha = await own.signUp()
    const { id: imageId } = await asha.generate('A lotus')
    const { id, photo } = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: evil, imageId })
    const response = await own.request(`/posts/${id}`)
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    const html = await response.text()
    expect(html).not.toContain('<script>alert')
    expect(html).toMatch(/<title>&lt;\/script&gt;[^<]* — Kalā<\/title>/)
    expect(textOf(html)).toContain(photo)
    expect(textOf(html).match(/<h1/g)).toHaveLength(1)
    expect(dataOf(html).post?.details).toMatchObject({ id, name: 'Asha' })
    const other = await own.request(`/posts/${id}`, { headers: { cookie: asha.cookie } })
    expect(await other.text()).toBe(html)
  })

  test('the creation page contains the settings and no posts', async () => {
    const html = await (await server().request('/create-post')).text()
    const site = { name: 'Rangoli & <friends>', auth: { ...auth, signUp: 'closed' }, dailyImageLimit: 7 }
    expect(dataOf(html)).toEqual({
      language: 'en',
      site: { ...siteData, ...site },
      view: 'squares',
      gallery: null,
      words: null,
      author: null,
      collections: null,
      collection: null,
      theme: null,
      post: null,
      invitation: null,
      setup: null,
      setupLine: null,
      announcements: [],
      text: null,
    })
    expect(html).not.toContain(token)
    // Without images the script loads at once.
    expect(html).toContain('<script data-when="now" data-files="/assets/main.js">')
  })

  test('that of the REST API shows the address of the site, every scope, event and tool', async () => {
    const html = await (await server().request('/api/v1/docs')).text()
    expect(html).toContain('<title>REST API — Rangoli &amp; &lt;friends&gt;</title>')
    expect(html).toContain(`curl --fail ${server().url}/api/v1/imgGenerate`)
    const headers = { accept: 'application/json, text/event-stream' }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const listed = await (await server().postJson('/mcp', call, undefined, headers)).text()
    const tools = [...listed.matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name)
    expect(tools).toContain('generate_image')
    for (const name of [...apiKeyScopes, ...webhookEvents, ...tools]) expect(html).toContain(name)
    const forged = { 'x-forwarded-host': '"><b>x' }
    const other = await server().request('/api/v1/docs', { headers: forged })
    expect(await other.text()).not.toContain('<b>x')
  })

  test('/api/v1/openapi.json describes the site from any origin', async () => {
    const response = await server().request('/api/v1/openapi.json', {
      headers: { origin: 'https://a.example' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    // Its URLs are made from a Host header.
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    expect(await response.json()).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { title: expect.stringContaining('Rangoli & <friends>') },
      servers: [{ url: `${server().url}/api/v1` }],
    })
    const named = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
    for (const path of ['/api/v1/openapi.json', '/api/v1/docs']) {
      const own = await named.request(path)
      expect(own.headers.get('cache-control')).toMatch(/^public/)
      const text = await own.text()
      expect(text).toContain('https://pictures.example.org/api/v1')
      expect(text).not.toContain('localhost:3000')
    }
  })

  const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test.each([
    ['/nothing', html],
    ['/nothing', '*/*'],
    ['/create-post/x', html],
    ['/admin/nothing', html],
    ['/index.html', html],
    ['/favicon.png', '*/*'],
    ['/%E0%A4%A8', html],
    ['/%ff', html],
    ['/posts/unknown', html],
    ['/posts/a%3Fb', html],
    [`/posts/${'x'.repeat(2_000)}`, html],
  ])('%.20s is a page with status 404 for %.9s', async (address, accept) => {
    const answer = await server().request(address, { headers: { accept } })
    expect(answer.status).toBe(404)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
    })
    const page = await answer.text()
    expect(textOf(page)).toContain('Page not found')
    expect(page).not.toMatch(/rel="canonical"|og:url/)
  })

  test.each([
    ['/.well-known/change-passwords', html],
    ['/.well-known', html],
    ['/uploads/x', html],
    ['/assets/none.js', '*/*'],
    ['/healthz/x', html],
    ['/sitemaps/x/y', html],
    ['/nowhere', 'application/json'],
    ['/missing/image', 'image/avif,image/webp,image/*'],
  ])('%s is a JSON response with status 404 for %.16s', async (path, accept) => {
    const response = await server().request(path, { headers: { accept } })
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect(await response.json()).toMatchObject({ error: 'Not found.' })
  })

  test('pages accept no POST, and /favicon.ico redirects to the icon', async () => {
    expect((await server().request('/', { method: 'POST' })).status).toBe(404)
    const icon = await server().request('/favicon.ico')
    expect([icon.status, icon.headers.get('location')]).toEqual([301, '/favicon.svg'])
  })
})

describe('the content security policy of pages', () => {
  async function policyOf({ request }: TestServer): Promise<Record<string, string[]>> {
    const response = await request('/create-post')
    expect(await response.text()).not.toMatch(/sk_test_rangoli|PUBLIC KEY/)
    const header = response.headers.get('content-security-policy') ?? ''
    const directives = header.split(';').map((directive) => directive.trim().split(/\s+/))
    return Object.fromEntries(directives.map(([name = '', ...sources]) => [name, sources]))
  }

  const inline = expect.stringMatching(/^'sha256-[\w+/]+=*'$/)
  const local = {
    'default-src': ["'none'"],
    'style-src-attr': ["'unsafe-inline'"],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'script-src': ["'self'", inline, inline, inline],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'worker-src': ["'self'"],
  }

  test('allows this site only with local accounts', async () => {
    expect(await policyOf(await startTestServer())).toEqual(local)
  })

  test('also allows what Clerk needs, and no other inline script', async () => {
    const [botProtection, fraudProtection] = [
      'https://challenges.cloudflare.com',
      'https://*.protect.clerk.com',
    ]
    expect(await policyOf(await startTestServer({ env: clerkEnv() }))).toEqual({
      ...local,
      'script-src': ["'self'", inline, inline, inline, issuer, botProtection, fraudProtection],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:', 'blob:', 'https://img.clerk.com'],
      'connect-src': ["'self'", issuer, `${fraudProtection}:*`],
      'frame-src': [botProtection, fraudProtection],
      'worker-src': ["'self'", 'blob:'],
    })
  })
})
