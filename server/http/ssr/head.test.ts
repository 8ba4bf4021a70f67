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

/** Expects the values of tags: of properties by name, and of links by their relation or type. */
function expectTags(html: string, tags: Record<string, string>): void {
  const found = Object.keys(tags).map((name) => [
    name,
    /^(?:rel|type)=/.test(name) ? attribute(html, name.replace('+', '\\+'), 'href') : property(html, name),
  ])
  expect(Object.fromEntries(found)).toEqual(tags)
}

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

const share = (prompt: string) => asha.share(prompt, { name: 'Asha "A" Rao' })

async function change(id: string, columns: { sensitive?: number; visibility?: 'unlisted' }) {
  await server().services.db.updateTable('posts').set(columns).where('id', '=', id).execute()
}

const read = async (path: string) => (await server().request(path)).text()

describe('the page of a post', () => {
  test('names its image, its address and its oEmbed description', async () => {
    const { id, photo, width, height } = await share('A lotus & a <kite>')
    const url = `${site}/posts/${id}`
    expectTags(await read(`/posts/${id}`), {
      'rel="canonical"': url,
      'og:url': url,
      'og:title': 'A lotus &amp; a &lt;kite&gt; — Kalā',
      'og:image': site + photo,
      'og:image:width': String(width),
      'og:image:height': String(height),
      'og:image:alt': 'A lotus &amp; a &lt;kite&gt;',
      'twitter:card': 'summary_large_image',
      robots: 'max-image-preview:large',
      'type="application/json+oembed"': `${site}/oembed?url=${encodeURIComponent(url)}&amp;format=json`,
    })
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
    expectTags(await read(`/posts/${post.id}`), {
      'og:image': site + post.photo.replace('original.jpg', 'fit-1280.webp'),
      'og:image:type': 'image/webp',
      'og:image:width': '1280',
      'og:image:height': '640',
    })
  })

  test('shows the image of the site if the post is sensitive', async () => {
    const { id, photo } = await share('A wound')
    await change(id, { sensitive: 1 })
    const html = await read(`/posts/${id}`)
    expectTags(html, { 'og:image': `${site}/social-preview.jpg` })
    const head = html.slice(0, html.indexOf('<body>'))
    expect(head).not.toContain(photo.slice(0, photo.lastIndexOf('/')))
    expect(structuredData(html)).toMatchObject({ isFamilyFriendly: false })
  })

  test('is not for search engines if the post is unlisted', async () => {
    const { id } = await share('A secret garden')
    await change(id, { visibility: 'unlisted' })
    const response = await server().request(`/posts/${id}`)
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expectTags(await response.text(), { robots: 'noindex' })
  })
})

test('lists name their address and their feed, and results of a search are not for search engines', async () => {
  await share('A kite')
  const gallery = await server().request('/?utm_source=mail')
  expect(gallery.headers.get('x-robots-tag')).toBeNull()
  expectTags(await gallery.text(), {
    'rel="canonical"': `${site}/`,
    'og:type': 'website',
    'og:image': `${site}/social-preview.jpg`,
    'type="application/atom+xml"': '/feed.xml',
  })
  const found = await read('/?q=a+%22lotus%22')
  expectTags(found, { robots: 'noindex' })
  expect(found).toContain('href="/feed.xml?q=a+%22lotus%22" title="Results for a &quot;lotus&quot; — Kalā"')
  const author = await read(`/authors/${asha.id}?utm_source=mail`)
  expectTags(author, { 'rel="canonical"': `${site}/authors/${asha.id}` })
  expect(author).toContain(`href="/feed.xml?author=${asha.id}"`)
})

test.each(['/account', '/moderation', '/admin', '/your-images', '/?q=%00'])(
  '%s is not for search engines',
  async (path) => {
    expect((await server().request(path)).headers.get('x-robots-tag')).toBe('noindex')
  },
)

test('without PUBLIC_URL, addresses have the host of the request, and responses are private', async () => {
  const own = await startTestServer()
  for (const host of ['one.example', 'two.example', 'one.example']) {
    const response = await own.request('/', { headers: { 'x-forwarded-host': host } })
    expectTags(await response.text(), { 'rel="canonical"': `http://${host}/` })
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  }
})
