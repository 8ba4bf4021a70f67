import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Post } from '../../../shared/posts.ts'
import { dialectOf } from '../../db/dialect-of.ts'
import { dataUrl } from '../../../test/support/images.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: { SITE_NAME: 'Kalā' } })

let site: string
let asha: TestUser
beforeAll(async () => {
  site = server().url
  asha = await server().signUp()
})

const share = (prompt: string, name = 'Asha', who = asha) => who.share(prompt, { name })

async function change({ id }: Pick<Post, 'id'>, columns: Record<string, string | number>) {
  await server().services.db.updateTable('posts').set(columns).where('id', '=', id).execute()
}

const read = async (path: string, { request } = server()) => (await request(path)).text()
const folderOf = ({ photo }: Post) => photo.slice(0, photo.lastIndexOf('/'))

describe('/feed.xml', () => {
  const entriesOf = (feed: string) => feed.match(/<entry>[^]*?<\/entry>/g) ?? []
  const firstEntry = async () => entriesOf(await read('/feed.xml'))[0]

  test('is a valid feed without posts', async () => {
    const response = await server().request('/feed.xml?q=nothing-has-these-words')
    expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const feed = await response.text()
    expect(feed).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<feed /)
    expect(feed).toMatch(/<updated>\d{4}-\d\d-\d\dT[\d:.]+Z<\/updated>/)
    expect(entriesOf(feed)).toEqual([])
  })

  test('has the newest posts with their images', async () => {
    await fillGallery(server(), numberedPosts(30))
    const { id, photo, createdAt } = await share('A lotus')
    const feed = await read('/feed.xml')
    expect(entriesOf(feed)).toHaveLength(24)
    expect(feed).toContain(`<id>${site}/feed.xml</id>`)
    expect(feed).toContain(`<updated>${createdAt}</updated>`)
    for (const part of [
      `<id>urn:uuid:${id}</id>`,
      `<link rel="alternate" type="text/html" href="${site}/posts/${id}" />`,
      `href="${site}${photo}"`,
      '<p>A lotus</p>',
    ])
      expect(entriesOf(feed)[0]).toContain(part)
  })

  test('escapes texts, and drops characters that XML does not allow', async () => {
    await share('<b>bold</b> ]]> &amp; \uffff\u{1f33a}', '"><x/>')
    const entry = await firstEntry()
    expect(entry).toContain('<title>&lt;b&gt;bold&lt;/b&gt; ]]&gt; &amp;amp; \u{1f33a}</title>')
    expect(entry).toContain('<name>&quot;&gt;&lt;x/&gt;</name>')
    expect(entry).not.toContain('<b>')
  })

  test('has the results of a search, the posts of an author, or both', async () => {
    const ravi = await server().signUp()
    const { id } = await share('A saffron drum', 'Ravi', ravi)
    for (const [query, title, page] of [
      ['q=SAFFRON', 'Results for SAFFRON — Kalā', '/?q=SAFFRON'],
      [`author=${ravi.id}`, 'Ravi — Kalā', `/authors/${ravi.id}`],
    ] as const) {
      const feed = await read(`/feed.xml?${query}`)
      expect(entriesOf(feed)).toEqual([expect.stringContaining(`urn:uuid:${id}`)])
      expect(feed).toContain(`<title>${title}</title>`)
      expect(feed).toContain(`<id>${site}/feed.xml?${query}</id>`)
      expect(feed).toContain(`href="${site}${page}"`)
    }
    expect(entriesOf(await read(`/feed.xml?author=${ravi.id}&q=lotus`))).toEqual([])
    for (const [query, status] of [
      [`q=${'x'.repeat(501)}`, 400],
      ['author=unknown', 404],
      ['author=a%3Fb', 400],
    ] as const)
      expect((await server().request(`/feed.xml?${query}`)).status).toBe(status)
  })

  test('leaves out sensitive images and hidden prompts', async () => {
    const post = await share('A hidden recipe of words')
    expect(await read('/feed.xml')).toContain(post.id)
    await change(post, { sensitive: 1, hide_prompt: 1 })
    const entry = await firstEntry()
    expect(entry).toContain('<category term="sensitive" label="Sensitive" />')
    expect(entry).toContain('<title>Image by Asha</title>')
    expect(entry).not.toContain(folderOf(post))
    expect(entry).not.toContain('hidden recipe')
  })
})

