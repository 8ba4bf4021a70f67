import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PageData } from '../../../shared/page-data.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'
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

describe('the gallery page', () => {
  const server = shareTestServer({ env: { SITE_NAME: 'Kalā & <Co>' } })
  let asha: TestUser
  let html: string
  let response: Response
  beforeAll(async () => {
    asha = await server().signUp(`Asha ${evil.slice(0, 20)}`)
    await fillGallery(server(), numberedPosts(30))
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
    expect(text).toContain('Post 30')
    expect(text).toContain('Post 8')
    expect(text).not.toContain('Post 7<')
    expect(text.match(/<li /g)).toHaveLength(24)
  })

  test('escapes markup everywhere', () => {
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('<img src=x')
    expect(html).not.toContain('<Co>')
    expect(html.match(/<script/g)).toHaveLength(3)
    expect(html).toContain('<title>Kalā &amp; &lt;Co&gt; — Text-to-Image AI Generator</title>')
    expect(dataOf(html).gallery?.firstPage.posts[0]?.prompt).toBe(evil.replaceAll('\u2028', ' ').trim())
  })

  test('contains the data of its script, and nothing else', () => {
    const { site, gallery } = dataOf(html)
    expect(site).toEqual({
      name: 'Kalā & <Co>',
      auth: {
        kind: 'local',
        signUp: 'open',
        hasPasswords: true,
        provider: null,
        passkeyDomain: 'localhost',
        hasMail: false,
      },
      contact: null,
      engine: 'rangoli',
      dailyImageLimit: 20,
      unsharedImageDays: null,
      hasRules: false,
      languages: expect.arrayContaining([{ code: 'en', name: 'English', direction: 'ltr' }]) as unknown,
      hasServiceWorker: true,
    })
    expect(gallery).toMatchObject({ search: '', firstPage: { total: 31, posts: { length: 24 } } })
    expect(gallery?.firstPage.nextCursor).not.toBeNull()
  })

  test('allows only its own scripts, the two inline ones by hash', () => {
    const inline = [...html.matchAll(/<script(?: data-[^>]*)?>([^]*?)<\/script>/g)].map(
      ([, script]) => script ?? '',
    )
    expect(inline).toHaveLength(2)
    const policy = response.headers.get('content-security-policy') ?? ''
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ')
    const hashes = inline.map((script) => createHash('sha256').update(script).digest('base64'))
    // One more for pages with announcements.
    expect(scripts).toEqual([
      "'self'",
      `'sha256-${hashes[0]}'`,
      expect.stringMatching(/^'sha256-/),
      `'sha256-${hashes[1]}'`,
    ])
    for (const rule of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).not.toBeNull()
  })

  test('loads its script after the images', () => {
    expect(html).toContain('<script data-src="/assets/main.js" data-imports="">')
    expect(html).not.toMatch(/modulepreload" href|type="module" src/)
  })

  test('is identical for everyone of a language', async () => {
    for (const headers of [{ cookie: asha.cookie }, { authorization: 'Bearer a.b.c' }]) {
      const other = await server().request('/', { headers })
      expect(other.headers.getSetCookie()).toEqual([])
      expect(await other.text()).toBe(html)
    }
    expect(html).not.toContain(asha.cookie)
  })

  test('responds to HEAD without a body', async () => {
    const head = await server().request('/', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-type')).toContain('text/html')
    expect(await head.text()).toBe('')
  })

  test('renders search results', async () => {
    const found = await (await server().request('/?q=%20post%203')).text()
    expect(textOf(found)).toContain('Results for <bdi dir="auto">post 3</bdi>')
    expect(textOf(found)).toContain('Showing 2 posts')
    expect(dataOf(found).gallery).toMatchObject({ search: 'post 3', firstPage: { total: 2 } })
    const nothing = await (await server().request('/?q=nowhere')).text()
    expect(textOf(nothing)).toContain('No Search Results Found')
    expect(textOf(nothing)).toContain('Showing 0 posts')
  })

  test.each([
    ['markup', encodeURIComponent('"><script>alert(1)</script>'), '"><script>alert(1)</script>'],
    ['a percent sign', '100%25', '100%'],
    ['a lone percent sign', '%', '%'],
    ['invalid UTF-8', '%ff', '\ufffd'],
    ['a plus', 'a+b', 'a b'],
    ['an emoji', encodeURIComponent('🪔'), '🪔'],
  ])('escapes a search for %s', async (_, q, term) => {
    const answer = await server().request(`/?q=${q}`)
    expect(answer.status).toBe(200)
    const page = await answer.text()
    expect(page).not.toContain('<script>alert')
    expect(dataOf(page).gallery?.search).toBe(term)
  })

  test.each(['x'.repeat(501), '🪔'.repeat(501)])(
    'renders a page for a search term that is too long (%#)',
    async (term) => {
      const answer = await server().request(`/?q=${encodeURIComponent(term)}`)
      expect(answer.status).toBe(200)
      expect(dataOf(await answer.text()).gallery).toBeNull()
    },
  )
})

test.each([
  ['emoji', `${'👩🏽‍❤️‍💋‍👩🏿'.repeat(10)} `, 105],
  ['Hindi', `${'क्षि'.repeat(20)} `, 190],
  ['characters that HTML and JSON escape', `${'<'.repeat(20)} `, 190],
  ['characters that HTML escapes', `${"'".repeat(20)} `, 190],
  ['one word', '<', 4_000],
])('is small enough for the response cache with the longest texts of %s', async (_, word, words) => {
  const server = await startTestServer()
  const name = '<'.repeat(80)
  const prompt = word.repeat(words).trim()
  await fillGallery(
    server,
    Array.from({ length: 24 }, () => ({ name, prompt })),
  )
  const page = await (await server.request('/')).arrayBuffer()
  expect(page.byteLength).toBeGreaterThan(300_000)
  expect(page.byteLength).toBeLessThan(1.25 * 1_024 * 1_024)
})

test('shows an empty gallery', async () => {
  const server = await startTestServer()
  const html = await (await server.request('/')).text()
  expect(textOf(html)).toContain('No Posts Yet')
  expect(textOf(html)).toContain('Showing 0 posts')
  expect(textOf(html)).toContain('Try changing your search or create a new post.')
})

test('uses the singular for one post', async () => {
  const server = await startTestServer()
  await fillGallery(server, numberedPosts(1))
  expect(textOf(await (await server.request('/')).text())).toMatch(/>Showing 1 post</)
})

describe('the page of a post', () => {
  const server = shareTestServer({ env: { SITE_NAME: 'Kalā' } })

  test('contains the post, identical for everyone', async () => {
    const asha = await server().signUp()
    const { id: imageId } = await asha.generate('A lotus')
    const { id, photo } = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: evil, imageId })
    const response = await server().request(`/posts/${id}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    const html = await response.text()
    expect(html).not.toContain('<script>alert')
    expect(html).toMatch(/<title>&lt;\/script&gt;[^<]* — Kalā<\/title>/)
    expect(textOf(html)).toContain(photo)
    expect(textOf(html).match(/<h1/g)).toHaveLength(1)
    expect(dataOf(html).post?.details).toMatchObject({ id, name: 'Asha' })
    const other = await server().request(`/posts/${id}`, { headers: { cookie: asha.cookie } })
    expect(await other.text()).toBe(html)
  })

  test.each(['unknown', 'a%3Fb', '%ff', 'x'.repeat(2_000)])('responds 404 to the id %s', async (id) => {
    const response = await server().request(`/posts/${id}`)
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(textOf(await response.text())).toContain('Page not found')
  })
})

describe('other pages', () => {
  const server = shareTestServer({
    env: { API_TOKEN: 'a-token-of-enough-letters', SIGN_UP: 'closed', DAILY_IMAGE_LIMIT: '7' },
  })

  test('the creation page contains the settings and no posts', async () => {
    const answer = await server().request('/create-post')
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(dataOf(html)).toEqual({
      language: 'en',
      site: {
        name: 'Rangoli',
        auth: {
          kind: 'local',
          signUp: 'closed',
          hasPasswords: true,
          provider: null,
          passkeyDomain: 'localhost',
          hasMail: false,
        },
        contact: null,
        engine: 'rangoli',
        dailyImageLimit: 7,
        unsharedImageDays: null,
        hasRules: false,
        languages: expect.any(Array) as unknown,
        hasServiceWorker: true,
      },
      gallery: null,
      author: null,
      post: null,
      invitation: null,
      announcements: [],
      text: null,
    })
    expect(html).not.toContain('a-token-of-enough-letters')
    // Without images the script loads at once.
    expect(html).toContain('<script type="module" src="/assets/main.js"></script>')
  })

  test.each([
    '/nothing',
    '/create-post/x',
    '/index.html',
    '/favicon.png',
    '/wp-login.php',
    '/%E0%A4%A8',
    '/%ff',
  ])('%s responds 404 with a page', async (address) => {
    const answer = await server().request(address)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(textOf(await answer.text())).toMatch(/not found|nothing/i)
  })

  test('/trpc/nothing responds 404 in the shape of tRPC', async () => {
    const answer = await server().request('/trpc/nothing')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      error: { data: { code: 'NOT_FOUND', httpStatus: 404, reason: 'not_found' } },
    })
  })

  test('pages accept no POST', async () => {
    expect((await server().request('/', { method: 'POST' })).status).toBe(404)
  })
})

test('redirects /favicon.ico to the icon', async () => {
  const server = await startTestServer()
  const answer = await server.request('/favicon.ico', { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '/favicon.svg'])
})

describe('an unknown address', () => {
  const server = shareTestServer()
  const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test.each([
    ['/.well-known/change-passwords', html],
    ['/.well-known/openid-configuration', '*/*'],
    ['/.well-known', html],
    ['/uploads', html],
    ['/uploads/x', html],
    ['/assets/none.js', '*/*'],
    ['/healthz/x', html],
    ['/sitemaps/x/y', html],
    ['/nowhere', 'application/json'],
    ['/missing/image', 'image/avif,image/webp,image/*'],
  ])('is JSON: %s for %s', async (path, accept) => {
    const response = await server().request(path, { headers: { accept } })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({ error: 'Not found.' })
  })

  test.each([html, '*/*', undefined])('is a page for %s', async (accept) => {
    const response = await server().request('/nowhere', accept === undefined ? {} : { headers: { accept } })
    expect(response.status).toBe(404)
    expect(textOf(await response.text())).toContain('Page not found')
  })
})
