import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../test/support/accounts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import type { Visibility } from '../../shared/posts.ts'
import { startTestServer, type TestServer, type TestUser } from '../../test/support/test-server.ts'

const prompt = 'A quokka below a lantern'

interface Shown {
  readonly id: string
  readonly postId: string
  readonly ownerId: string
  readonly webhookId: string
}

const call = (path: string, input: unknown) =>
  `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`

/** Addresses that show a post of a collection, and whether also those that its author reads once it is private. */
const addresses: Readonly<Record<string, readonly [(shown: Shown) => string, hasOwn?: boolean]>> = {
  'the posts': [({ id }) => call('posts.list', { collectionId: id }), true],
  'the posts in parts': [({ id }) => call('posts.list', { collectionId: id, limit: 1 }), true],
  'the most liked posts': [({ id }) => call('posts.list', { collectionId: id, sort: 'top' })],
  'the collection': [({ id }) => call('collections.get', { id }), true],
  'all collections': [() => call('collections.list', {}), true],
  'collections of a user': [({ ownerId }) => call('collections.list', { ownerId }), true],
  'found collections': [() => call('collections.list', { search: 'monsoon' }), true],
  'the feed': [({ id }) => `/feed.xml?collection=${id}`],
  'the feed of all': [() => '/feed.xml'],
  oEmbed: [({ id }) => `/oembed?url=${encodeURIComponent(`${server.url}/collections/${id}`)}`],
  'oEmbed of the post': [
    ({ postId }) => `/oembed?url=${encodeURIComponent(`${server.url}/posts/${postId}`)}`,
  ],
  'the gallery with the theme': [() => '/'],
  'the sitemap': [() => '/sitemaps/0.xml'],
  'the page of the post': [({ postId }) => `/posts/${postId}`, true],
  'the post': [({ postId }) => call('posts.get', { id: postId }), true],
}

let server: TestServer
let author: TestAccount
let owner: TestAccount
let administrator: TestUser
let shown: Shown
/** What none but the author may read: the prompt, the folder of the image, and the address of the page. */
let traces: readonly string[]