describe('/oembed', () => {
  let post: Post
  beforeAll(async () => {
    const large = sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: 'teal' } })
    const photo = dataUrl(await large.jpeg().toBuffer())
    post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A river', photo })
  })

  function ask(parameters: Record<string, string>, headers: Record<string, string> = {}) {
    const query = new URLSearchParams({ url: `${site}/posts/${post.id}`, ...parameters })
    return server().request(`/oembed?${query}`, { headers })
  }

  test('describes the image of a post, the same for everyone', async () => {
    const response = await ask({})
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const description = await response.json()
    expect(description).toMatchObject({
      version: '1.0',
      type: 'photo',
      title: 'A river',
      author_name: 'Asha',
      author_url: `${site}/authors/${asha.id}`,
      provider_name: 'Kalā',
      provider_url: site,
      url: site + post.photo,
      width: 2_000,
      height: 1_000,
    })
    expect(await (await ask({}, { cookie: asha.cookie })).json()).toEqual(description)
  })

  test.each([
    [{ maxwidth: '1999' }, 'fit-1280.webp', 1_280, 640],
    [{ maxheight: '500' }, 'fit-640.webp', 640, 320],
    [{ maxwidth: '300', maxheight: '200' }, 'fit-640.webp', 300, 150],
  ])('fits the image into %j', async (bounds, file, width, height) => {
    const description = (await (await ask({ format: 'json', ...bounds })).json()) as { url: string }
    const url = site + post.photo.replace('original.jpg', file)
    expect(description).toMatchObject({ type: 'photo', url, width, height })
    expect((await server().request(new URL(url).pathname)).status).toBe(200)
  })

  test.each([
    [{ format: 'xml' }, 501],
    [{ maxwidth: '-1' }, 400],
    [{ maxheight: 'wide' }, 400],
    [{ url: '' }, 404],
    [{ url: 'https://other.example/posts/ID' }, 404],
    [{ url: 'SITE/posts/unknown' }, 404],
    [{ url: 'SITE/posts/a%3Fb' }, 404],
    [{ url: 'SITE/create-post' }, 404],
  ])('responds to %j with %i', async (parameters, status) => {
    const filled = Object.entries(parameters).map(([name, value]) => [
      name,
      value.replace('ID', post.id).replace('SITE', site),
    ])
    const response = await ask(Object.fromEntries(filled), { accept: '*/*' })
    expect([response.status, await response.text()]).toEqual([status, expect.not.stringContaining('<')])
  })

  test('describes a sensitive post as a link, without its image', async () => {
    const wound = await share('A wound')
    await change(wound, { sensitive: 1 })
    const text = await (await ask({ url: `${site}/posts/${wound.id}` })).text()
    expect(JSON.parse(text)).toMatchObject({ type: 'link', title: 'A wound' })
    expect(text).not.toContain(folderOf(wound))
  })
})

describe('the sitemap', () => {
  const origin = 'https://gallery.example'
  const named = shareTestServer({ env: { PUBLIC_URL: origin } })
  const pathsIn = async (path: string) =>
    [...(await read(path, named())).matchAll(/<loc>([^<]*)<\/loc>/g)].map(
      ([, url]) => url?.replace(origin, '') ?? '',
    )

  test('has each listed post in one of its parts, which follow gaps', async () => {
    const index = await named().request('/sitemap.xml')
    expect(index.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(index.headers.get('cache-control')).toMatch(/^public/)
    expect(await pathsIn('/sitemap.xml')).toEqual(['/sitemaps/pages.xml'])
    expect(await pathsIn('/sitemaps/pages.xml')).toContain('/')
    const { db } = named().services
    const early = await fillGallery(named(), numberedPosts(10))
    await (
      dialectOf(db) === 'sqlite'
        ? sql`UPDATE sqlite_sequence SET seq = 1000000 WHERE name = 'posts'`
        : sql`UPDATE gallery SET newest = 1000000`
    ).execute(db)
    const late = await fillGallery(named(), numberedPosts(2_100))
    const [hidden = '', unlisted = '', ...listed] = [...early, ...late]
    await db.updateTable('posts').set({ hidden_at: 1 }).where('id', '=', hidden).execute()
    await db.updateTable('posts').set({ visibility: 'unlisted' }).where('id', '=', unlisted).execute()

    const parts = ['/sitemaps/0.xml', '/sitemaps/500.xml', '/sitemaps/501.xml']
    expect(await pathsIn('/sitemap.xml')).toEqual(['/sitemaps/pages.xml', ...parts])
    const paths = (await Promise.all(parts.map(pathsIn))).flat()
    expect(paths.toSorted()).toEqual(listed.map((id) => `/posts/${id}`).toSorted())
    expect(await read('/sitemaps/0.xml', named())).toMatch(/<lastmod>\d{4}-\d\d-\d\d<\/lastmod>/)
    for (const part of ['7.xml', '2000000.xml', '9999999999.xml', '00.xml', 'x.xml', '0', '-1.xml'])
      expect((await named().request(`/sitemaps/${part}`)).status).toBe(404)
  })

  test('is named by robots.txt, which closes calls and the pages of users', async () => {
    const response = await named().request('/robots.txt')
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    const robots = await response.text()
    expect(robots).toMatch(/^User-agent: \*$/m)
    for (const path of ['/api/', '/trpc/', '/create-post', '/account', '/moderation', '/admin'])
      expect(robots).toMatch(new RegExp(`^Disallow: ${path}$`, 'm'))
    expect(robots).not.toMatch(/^Disallow: \/(?:uploads|posts)?$/m)
    expect(robots).toContain(`Sitemap: ${origin}/sitemap.xml`)
    const own = await startTestServer()
    const other = await own.request('/robots.txt', { headers: { 'x-forwarded-host': 'one.example' } })
    expect(await other.text()).toContain('Sitemap: http://one.example/sitemap.xml')
    expect(other.headers.get('cache-control')).toBe('private, no-cache')
  })
})
