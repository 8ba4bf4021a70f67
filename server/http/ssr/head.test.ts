import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { dataUrl } from '../../../test/support/images.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: { SITE_NAME: 'Kalā' } })

/** The value of an attribute of the only tag that matches. */
function attribute(html: string, tag: string, name: string): string | undefined {
  const tags = html.match(new RegExp(`<[^>]*${tag}[^>]*>`, 'g')) ?? []
  expect([tag, tags.length]).toEqual([tag, 1])
  return new RegExp(`${name}="([^"]*)"`).exec(tags[0] ?? '')?.[1]
}

const property = (html: string, name: string) => attribute(html, `(?:property|name)="${name}"`, 'content')

function structuredData(html: string): Record<string, unknown> {
  const json = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  return JSON.parse(json) as Record<string, unknown>
}

let site: string
let asha: TestUser
beforeAll(async () => {
  site = server().url
  asha = await server().signUp()
})

async function share(prompt: string) {
  const { id: imageId } = await asha.generate(prompt)
  return asha.trpc.posts.create.mutate({ name: 'Asha "A" Rao', prompt, imageId })
}

const read = async (path: string) => (await server().request(path)).text()

describe('the page of a post', () => {
  test('names its image, its address and its oEmbed description', async () => {
    const { id, photo, width, height } = await share('A lotus & a <kite>')
    const html = await read(`/posts/${id}`)
    const url = `${site}/posts/${id}`
    expect(attribute(html, 'rel="canonical"', 'href')).toBe(url)
    expect(property(html, 'og:url')).toBe(url)
    expect(property(html, 'og:title')).toBe('A lotus &amp; a &lt;kite&gt; — Kalā')
    expect(property(html, 'og:image')).toBe(site + photo)
    expect(property(html, 'og:image:width')).toBe(String(width))
    expect(property(html, 'og:image:height')).toBe(String(height))
    expect(property(html, 'og:image:alt')).toBe('A lotus &amp; a &lt;kite&gt;')
    expect(property(html, 'twitter:card')).toBe('summary_large_image')
    expect(property(html, 'robots')).toBe('max-image-preview:large')
    expect(attribute(html, 'application/json\\+oembed', 'href')).toBe(
      `${site}/oembed?url=${encodeURIComponent(url)}&amp;format=json`,
    )
  })

  test('has structured data of its image, escaped', async () => {
    const prompt = '</script><script>alert(1)</script>'
    const { id, photo, width, height, createdAt } = await share(prompt)
    const html = await read(`/posts/${id}`)
    expect(html).not.toContain('<script>alert')
    expect(structuredData(html)).toMatchObject({
      '@type': 'ImageObject',
      url: `${site}/posts/${id}`,
      description: prompt,
      contentUrl: site + photo,
      width,
      height,
      datePublished: createdAt,
      creator: { '@type': 'Person', name: 'Asha "A" Rao', url: `${site}/authors/${asha.id}` },
      acquireLicensePage: `${site}/about`,
      creditText: 'Asha "A" Rao',
      digitalSourceType: expect.stringMatching(/digitalsourcetype\/algorithmicMedia$/) as string,
    })
  })

  test('shows a smaller copy of an image that is too large for previews', async () => {
    const large = sharp({ create: { width: 3_000, height: 1_500, channels: 3, background: 'teal' } })
    const photo = dataUrl(await large.jpeg().toBuffer())
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A panorama', photo })
    const html = await read(`/posts/${post.id}`)
    expect(property(html, 'og:image')).toBe(site + post.photo.replace('original.jpg', 'fit-1280.webp'))
    expect(property(html, 'og:image:type')).toBe('image/webp')
    expect([property(html, 'og:image:width'), property(html, 'og:image:height')]).toEqual(['1280', '640'])
  })

  test('shows the image of the site if the post is sensitive', async () => {
    const { id, photo } = await share('A wound')
    await server().services.db.updateTable('posts').set({ sensitive: 1 }).where('id', '=', id).execute()
    const html = await read(`/posts/${id}`)
    expect(property(html, 'og:image')).toBe(`${site}/social-preview.jpg`)
    const head = html.slice(0, html.indexOf('<body>'))
    expect(head).not.toContain(photo.slice(0, photo.lastIndexOf('/')))
    expect(structuredData(html)).toMatchObject({ isFamilyFriendly: false })
  })

  test('is not for search engines if the post is unlisted', async () => {
    const { id } = await share('A secret garden')
    await server()
      .services.db.updateTable('posts')
      .set({ visibility: 'unlisted' })
      .where('id', '=', id)
      .execute()
    const response = await server().request(`/posts/${id}`)
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(property(await response.text(), 'robots')).toBe('noindex')
  })
})

describe('other pages', () => {
  test('the gallery names its address, its image and its feed', async () => {
    const response = await server().request('/?utm_source=mail')
    expect(response.headers.get('x-robots-tag')).toBeNull()
    const html = await response.text()
    expect(attribute(html, 'rel="canonical"', 'href')).toBe(`${site}/`)
    expect(property(html, 'og:type')).toBe('website')
    expect(property(html, 'og:image')).toBe(`${site}/social-preview.jpg`)
    expect(attribute(html, 'application/atom\\+xml', 'href')).toBe('/feed.xml')
  })

  test('search results name their feed, and are not for search engines', async () => {
    const html = await read('/?q=a+%22lotus%22')
    expect(property(html, 'robots')).toBe('noindex')
    expect(html).toContain('href="/feed.xml?q=a+%22lotus%22" title="Results for a &quot;lotus&quot; — Kalā"')
  })

  test('the page of an author names their feed', async () => {
    await share('A kite')
    const html = await read(`/authors/${asha.id}?utm_source=mail`)
    expect(attribute(html, 'rel="canonical"', 'href')).toBe(`${site}/authors/${asha.id}`)
    expect(html).toContain(`href="/feed.xml?author=${asha.id}"`)
  })

  test.each(['/account', '/moderation', '/admin', '/your-images', '/?q=%00'])(
    '%s is not for search engines',
    async (path) => {
      expect((await server().request(path)).headers.get('x-robots-tag')).toBe('noindex')
    },
  )

  test('the address of a section that does not exist responds 404', async () => {
    expect((await server().request('/admin/')).status).toBe(200)
    expect((await server().request('/admin/nothing')).status).toBe(404)
    expect((await server().request('/admin/nothing/at-all')).status).toBe(404)
  })

  test('a page that does not exist has no address of its own', async () => {
    expect(await read('/nothing')).not.toMatch(/rel="canonical"|og:url/)
  })
})

test('without PUBLIC_URL, addresses have the host of the request, and responses are private', async () => {
  const own = await startTestServer()
  for (const host of ['one.example', 'two.example', 'one.example']) {
    const response = await own.request('/', { headers: { 'x-forwarded-host': host } })
    expect(attribute(await response.text(), 'rel="canonical"', 'href')).toBe(`http://${host}/`)
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  }
})
