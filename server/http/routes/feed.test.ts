import { beforeAll, describe, expect, test } from 'vitest'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import { shareTestServer, type TestUser } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: { SITE_NAME: 'Kalā' } })

const entriesOf = (feed: string) => feed.match(/<entry>[^]*?<\/entry>/g) ?? []

let site: string
let asha: TestUser
beforeAll(async () => {
  site = server().url
  asha = await server().signUp()
})

async function share(prompt: string, name = 'Asha') {
  const { id: imageId } = await asha.generate(prompt)
  return asha.trpc.posts.create.mutate({ name, prompt, imageId })
}

async function change(id: string, columns: Record<string, string | number>) {
  await server().services.db.updateTable('posts').set(columns).where('id', '=', id).execute()
}

describe('/feed.xml', () => {
  test('is a valid feed without posts', async () => {
    const response = await server().request('/feed.xml?q=nothing-has-these-words')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const feed = await response.text()
    expect(feed).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<feed /)
    expect(feed).toMatch(/<updated>\d{4}-\d\d-\d\dT[\d:.]+Z<\/updated>/)
    expect(entriesOf(feed)).toEqual([])
  })

  test('has the newest posts with their images', async () => {
    await fillGallery(server(), numberedPosts(30))
    const { id, photo, createdAt } = await share('A lotus')
    const feed = await (await server().request('/feed.xml')).text()
    const entries = entriesOf(feed)
    expect(entries).toHaveLength(24)
    expect(feed).toContain(`<id>${site}/feed.xml</id>`)
    expect(feed).toContain(`<updated>${createdAt}</updated>`)
    expect(entries[0]).toContain(`<id>urn:uuid:${id}</id>`)
    expect(entries[0]).toContain(`<link rel="alternate" type="text/html" href="${site}/posts/${id}" />`)
    expect(entries[0]).toContain(`href="${site}${photo}"`)
    expect(entries[0]).toContain('<p>A lotus</p>')
  })

  test('escapes texts, and drops characters that XML does not allow', async () => {
    await share('<b>bold</b> ]]> &amp; \uffff\u{1f33a}', '"><x/>')
    const [entry] = entriesOf(await (await server().request('/feed.xml')).text())
    expect(entry).toContain('<title>&lt;b&gt;bold&lt;/b&gt; ]]&gt; &amp;amp; \u{1f33a}</title>')
    expect(entry).toContain('<name>&quot;&gt;&lt;x/&gt;</name>')
    expect(entry).not.toContain('<b>')
  })

  test('finds posts by a search', async () => {
    const { id } = await share('A saffron kite')
    const feed = await (await server().request('/feed.xml?q=SAFFRON')).text()
    expect(entriesOf(feed)).toHaveLength(1)
    expect(feed).toContain(id)
    expect(feed).toContain('<title>Results for SAFFRON — Kalā</title>')
    expect(feed).toContain(`href="${site}/?q=SAFFRON"`)
    expect((await server().request(`/feed.xml?q=${'x'.repeat(501)}`)).status).toBe(400)
  })

  test('has the posts of an author', async () => {
    const ravi = await server().signUp()
    const { id: imageId } = await ravi.generate('A drum')
    const { id } = await ravi.trpc.posts.create.mutate({ name: 'Ravi', prompt: 'A drum', imageId })
    const feed = await (await server().request(`/feed.xml?author=${ravi.id}`)).text()
    expect(entriesOf(feed)).toHaveLength(1)
    expect(feed).toContain(`urn:uuid:${id}`)
    expect(feed).toContain('<title>Ravi — Kalā</title>')
    expect(feed).toContain(`<id>${site}/feed.xml?author=${ravi.id}</id>`)
    expect(feed).toContain(`href="${site}/authors/${ravi.id}"`)
    const searched = await server().request(`/feed.xml?author=${ravi.id}&q=lotus`)
    expect(entriesOf(await searched.text())).toEqual([])
    expect((await server().request('/feed.xml?author=unknown')).status).toBe(404)
    expect((await server().request('/feed.xml?author=a%3Fb')).status).toBe(400)
  })

  test('marks a sensitive post, and leaves its image out', async () => {
    const { id, photo } = await share('A wound')
    await change(id, { sensitive: 1 })
    const [entry] = entriesOf(await (await server().request('/feed.xml')).text())
    expect(entry).toContain('<category term="sensitive" label="Sensitive" />')
    expect(entry).not.toContain(photo.slice(0, photo.lastIndexOf('/')))
  })

  test.each([{ visibility: 'unlisted' }, { visibility: 'private' }, { hidden_at: 1 }])(
    'leaves out a post with %j',
    async (columns) => {
      const { id } = await share(`A lamp with ${JSON.stringify(columns)}`)
      expect(await (await server().request('/feed.xml')).text()).toContain(id)
      await change(id, columns)
      expect(await (await server().request('/feed.xml')).text()).not.toContain(id)
    },
  )

  test('keeps a hidden prompt out', async () => {
    const { id } = await share('A hidden recipe of words')
    await change(id, { hide_prompt: 1 })
    const feed = await (await server().request('/feed.xml')).text()
    expect(feed).toContain('<title>Image by Asha</title>')
    expect(feed).not.toContain('hidden recipe')
  })
})
