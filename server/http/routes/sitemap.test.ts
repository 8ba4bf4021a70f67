import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dialectOf } from '../../db/dialect-of.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

const site = 'https://gallery.example'
const server = shareTestServer({ env: { PUBLIC_URL: site } })

const read = async (path: string) => (await server().request(path)).text()
const locationsIn = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location = '']) => location)
const pathsIn = async (path: string) => locationsIn(await read(path)).map((url) => url.replace(site, ''))

/** The paths of all parts. */
const urlsOf = async (parts: readonly string[]) => (await Promise.all(parts.map(pathsIn))).flat()

describe('the sitemap', () => {
  test('names the pages of a site without posts', async () => {
    const response = await server().request('/sitemap.xml')
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(response.headers.get('cache-control')).toMatch(/^public/)
    expect(locationsIn(await response.text())).toEqual([`${site}/sitemaps/pages.xml`])
    expect(await pathsIn('/sitemaps/pages.xml')).toContain('/')
  })

  test('has each listed post in one of its parts, which follow gaps', async () => {
    const { db } = server().services
    const early = await fillGallery(server(), numberedPosts(10))
    await (
      dialectOf(db) === 'sqlite'
        ? sql`UPDATE sqlite_sequence SET seq = 1000000 WHERE name = 'posts'`
        : sql`UPDATE gallery SET newest = 1000000`
    ).execute(db)
    const late = await fillGallery(server(), numberedPosts(2_100))
    const [hidden = '', unlisted = '', ...listed] = [...early, ...late]
    await db.updateTable('posts').set({ hidden_at: 1 }).where('id', '=', hidden).execute()
    await db.updateTable('posts').set({ visibility: 'unlisted' }).where('id', '=', unlisted).execute()

    const parts = (await pathsIn('/sitemap.xml')).filter((path) => !path.endsWith('/pages.xml'))
    expect(parts).toEqual(['/sitemaps/0.xml', '/sitemaps/500.xml', '/sitemaps/501.xml'])
    expect((await urlsOf(parts)).toSorted()).toEqual(listed.map((id) => `/posts/${id}`).toSorted())
    expect(await read('/sitemaps/0.xml')).toMatch(/<lastmod>\d{4}-\d\d-\d\d<\/lastmod>/)
  })

  test.each(['7.xml', '2000000.xml', '9999999999.xml', '00.xml', 'x.xml', '0', '-1.xml'])(
    'responds 404 to the part %s',
    async (part) => {
      expect((await server().request(`/sitemaps/${part}`)).status).toBe(404)
    },
  )
})

describe('/robots.txt', () => {
  test('names the sitemap, and closes calls and the pages of users', async () => {
    const response = await server().request('/robots.txt')
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    const robots = await response.text()
    expect(robots).toMatch(/^User-agent: \*$/m)
    for (const path of ['/api/', '/trpc/', '/create-post', '/account', '/moderation', '/admin'])
      expect(robots).toMatch(new RegExp(`^Disallow: ${path}$`, 'm'))
    expect(robots).not.toMatch(/^Disallow: \/(?:uploads|posts)?$/m)
    expect(robots).toContain(`Sitemap: ${site}/sitemap.xml`)
  })

  test('takes the address from the request without PUBLIC_URL', async () => {
    const own = await startTestServer()
    const response = await own.request('/robots.txt', { headers: { 'x-forwarded-host': 'one.example' } })
    expect(await response.text()).toContain('Sitemap: http://one.example/sitemap.xml')
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })
})
