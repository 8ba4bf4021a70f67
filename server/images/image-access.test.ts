import { beforeAll, describe, expect, test } from 'vitest'
import { fitUrl, thumbnailSizes, thumbnailUrl } from '../../shared/image-files.ts'
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

interface State {
  readonly name: string
  /** Brings the image to the state, and returns the id of its post. */
  readonly enter: (subject: Subject) => Promise<string | null>
  /** Viewers who open its files. */
  readonly files: readonly Viewer[]
  /** Viewers who open its post, and its download. */
  readonly post: readonly Viewer[]
  readonly isListed: boolean
  /** True if a link of the owner opens it. */
  readonly opensByLink: boolean
  /** True if the owner downloads it by its id. */
  readonly isOwn: boolean
  /** True if moderators see its post once it was reported. */
  readonly isReviewed: boolean
}

const hide = (id: string) => users.administrator.trpc.moderation.hide.mutate({ id })
const unshare = (id: string) => users.owner.trpc.posts.delete.mutate({ id })
const trash = (id: string) => users.owner.trpc.images.delete.mutate({ id })

/** Shares an image as public, and then changes it or its post. */
const afterSharing =
  (change: (postId: string, imageId: string) => Promise<unknown>): State['enter'] =>
  async ({ imageId, share }) => {
    const id = await share('public')
    await change(id, imageId)
    return id
  }

const all = ['listed', 'link', 'own', 'reviewed'] as const

/** A state with the facts that are true of it. */
function inState(
  name: string,
  enter: State['enter'],
  files: readonly Viewer[],
  post: readonly Viewer[],
  facts: readonly (typeof all)[number][],
): State {
  return {
    name,
    enter,
    files,
    post,
    isListed: facts.includes('listed'),
    opensByLink: facts.includes('link'),
    isOwn: facts.includes('own'),
    isReviewed: facts.includes('reviewed'),
  }
}

const states: readonly State[] = [
  inState('was never shared', async () => null, owner, none, ['own', 'link']),
  inState('is public', ({ share }) => share('public'), everyone, everyone, all),
  inState('is unlisted', ({ share }) => share('unlisted'), everyone, everyone, ['own', 'reviewed', 'link']),
  inState('was shared as private', ({ share }) => share('private'), owner, owner, ['own']),
  inState(
    'was public and is private',
    afterSharing(async (id) => {
      await users.member.trpc.posts.report.mutate({ id, reason: 'other' })
      await users.owner.trpc.posts.update.mutate({ id, visibility: 'private' })
    }),
    owner,
    owner,
    ['own'],
  ),
  inState(
    'has a private post, and a public one',
    async ({ share }) => {
      await share('public', 'Another prompt')
      return share('private')
    },
    everyone,
    owner,
    ['own', 'link'],
  ),
  inState('has no post any more', afterSharing(unshare), owner, none, ['own', 'link']),
  inState(
    'was shared again as private after its public post was deleted',
    async ({ share }) => {
      await unshare(await share('public'))
      return share('private')
    },
    owner,
    owner,
    ['own'],
  ),
  inState(
    'is in the trash',
    afterSharing((_, imageId) => trash(imageId)),
    owner,
    none,
    [],
  ),
  inState(
    'is in the trash without a post',
    async ({ imageId }) => {
      await trash(imageId)
      return null
    },
    owner,
    none,
    [],
  ),
  inState(
    'was restored from the trash',
    afterSharing(async (_, id) => {
      await trash(id)
      await users.owner.trpc.images.restore.mutate({ id })
    }),
    everyone,
    everyone,
    all,
  ),
  inState('is hidden', afterSharing(hide), moderators, none, ['own', 'reviewed']),
  inState(
    'is hidden and deleted by its author',
    afterSharing(async (id) => {
      await hide(id)
      await unshare(id)
    }),
    moderators,
    none,
    ['own', 'reviewed'],
  ),
  inState(
    'was hidden while it was in the trash',
    afterSharing(async (id, imageId) => {
      await trash(imageId)
      await hide(id)
    }),
    moderators,
    none,
    ['reviewed'],
  ),
  inState(
    'was hidden and is visible again',
    afterSharing(async (id) => {
      await hide(id)
      await users.administrator.trpc.moderation.unhide.mutate({ id })
    }),
    everyone,
    everyone,
    all,
  ),
]