beforeEach(async () => {
  server = await startTestServer({ env: { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' } })
  ;[author, owner] = [await makeAccount(server, { name: 'Noor' }), await makeAccount(server)]
  administrator = await signUpAdministrator(server)
  const post = await author.share(prompt)
  const [, folder = ''] = /uploads\/([^/]+)/.exec(post.photo) ?? []
  traces = [prompt, folder, `/posts/${post.id}`]
  const { id } = await owner.trpc.collections.create.mutate({ title: 'Monsoon' })
  const { create } = owner.trpc.account.webhooks
  const webhook = await create.mutate({ url: 'http://127.0.0.1:65535/', events: ['collection.post_added'] })
  await owner.trpc.collections.addPosts.mutate({ id, postIds: [post.id] })
  await owner.trpc.collections.update.mutate({ id, coverPostId: post.id })
  await server.client().collections.report.mutate({ id, reason: 'other' })
  const until = new Date(Date.now() + 86_400_000).toISOString()
  await administrator.trpc.collections.feature.mutate({ id, until })
  shown = { id, postId: post.id, ownerId: owner.id, webhookId: webhook.id }
})

async function read(address: string, viewer: TestUser | null): Promise<string> {
  const headers = { accept: '*/*', ...(viewer && { cookie: viewer.cookie }) }
  const response = await server.request(address, { headers })
  return response.text()
}

const tracesIn = (text: string) => traces.filter((trace) => text.includes(trace))

/** Reads what a viewer is shown at every address, by its name. */
async function leaks(viewer: TestUser | null): Promise<string[]> {
  const found = []
  for (const [name, [addressOf]] of Object.entries(addresses)) {
    if (tracesIn(await read(addressOf(shown), viewer)).length > 0) found.push(name)
  }
  return found
}

test('a public post is shown everywhere, a private one nowhere, an unlisted one only at its own address', async () => {
  const all = Object.keys(addresses)
  const places: readonly (readonly [Visibility, readonly string[]])[] = [
    ['public', all],
    ['private', []],
    ['unlisted', ['oEmbed of the post', 'the page of the post', 'the post']],
    ['public', all],
  ]
  for (const [visibility, expected] of places) {
    await author.trpc.posts.update.mutate({ id: shown.postId, visibility })
    // Twice, as the first response may be cached.
    for (const viewer of [null, null, owner]) expect(await leaks(viewer), visibility).toEqual(expected)
    const own = all.filter((name) => addresses[name]?.[1] === true || expected.includes(name))
    expect(await leaks(author), visibility).toEqual(own)
  }
})

const hasPost = async (viewer: TestUser | null) => {
  const query = { search: 'monsoon', postId: shown.postId }
  const { collections } = await (viewer?.trpc ?? server.client()).collections.list.query(query)
  return collections[0]?.hasPost
}

describe('after it has become private', () => {
  beforeEach(async () => {
    await author.trpc.posts.update.mutate({ id: shown.postId, visibility: 'private' })
  })

  test('counts and covers are those of what a viewer sees', async () => {
    const seen = async (viewer: TestUser | null) => {
      const client = viewer?.trpc ?? server.client()
      const { postCount, cover } = await client.collections.get.query({ id: shown.id })
      return [postCount, cover?.id ?? null]
    }
    expect(await seen(null)).toEqual([0, null])
    expect(await seen(owner)).toEqual([0, null])
    expect(await seen(author)).toEqual([1, shown.postId])
    expect([await hasPost(null), await hasPost(owner), await hasPost(author)]).toEqual([false, false, true])
  })

  test('moderators, webhooks and the export of the owner have nothing of it', async () => {
    const { entries } = await administrator.trpc.moderation.listReportedCollections.query()
    expect(tracesIn(JSON.stringify(entries))).toEqual([])
    await owner.trpc.collections.update.mutate({ id: shown.id, contributors: 'members' })
    const { id: unlisted } = await author.share('A kite', { visibility: 'unlisted' })
    await author.trpc.collections.addPosts.mutate({ id: shown.id, postIds: [unlisted] })
    const log = await owner.trpc.account.webhooks.deliveries.query({ id: shown.webhookId })
    expect(log.deliveries).toHaveLength(1)
    expect(tracesIn(JSON.stringify(log))).toEqual([])
    expect(tracesIn(JSON.stringify(await owner.trpc.account.export.query()))).toEqual([])
  })

  test('others can’t add it, and a hidden or deleted one leaves', async () => {
    const { id, postId } = shown
    const { id: other } = await owner.trpc.collections.create.mutate({ title: 'Another' })
    const add = owner.trpc.collections.addPosts.mutate({ id: other, postIds: [postId] })
    await expect(add).rejects.toThrow('Post not found.')
    await author.trpc.posts.update.mutate({ id: postId, visibility: 'public' })
    expect(await leaks(null)).toEqual(Object.keys(addresses))
    await administrator.trpc.moderation.hide.mutate({ id: postId })
    expect(await leaks(null)).toEqual([])
    const { posts } = await author.trpc.posts.list.query({ collectionId: id })
    expect(posts).toEqual([])
    await administrator.trpc.moderation.unhide.mutate({ id: postId })
    await author.trpc.posts.delete.mutate({ id: postId })
    expect(await leaks(null)).toEqual([])
    expect(await server.services.db.selectFrom('collection_posts').selectAll().execute()).toEqual([])
  })
})

test('a private collection is nowhere but for its owner, whose page no cache keeps', async () => {
  const { id } = await owner.trpc.collections.create.mutate({ title: 'Hush', visibility: 'private' })
  const paths = [`/collections/${id}`, `/collections/${id}/wall`, `/feed.xml?collection=${id}`]
  for (const viewer of [null, author]) {
    for (const path of [
      ...paths,
      call('collections.get', { id }),
      call('posts.list', { collectionId: id }),
    ]) {
      const headers = { accept: 'text/html', ...(viewer && { cookie: viewer.cookie }) }
      const response = await server.request(path, { headers })
      expect([path, response.status]).toEqual([path, 404])
    }
    for (const path of ['/collections', call('collections.list', {}), '/sitemaps/pages.xml']) {
      const text = await read(path, viewer)
      expect([path, text.includes(id)]).toEqual([path, false])
    }
  }
  const headers = { accept: 'text/html', cookie: owner.cookie }
  const page = await server.request(`/collections/${id}`, { headers })
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-control')).toBe('private, no-store')
  expect(await page.text()).toContain('Hush')
})
