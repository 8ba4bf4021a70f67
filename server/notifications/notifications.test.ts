import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { eventually, follow } from '../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { endDueTheme } from '../collections/theme.ts'
import { setRole } from '../access/user-access.ts'
import { pruneNotifications } from './notify.ts'

const dayMs = 86_400_000
let time = Date.UTC(2026, 10, 26, 12)
const server = shareTestServer({ now: () => time, env: { DAILY_IMAGE_LIMIT: '100' } })

let asha: TestUser
let ravi: TestUser
let meera: TestUser
beforeAll(async () => {
  ;[asha, ravi, meera] = [
    await server().signUp(),
    await server().signUp(),
    await signUpAdministrator(server()),
  ]
})

const listOf = async ({ trpc }: TestUser) => (await trpc.notifications.list.query()).notifications
const unreadOf = async ({ trpc }: TestUser) => (await trpc.viewer.query())?.unreadNotifications
/** Shares an image, whose own notification is taken back shortly after its delivery. */
async function share(user: TestUser, prompt: string) {
  const post = await user.share(prompt)
  await eventually(async () => (await listOf(user)).map(({ kind }) => kind)).not.toContain('generation')
  return post
}
/** Notifications of one kind about a post. */
const aboutPost = async (user: TestUser, kind: string, postId: string | null) =>
  (await listOf(user)).filter((one) => one.kind === kind && one.postId === postId)