describe.each(states)('an image that $name', (state) => {
  let photo: string
  let imageId: string
  let postId: string
  let link: string
  const prompt = `A heron that ${state.name}`
  beforeAll(async () => {
    const image = await users.owner.generate(prompt)
    imageId = image.id
    photo = image.photo
    link = (await users.owner.trpc.images.link.query({ id: imageId })).path
    const share = async (visibility: Visibility, words = prompt) => {
      const post = { name: 'Asha', prompt: words, imageId, visibility }
      return (await users.owner.trpc.posts.create.mutate(post)).id
    }
    postId = (await state.enter({ imageId, prompt, share })) ?? 'unknown'
    // Nothing that was kept for visitors is sent after the change.
    await users.member.trpc.posts.report.mutate({ id: postId, reason: 'other' }).catch(() => {})
  })

  test('opens for the right viewers, and is kept by caches only if it is for everyone', async () => {
    const files = [
      photo,
      ...thumbnailSizes.map((size) => thumbnailUrl(photo, size)),
      fitUrl(photo, 640),
      fitUrl(photo, 1280),
    ]
    for (const viewer of viewers) {
      for (const path of files) {
        for (const method of ['GET', 'HEAD']) {
          const response = await request(path, viewer, method)
          expect(response.status, `${method} ${path} by ${viewer}`).toBe(
            state.files.includes(viewer) ? 200 : 404,
          )
          expect(response.headers.get('cache-control')).toBe(
            state.files === everyone
              ? 'public, max-age=31536000, immutable'
              : response.status === 200
                ? 'private, no-store'
                : 'no-store',
          )
        }
      }
    }
  })

  test('opens by a link of its owner only while it may', async () => {
    for (const format of ['jpeg', 'png'] as const) {
      const target = { imageId, format, quality: undefined }
      const path = format === 'jpeg' ? link : server().services.imageLinks.create(target)
      for (const viewer of viewers) {
        const response = await request(path, viewer)
        expect(response.status, `${format} by ${viewer}`).toBe(state.opensByLink ? 200 : 404)
        if (response.ok) expect(response.headers.get('cache-control')).toBe('private, no-store')
      }
    }
  })

  test('is downloaded by its owner only, and its post by those who see it', async () => {
    for (const viewer of viewers) {
      const own = await request(`/api/images/${imageId}/download`, viewer)
      const allowed = state.isOwn && viewer === 'owner'
      expect(own.status, viewer).toBe(allowed ? 200 : viewer === 'visitor' ? 401 : 404)
      const ofPost = await request(`/api/posts/${postId}/download`, viewer)
      expect(ofPost.status, viewer).toBe(state.post.includes(viewer) ? 200 : 404)
      const isPublic = state.post === everyone
      if (ofPost.ok && !isPublic) expect(ofPost.headers.get('cache-control')).toBe('private, no-store')
    }
  })

  test('has a post that the right viewers read, and a page and an embed that show it to everyone or no one', async () => {
    const isPublic = state.post === everyone
    for (const viewer of viewers) {
      const read = clientOf(viewer).posts.get.query({ id: postId })
      if (state.post.includes(viewer)) expect(await read).toMatchObject({ id: postId, prompt, photo })
      else await expect(read).rejects.toMatchObject({ data: { httpStatus: 404 } })
      const page = await request(`/posts/${postId}`, viewer)
      expect((await page.text()).includes(photo), `page by ${viewer}`).toBe(isPublic)
      const address = encodeURIComponent(`${server().url}/posts/${postId}`)
      expect((await request(`/oembed?url=${address}`, viewer)).status).toBe(isPublic ? 200 : 404)
    }
  })

  test('is in lists, feeds and the sitemap only if it is public', async () => {
    const lists = ['/', '/feed.xml', `/feed.xml?author=${users.owner.id}`, '/api/v1/post', '/trpc/posts.list']
    const isPublic = state.isListed || state.name.endsWith('a public one')
    for (const path of lists) {
      const list = await (await request(path, 'visitor')).text()
      expect(list.includes(photo), path).toBe(isPublic)
      expect(list.includes(prompt), path).toBe(state.isListed)
    }
    const sitemap = await (await request('/sitemaps/0.xml', 'visitor')).text()
    expect(sitemap.includes(postId)).toBe(state.isListed)
  })

  test('is listed for moderators only if it is hidden, or reported and not private', async () => {
    for (const viewer of ['moderator', 'administrator'] as const) {
      const { entries } = await clientOf(viewer).moderation.listReported.query()
      const entry = entries.find(({ post }) => post.id === postId)
      expect(entry?.post.photo, viewer).toBe(state.isReviewed ? photo : undefined)
      if (!state.isReviewed) expect(JSON.stringify(entries)).not.toContain(prompt)
    }
  })
})
