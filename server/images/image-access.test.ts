import { beforeAll, describe, expect, test } from 'vitest'
import { fitUrl, thumbnailUrl } from '../../shared/image-files.ts'
import type { Visibility } from '../../shared/posts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { unlimitedWrites } from '../../test/support/limits.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { setRole } from '../access/user-access.ts'

const server = shareTestServer({
  env: { DAILY_IMAGE_LIMIT: '200', DAILY_POST_LIMIT: '200' },
  writeLimits: unlimitedWrites(),
})
const viewers = ['visitor', 'member', 'owner', 'moderator', 'administrator'] as const
type Viewer = (typeof viewers)[number]
let users: Record<Exclude<Viewer, 'visitor'>, TestUser>
beforeAll(async () => {
  const moderator = await server().signUp('Kiran Das')
  await setRole(server().services.db, moderator.id, 'moderator')
  users = {
    member: await server().signUp('Ravi Shah'),
    owner: await server().signUp('Asha Rao'),
    moderator,
    administrator: await signUpAdministrator(server()),
  }
})

const userOf = (viewer: Viewer) => (viewer === 'visitor' ? undefined : users[viewer])
const clientOf = (viewer: Viewer) => userOf(viewer)?.trpc ?? server().client()
const request = (path: string, viewer: Viewer, method = 'GET') =>
  server().request(path, { method, headers: server().headersOf(userOf(viewer)) })

const everyone = viewers
const owner: readonly Viewer[] = ['owner']
const moderators: readonly Viewer[] = ['owner', 'moderator', 'administrator']
const none: readonly Viewer[] = []

/** An image with the post that is looked at, if it was ever shared. */
interface Subject {
  readonly imageId: string
  readonly prompt: string
  readonly share: (visibility: Visibility, prompt?: string) => Promise<string>
}

/** Facts about a state: its post is public; a link of the owner opens it; the owner downloads it by its id; moderators see its
 * post once it was reported. */
type Fact = 'listed' | 'link' | 'own' | 'reviewed'

/** The name of a state, how to bring an image to it, who opens its files, and who opens its post and its download. */
type State = readonly [
  name: string,
  /** Returns the id of the post. */
  enter: (subject: Subject) => Promise<string | null>,
  files: readonly Viewer[],
  post: readonly Viewer[],
  facts: readonly Fact[],
]

const hide = (id: string) => users.administrator.trpc.moderation.hide.mutate({ id })
const unshare = (id: string) => users.owner.trpc.posts.delete.mutate({ id })
const trash = (id: string) => users.owner.trpc.images.delete.mutate({ id })

/** Shares an image as public, and then changes it or its post. */
const afterSharing =
  (change: (postId: string, imageId: string) => Promise<unknown>): State[1] =>
  async ({ imageId, share }) => {
    const id = await share('public')
    await change(id, imageId)
    return id
  }

const all = ['listed', 'link', 'own', 'reviewed'] as const

const states: readonly State[] = [
  ['was never shared', async () => null, owner, none, ['own', 'link']],
  ['is public', ({ share }) => share('public'), everyone, everyone, all],
  ['is unlisted', ({ share }) => share('unlisted'), everyone, everyone, ['own', 'reviewed', 'link']],
  ['was shared as private', ({ share }) => share('private'), owner, owner, ['own']],
  [
    'was public and is private',
    afterSharing(async (id) => {
      await users.member.trpc.posts.report.mutate({ id, reason: 'other' })
      await users.owner.trpc.posts.update.mutate({ id, visibility: 'private' })
    }),
    owner,
    owner,
    ['own'],
  ],
  [
    'has a private post, and a public one',
    async ({ share }) => {
      await share('public', 'Another prompt')
      return share('private')
    },
    everyone,
    owner,
    ['own', 'link'],
  ],
  ['has no post any more', afterSharing(unshare), owner, none, ['own', 'link']],
  [
    'was shared again as private after its public post was deleted',
    async ({ share }) => {
      await unshare(await share('public'))
      return share('private')
    },
    owner,
    owner,
    ['own'],
  ],
  ['is in the trash', afterSharing((_, imageId) => trash(imageId)), owner, none, []],
  ['is hidden', afterSharing(hide), moderators, none, ['own', 'reviewed']],
  [
    'was hidden and is unhidden',
    afterSharing(async (id) => {
      await hide(id)
      await users.administrator.trpc.moderation.unhide.mutate({ id })
    }),
    everyone,
    everyone,
    all,
  ],
  [
    'is hidden and deleted by its author',
    afterSharing(async (id) => {
      await hide(id)
      await unshare(id)
    }),
    moderators,
    none,
    ['own', 'reviewed'],
  ],
  [
    'was hidden while it was in the trash',
    afterSharing(async (id, imageId) => {
      await trash(imageId)
      await hide(id)
    }),
    moderators,
    none,
    ['reviewed'],
  ],
]