describe('likes', () => {
  test('of one post and day are one notification with the latest names', async () => {
    const { id } = await share(asha, 'A lotus')
    for (const user of [ravi, meera]) {
      time += 1_000
      await user.trpc.posts.like.mutate({ id })
      await user.trpc.posts.like.mutate({ id })
    }
    expect(await aboutPost(asha, 'like', id)).toEqual([
      {
        id: expect.stringMatching(/./),
        kind: 'like',
        count: 2,
        postId: id,
        collectionId: null,
        actorNames: [
          (await meera.trpc.viewer.query())?.firstName,
          (await ravi.trpc.viewer.query())?.firstName,
        ],
        text: 'A lotus',
        image: { photo: expect.stringMatching(/^\/uploads\//), placeholder: expect.any(String) },
        createdAt: new Date(time).toISOString(),
        readAt: null,
      },
    ])
    time += dayMs
    await (await server().signUp()).trpc.posts.like.mutate({ id })
    expect((await aboutPost(asha, 'like', id)).map(({ count }) => count)).toEqual([1, 2])
  })

  test('that are taken back leave their notification, the last one with it', async () => {
    const { id } = await share(asha, 'A kite')
    await ravi.trpc.posts.like.mutate({ id })
    const before = time
    time += 1_000
    await meera.trpc.posts.like.mutate({ id })
    await meera.trpc.posts.unlike.mutate({ id })
    expect(await aboutPost(asha, 'like', id)).toMatchObject([
      { count: 1, createdAt: new Date(before).toISOString() },
    ])
    await ravi.trpc.posts.unlike.mutate({ id })
    expect(await aboutPost(asha, 'like', id)).toEqual([])
  })

  test('of oneself, and of authors who are blocked or deleted, are none', async () => {
    const author = await server().signUp()
    const { id } = await share(author, 'A drum')
    await author.trpc.posts.like.mutate({ id })
    await meera.trpc.admin.users.update.mutate({ id: author.id, blocked: true })
    await ravi.trpc.posts.like.mutate({ id })
    await meera.trpc.admin.users.delete.mutate({ id: author.id, posts: 'keep' })
    await asha.trpc.posts.like.mutate({ id })
    const rows = server().services.db.selectFrom('notifications').selectAll().where('user_id', '=', author.id)
    expect(await rows.execute()).toEqual([])
  })
})

test('remixes are told by the name that they show, and only while others see them', async () => {
  const { id } = await share(asha, 'A boat')
  const { id: imageId } = await follow(ravi.trpc, { prompt: 'A remix', remixOf: id }).ended
  const remix = { name: 'Ravi R.', prompt: 'A remix', imageId, visibility: 'private' } as const
  const { id: remixId } = await ravi.trpc.posts.create.mutate(remix)
  expect(await aboutPost(asha, 'remix', id)).toEqual([])
  // After what was read.
  time += 1_000
  await ravi.trpc.posts.update.mutate({ id: remixId, visibility: 'public' })
  expect(await aboutPost(asha, 'remix', id)).toMatchObject([
    { count: 1, actorNames: ['Ravi R.'], text: 'A boat' },
  ])
  const unread = (await unreadOf(asha)) ?? 0
  await ravi.trpc.posts.update.mutate({ id: remixId, visibility: 'private' })
  expect(await aboutPost(asha, 'remix', id)).toEqual([])
  expect(await unreadOf(asha)).toBe(unread - 1)
})

test('leaves out what is hidden or in the trash since', async () => {
  const post = await share(asha, 'A kettle')
  await ravi.trpc.posts.like.mutate({ id: post.id })
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  expect(await aboutPost(asha, 'like', post.id)).toEqual([])
  await meera.trpc.moderation.unhide.mutate({ id: post.id })
  expect(await aboutPost(asha, 'like', post.id)).toHaveLength(1)
  await asha.trpc.posts.delete.mutate({ id: post.id })
  expect(JSON.stringify(await listOf(asha))).not.toContain(post.id)
})

test('decisions reach the author, appeals the moderators, and reports no user', async () => {
  const author = await server().signUp()
  const moderator = await server().signUp()
  await setRole(server().services.db, moderator.id, 'moderator')
  const { id } = await share(author, 'A vase')
  await ravi.trpc.posts.report.mutate({ id, reason: 'spam' })
  expect([await listOf(author), await listOf(moderator)]).toEqual([[], []])
  await meera.trpc.moderation.hide.mutate({ id })
  await author.trpc.moderation.appeal.mutate({ postId: id, comment: 'It is only a vase.' })
  expect(await listOf(author)).toMatchObject([{ kind: 'decision', postId: id, actorNames: [], count: 1 }])
  expect(await listOf(moderator)).toMatchObject([{ kind: 'appeal', postId: id, count: 1 }])
  await meera.trpc.moderation.unhide.mutate({ id })
  await author.trpc.posts.update.mutate({ id, visibility: 'private' })
  expect(await listOf(moderator)).toEqual([])
  await meera.trpc.posts.delete.mutate({ id })
  expect(await listOf(author)).toMatchObject([{ kind: 'decision', postId: null }])
  await setRole(server().services.db, moderator.id, 'member')
  expect([await listOf(moderator), await unreadOf(moderator)]).toEqual([[], 0])
})

test('a generation is told to an owner who does not watch it', async () => {
  const owner = await server().signUp()
  await owner.generate('Watched')
  await eventually(() => listOf(owner)).toEqual([])
  const { images } = await owner.trpc.images.generate.mutate({ prompt: 'Left alone', count: 2 })
  await eventually(() => listOf(owner)).toMatchObject([{ kind: 'generation', count: 2, text: 'Left alone' }])
  await owner.trpc.images.delete.mutate({ id: images[0]?.id ?? '' })
  expect(await listOf(owner)).toMatchObject([{ count: 1 }])
})

describe('collections', () => {
  test('tell their owner and authors of added posts, while they see them', async () => {
    const owner = await server().signUp()
    const [mine, other] = [await share(asha, 'A lamp'), await share(meera, 'A stool')]
    const { id } = await owner.trpc.collections.create.mutate({ title: 'Light', contributors: 'members' })
    await ravi.trpc.collections.addPosts.mutate({ id, postIds: [mine.id, other.id] })
    const collections = async (user: TestUser) =>
      (await listOf(user)).filter(({ kind }) => kind === 'collection')
    const actorNames = [(await ravi.trpc.viewer.query())?.firstName]
    expect(await collections(owner)).toMatchObject([
      { count: 2, collectionId: id, actorNames, text: 'Light' },
    ])
    expect(await collections(asha)).toMatchObject([{ count: 1, collectionId: id, postId: mine.id }])
    for (const visibility of ['private', 'unlisted'] as const) {
      await owner.trpc.collections.update.mutate({ id, visibility: 'public' })
      await asha.trpc.posts.update.mutate({ id: mine.id, visibility })
      expect(await collections(owner)).toMatchObject([{ count: 1, postId: other.id }])
      expect(await collections(asha)).toHaveLength(1)
      await owner.trpc.collections.update.mutate({ id, visibility })
      expect(await collections(asha)).toEqual([])
    }
    await owner.trpc.collections.removePosts.mutate({ id, postIds: [other.id] })
    expect(await collections(owner)).toEqual([])
  })

  test('that are the theme are told to every member, and that they have ended', async () => {
    const { id } = await asha.trpc.collections.create.mutate({ title: 'Rain', visibility: 'public' })
    await asha.trpc.collections.addPosts.mutate({ id, postIds: [(await share(asha, 'A cloud')).id] })
    await meera.trpc.collections.feature.mutate({ id, until: new Date(time + dayMs).toISOString() })
    const member = await server().signUp()
    expect(await listOf(member)).toMatchObject([{ kind: 'theme', text: 'Rain', readAt: null }])
    expect((await listOf(member))[0]?.image).not.toBeNull()
    await member.trpc.notifications.markRead.mutate({ until: new Date(time).toISOString() })
    expect([await unreadOf(member), await unreadOf(ravi)]).toEqual([0, expect.any(Number)])
    time += dayMs
    await endDueTheme(server().services)
    const createdAt = new Date(time).toISOString()
    const ended = { kind: 'theme', collectionId: id, hasEnded: true, readAt: null, createdAt }
    expect(await listOf(member)).toMatchObject([ended])
    time += 1_000
    expect(await listOf(await server().signUp())).toEqual([])
    await asha.trpc.collections.update.mutate({ id, visibility: 'private' })
    expect(await listOf(member)).toEqual([])
  })

  test('that are hidden or shown again are told to their owners, until they are deleted', async () => {
    const owner = await server().signUp()
    const { id } = await owner.trpc.collections.create.mutate({ title: 'Kites', visibility: 'public' })
    await meera.trpc.moderation.hideCollection.mutate({ id, note: 'No advertising' })
    time += 1_000
    await meera.trpc.moderation.unhideCollection.mutate({ id })
    const decision = { kind: 'decision', collectionId: id, postId: null, text: 'Kites', actorNames: [] }
    expect(await listOf(owner)).toMatchObject([decision, decision])
    await owner.trpc.collections.delete.mutate({ id })
    expect(await listOf(owner)).toEqual([])
  })
})

test('are seen at another process of the site at once, and what was read there', async () => {
  const other = await startTestServer({ folder: server().directory, now: () => time })
  const elsewhere = other.client({ cookie: asha.cookie, origin: other.url })
  const { id } = await share(asha, 'A comet')
  const before = (await elsewhere.viewer.query())?.unreadNotifications ?? 0
  time += 1_000
  await ravi.trpc.posts.like.mutate({ id })
  expect((await elsewhere.viewer.query())?.unreadNotifications).toBe(before + 1)
  const [latest] = (await elsewhere.notifications.list.query()).notifications
  expect(latest).toMatchObject({ kind: 'like', postId: id, count: 1 })
  await elsewhere.notifications.markRead.mutate({ until: latest?.createdAt ?? '' })
  expect(await unreadOf(asha)).toBe(0)
})

describe('reading', () => {
  let reader: TestUser
  let ids: string[]
  beforeEach(async () => {
    reader = await server().signUp()
    ids = []
    for (const prompt of ['One', 'Two', 'Three']) {
      time += 1_000
      const { id } = await share(reader, prompt)
      await ravi.trpc.posts.like.mutate({ id })
      ids.unshift(id)
    }
  })

  test('pages are newest first and stay in place', async () => {
    const list = reader.trpc.notifications.list
    const first = await list.query({ limit: 2 })
    expect(first.notifications.map(({ postId }) => postId)).toEqual(ids.slice(0, 2))
    const rest = await list.query({ limit: 2, cursor: first.nextCursor ?? '' })
    expect(rest.notifications.map(({ postId }) => postId)).toEqual(ids.slice(2))
    expect(rest.nextCursor).toBeNull()
    await expect(list.query({ cursor: 'nonsense' })).rejects.toMatchObject({ data: { httpStatus: 400 } })
  })

  test('marks the notifications up to a time, on every device, and not later ones', async () => {
    const [, second] = await listOf(reader)
    await reader.trpc.notifications.markRead.mutate({ until: second?.createdAt ?? '' })
    const page = await reader.trpc.notifications.list.query()
    expect(page.notifications.map(({ readAt }) => readAt !== null)).toEqual([false, true, true])
    expect([page.unreadCount, await unreadOf(reader)]).toEqual([1, 1])
    await reader.trpc.notifications.markRead.mutate({ until: '2026-01-01T00:00:00Z' })
    expect(await unreadOf(reader)).toBe(1)
    await reader.trpc.notifications.markRead.mutate({ until: '2999-01-01T00:00:00Z' })
    expect(await unreadOf(reader)).toBe(0)
    time += 1_000
    await meera.trpc.posts.like.mutate({ id: ids[2] ?? '' })
    expect(await listOf(reader)).toMatchObject([{ postId: ids[2], count: 2, readAt: null }, {}, {}])
    expect(await unreadOf(reader)).toBe(1)
  })

  test('leaves out kinds that are switched off', async () => {
    const settings = await reader.trpc.notifications.updateSettings.mutate({ like: { page: false } })
    expect(settings).toMatchObject({ like: { page: false, mail: false }, remix: { page: true } })
    expect(await reader.trpc.notifications.settings.query()).toEqual(settings)
    expect([await listOf(reader), await unreadOf(reader)]).toEqual([[], 0])
    const wrong = reader.trpc.notifications.updateSettings.mutate({ like: { page: 'no' } } as object)
    await expect(wrong).rejects.toMatchObject({ data: { httpStatus: 400 } })
  })
})

test('removes old ones, and all but the newest thousand of a user', async () => {
  const { db } = server().services
  const userId = 'a-user-with-many'
  const rows = Array.from({ length: 1_005 }, (_, index) => ({
    id: `many-${index}`,
    user_id: userId,
    kind: 'decision' as const,
    created_at: time + (index < 2 ? -100 * dayMs : index),
  }))
  await db.insertInto('notifications').values(rows).execute()
  expect(await pruneNotifications(db, time)).toBe(5)
  const left = db.selectFrom('notifications').select('id').where('user_id', '=', userId)
  expect(await left.execute()).toHaveLength(1_000)
  await db.deleteFrom('notifications').where('user_id', '=', userId).execute()
})

test('a new user has no notifications', async () => {
  const { trpc } = await server().signUp()
  expect(await trpc.notifications.list.query()).toEqual({
    notifications: [],
    unreadCount: 0,
    nextCursor: null,
  })
})