/** Those who are told about a post that others do not find. */
const told: Readonly<Record<string, readonly (typeof viewers)[number][]>> = {
  'is hidden': moderators,
  'is hidden and deleted by its author': moderators.filter((viewer) => viewer !== 'owner'),
}

describe.each(states)('an image that %s', (name, enter, openers, readers, facts) => {
  let photo: string
  let imageId: string
  let postId: string
  let link: string
  const prompt = `A heron that ${name}`
  const isPublic = readers === everyone
  beforeAll(async () => {
    const image = await users.owner.generate(prompt)
    imageId = image.id
    photo = image.photo
    link = (await users.owner.trpc.images.link.query({ id: imageId })).path
    const share = async (visibility: Visibility, words = prompt) => {
      const post = { name: 'Asha', prompt: words, imageId, visibility }
      return (await users.owner.trpc.posts.create.mutate(post)).id
    }
    postId = (await enter({ imageId, prompt, share })) ?? 'unknown'
    // Nothing that was kept for visitors is sent after the change.
    await users.member.trpc.posts.report.mutate({ id: postId, reason: 'other' }).catch(() => {})
  })

  test.each(viewers)('opens, by address, link and download, for a %s only if it should', async (viewer) => {
    const opens = openers.includes(viewer)
    for (const [method, path] of [
      ['HEAD', photo],
      ['GET', thumbnailUrl(photo, 320)],
      ['HEAD', fitUrl(photo, 640)],
    ] as const) {
      const { status, headers } = await request(path, viewer, method)
      expect(status, `${method} ${path}`).toBe(opens ? 200 : 404)
      expect(headers.get('cache-control')).toBe(
        openers === everyone
          ? 'public, max-age=31536000, immutable'
          : opens
            ? 'private, no-store'
            : 'no-store',
      )
      const isShared = openers === everyone
      expect(headers.get('access-control-allow-origin')).toBe(isShared ? '*' : null)
      if (opens)
        expect(headers.get('cross-origin-resource-policy')).toBe(isShared ? 'cross-origin' : 'same-origin')
    }
    const linked = await request(link, viewer)
    expect(linked.status).toBe(facts.includes('link') ? 200 : 404)
    if (linked.ok) expect(linked.headers.get('cache-control')).toBe('private, no-store')
    const own = await request(`/api/images/${imageId}/download`, viewer)
    const isAllowed = facts.includes('own') && viewer === 'owner'
    expect(own.status).toBe(isAllowed ? 200 : viewer === 'visitor' ? 401 : 404)
    const ofPost = await request(`/api/posts/${postId}/download`, viewer)
    expect(ofPost.status).toBe(readers.includes(viewer) ? 200 : 404)
    if (ofPost.ok && !isPublic) expect(ofPost.headers.get('cache-control')).toBe('private, no-store')
  })

  test('has a post and a page that the right viewers read, and an embed that shows it to everyone or no one', async () => {
    const toldOf = told[name] ?? []
    for (const viewer of viewers) {
      const read = clientOf(viewer).posts.get.query({ id: postId })
      if ([...readers, ...toldOf].includes(viewer))
        expect(await read).toMatchObject({ id: postId, prompt, photo })
      else await expect(read).rejects.toMatchObject({ data: { httpStatus: 404 } })
    }
    for (const viewer of ['owner', 'visitor'] as const) {
      const page = await request(`/posts/${postId}`, viewer)
      expect((await page.text()).includes(photo), `page by ${viewer}`).toBe(
        [...readers, ...toldOf].includes(viewer),
      )
      const address = encodeURIComponent(`${server().url}/posts/${postId}`)
      expect((await request(`/oembed?url=${address}`, viewer)).status).toBe(isPublic ? 200 : 404)
    }
  })

  test('is listed only if it is public, and for moderators if it is hidden, or reported and not private', async () => {
    const lists = ['/', '/feed.xml', `/feed.xml?author=${users.owner.id}`, '/api/v1/post', '/trpc/posts.list']
    const isListed = facts.includes('listed')
    for (const path of lists) {
      const list = await (await request(path, 'visitor')).text()
      expect(list.includes(photo), path).toBe(isListed || name.endsWith('a public one'))
      expect(list.includes(prompt), path).toBe(isListed)
    }
    const sitemap = await (await request('/sitemaps/0.xml', 'visitor')).text()
    expect(sitemap.includes(postId)).toBe(isListed)
    const isReviewed = facts.includes('reviewed')
    for (const viewer of ['moderator', 'administrator'] as const) {
      const { entries } = await clientOf(viewer).moderation.listReported.query()
      const entry = entries.find(({ post }) => post.id === postId)
      expect(entry?.post.photo, viewer).toBe(isReviewed ? photo : undefined)
      if (!isReviewed) expect(JSON.stringify(entries)).not.toContain(prompt)
    }
  })
})
