import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../test/support/accounts.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer } from '../../test/support/test-server.ts'
import { readTheme } from './collection-queries.ts'
import { endDueTheme, shownAnnouncements } from './theme.ts'

const server = shareTestServer({ env: { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' } })
let asha: TestAccount
let ravi: TestAccount
let visitor: ReturnType<ReturnType<typeof server>['client']>

beforeAll(async () => {
  ;[asha, ravi] = [await makeAccount(server()), await makeAccount(server(), { name: 'Ravi' })]
  visitor = server().client()
})

async function collectionOf(owner: TestAccount, prompts: readonly string[], options = {}) {
  const { id } = await owner.trpc.collections.create.mutate({ title: 'Monsoon', ...options })
  const posts = []
  for (const prompt of prompts) posts.push(await owner.share(prompt))
  const postIds = posts.map((post) => post.id)
  if (postIds.length > 0) await owner.trpc.collections.addPosts.mutate({ id, postIds })
  return { id, postIds }
}

async function promptsOf(id: string, client = visitor): Promise<string[]> {
  const { posts } = await client.posts.list.query({ collectionId: id })
  return posts.map(({ prompt }) => prompt)
}

test('a collection has a title, and the settings of the account', async () => {
  const owner = await makeAccount(server())
  await owner.trpc.account.updateSettings.mutate({ defaultVisibility: 'unlisted' })
  const { id, createdAt, ...created } = await owner.trpc.collections.create.mutate({ title: ' Rain ' })
  expect(created).toEqual({
    title: 'Rain',
    description: '',
    visibility: 'unlisted',
    contributors: 'owner',
    postCount: 0,
    cover: null,
    ownerId: owner.id,
    ownerName: null,
    isOwner: true,
    mayAdd: true,
    isHidden: false,
    hasInvitation: false,
    featuredUntil: null,
  })
  expect(await visitor.collections.get.query({ id })).toMatchObject({ id, createdAt, isOwner: false })
})

describe('order', () => {
  test('the newest added post is first, until its owner moves it', async () => {
    const { id, postIds } = await collectionOf(asha, ['One', 'Two', 'Three'])
    const [one, two, three] = postIds
    expect(await promptsOf(id)).toEqual(['Three', 'Two', 'One'])
    const move = (postId = '', before: string | null = null) =>
      asha.trpc.collections.movePost.mutate({ id, postId, before })
    await move(one, three)
    expect(await promptsOf(id)).toEqual(['One', 'Three', 'Two'])
    await move(three)
    expect(await promptsOf(id)).toEqual(['One', 'Two', 'Three'])
    await move(one, one)
    await move(three, two)
    expect(await promptsOf(id)).toEqual(['One', 'Three', 'Two'])
    await expect(move(one, 'unknown')).rejects.toThrow('Post not found.')
    await expect(move('unknown')).rejects.toThrow('Post not found.')
  })

  test('positions without room are numbered again', async () => {
    const { id, postIds } = await collectionOf(asha, ['A', 'B', 'C'])
    const [a = '', b = '', c = ''] = postIds
    // As after many moves.
    for (const [index, postId] of [c, b, a].entries()) {
      const entry = server().services.db.updateTable('collection_posts').where('post_id', '=', postId)
      await entry.set({ position: index + 1 }).execute()
    }
    await asha.trpc.collections.movePost.mutate({ id, postId: c, before: b })
    expect(await promptsOf(id)).toEqual(['A', 'C', 'B'])
    await asha.trpc.collections.movePost.mutate({ id, postId: a, before: null })
    expect(await promptsOf(id)).toEqual(['C', 'B', 'A'])
  })

  test('pages follow the order, have the total, and stay in place up to the next one when posts move', async () => {
    const { id, postIds } = await collectionOf(asha, ['P1', 'P2', 'P3', 'P4', 'P5'])
    const list = async (cursor: string | null, until?: string | null) => {
      const input = { collectionId: id, limit: until ? 100 : 2, cursor, until }
      const { posts, ...rest } = await visitor.posts.list.query(input)
      return { ...rest, prompts: posts.map(({ prompt }) => prompt).join(' ') }
    }
    const first = await list(null)
    const second = await list(first.nextCursor)
    expect([first, second]).toMatchObject([{ total: 5, prompts: 'P5 P4' }, { prompts: 'P3 P2' }])
    const [one = '', , , four = ''] = postIds
    await asha.trpc.collections.movePost.mutate({ id, postId: four, before: one })
    expect(await list(null, first.nextCursor)).toMatchObject({ prompts: 'P5', nextCursor: null })
    expect(await list(first.nextCursor, second.nextCursor)).toMatchObject({ prompts: 'P3 P2' })
    expect(await list(second.nextCursor)).toMatchObject({ prompts: 'P4 P1', nextCursor: null })
  })

  test('the most liked ones can be listed first', async () => {
    const { id, postIds } = await collectionOf(asha, ['L1', 'L2', 'L3'])
    await ravi.trpc.posts.like.mutate({ id: postIds[1] ?? '' })
    const { posts, nextCursor } = await visitor.posts.list.query({ collectionId: id, sort: 'top', limit: 2 })
    expect(posts.map(({ prompt }) => prompt)).toEqual(['L2', 'L3'])
    const rest = await visitor.posts.list.query({ collectionId: id, sort: 'top', cursor: nextCursor })
    expect(rest.posts.map(({ prompt }) => prompt)).toEqual(['L1'])
  })
})

describe('contributors', () => {
  test('join by the latest link, and add and remove their own posts', async () => {
    const { id, postIds } = await collectionOf(asha, ['By Asha'], { contributors: 'invited' })
    const post = await ravi.share('By Ravi')
    const add = () => ravi.trpc.collections.addPosts.mutate({ id, postIds: [post.id] })
    await expect(add()).rejects.toThrow('You may not add posts to this collection.')
    const tokenOf = ({ path }: { path: string }) => /^\/collections\/join\/([\w-]{32})$/.exec(path)?.[1] ?? ''
    const former = tokenOf(await asha.trpc.collections.createInvitation.mutate({ id }))
    const token = tokenOf(await asha.trpc.collections.createInvitation.mutate({ id }))
    const join = (link: string) => ravi.trpc.collections.join.mutate({ token: link })
    await expect(join(former)).rejects.toThrow('Collection not found.')
    expect(await join(token)).toMatchObject({ id, mayAdd: true, hasInvitation: false })
    expect(await add()).toMatchObject({ postCount: 2, cover: { prompt: 'By Ravi' } })
    const { posts } = await ravi.trpc.posts.list.query({ collectionId: id })
    expect(posts.map(({ isAddedByYou }) => isAddedByYou)).toEqual([true, undefined])
    await expect(ravi.trpc.collections.removePosts.mutate({ id, postIds })).rejects.toThrow(
      'You can only remove posts that you added.',
    )
    await expect(ravi.trpc.collections.update.mutate({ id, title: 'Mine' })).rejects.toThrow(
      'Only its owner can change a collection.',
    )
    await asha.trpc.collections.revokeInvitation.mutate({ id })
    await expect(join(token)).rejects.toThrow('Collection not found.')
    await ravi.trpc.collections.removePosts.mutate({ id, postIds: [post.id] })
    expect(await promptsOf(id)).toEqual(['By Asha'])
    await asha.trpc.collections.update.mutate({ id, contributors: 'owner' })
    await expect(add()).rejects.toThrow('You may not add posts to this collection.')
  })

  test('are at most a thousand, also if they join at once', async () => {
    const { id } = await asha.trpc.collections.create.mutate({ title: 'Full' })
    const { path } = await asha.trpc.collections.createInvitation.mutate({ id })
    const columns = { collection_id: id, joined_at: 0 }
    const rows = Array.from({ length: 999 }, (_, index) =>
      Object.assign({ user_id: `user-${index}` }, columns),
    )
    await server().services.db.insertInto('collection_contributors').values(rows).execute()
    const token = path.split('/').at(-1) ?? ''
    const users = await Promise.all(Array.from({ length: 6 }, () => server().signUp()))
    const results = await Promise.allSettled(users.map(({ trpc }) => trpc.collections.join.mutate({ token })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('are everyone who sees a collection of members', async () => {
    const { id } = await collectionOf(asha, [], { contributors: 'members' })
    const post = await ravi.share('A contribution')
    await ravi.trpc.collections.addPosts.mutate({ id, postIds: [post.id] })
    await asha.trpc.collections.removePosts.mutate({ id, postIds: [post.id] })
    await asha.trpc.collections.update.mutate({ id, visibility: 'private' })
    const addAgain = () => ravi.trpc.collections.addPosts.mutate({ id, postIds: [post.id] })
    await expect(addAgain()).rejects.toThrow('Collection not found.')
    const { path } = await asha.trpc.collections.createInvitation.mutate({ id })
    await asha.trpc.collections.update.mutate({ id, description: 'By invitation', contributors: 'members' })
    await ravi.trpc.collections.join.mutate({ token: path.split('/').at(-1) ?? '' })
    expect(await addAgain()).toMatchObject({ postCount: 1 })
    const mine = await ravi.trpc.collections.list.query({ isMine: true })
    expect(mine.collections.map((collection) => collection.id)).toContain(id)
  })

  test('see a private collection once they have joined, and others do not', async () => {
    const { id } = await collectionOf(asha, ['Secret'], { contributors: 'invited', visibility: 'private' })
    const get = (user: typeof ravi.trpc) => user.collections.get.query({ id })
    await expect(get(ravi.trpc)).rejects.toThrow('Collection not found.')
    const { path } = await asha.trpc.collections.createInvitation.mutate({ id })
    await ravi.trpc.collections.join.mutate({ token: path.split('/').at(-1) ?? '' })
    expect(await get(ravi.trpc)).toMatchObject({ id, postCount: 1 })
    expect(await promptsOf(id, ravi.trpc)).toEqual(['Secret'])
    const mine = await ravi.trpc.collections.list.query({ isMine: true })
    expect(mine.collections.map((collection) => collection.id)).toContain(id)
    await expect(get(visitor)).rejects.toThrow('Collection not found.')
    await expect(promptsOf(id)).rejects.toThrow('Collection not found.')
  })
})

test('lists have public collections, and the caller’s own', async () => {
  const ids = new Map<string, string>()
  for (const visibility of ['public', 'unlisted', 'private'] as const) {
    const { id } = await ravi.trpc.collections.create.mutate({ title: `Zebra ${visibility}`, visibility })
    ids.set(id, visibility)
  }
  const seen = async (client: typeof visitor, query: object) => {
    const { collections } = await client.collections.list.query({ search: 'zEBRA', ...query })
    return collections.map(({ id }) => ids.get(id))
  }
  const ownerId = ravi.id
  expect(await seen(visitor, {})).toEqual(['public'])
  expect(await seen(ravi.trpc, {})).toEqual(['public'])
  expect(await seen(asha.trpc, { ownerId })).toEqual(['public'])
  expect(await seen(ravi.trpc, { ownerId })).toEqual(['private', 'unlisted', 'public'])
  const { nextCursor } = await ravi.trpc.collections.list.query({ ownerId, limit: 2 })
  const rest = await ravi.trpc.collections.list.query({ ownerId, limit: 2, cursor: nextCursor })
  expect(rest).toMatchObject({ collections: [{ title: 'Zebra public' }], nextCursor: null })
})

test('a reported collection can be hidden, and is then for its owner and moderators', async () => {
  const meera = await signUpAdministrator(server())
  const { id } = await collectionOf(asha, ['Harmless'])
  await visitor.collections.report.mutate({ id, reason: 'spam', comment: 'Advertising' })
  const waiting = await meera.trpc.moderation.countReported.query()
  const { entries, total } = await meera.trpc.moderation.listReportedCollections.query()
  expect(total).toBe(1)
  expect(entries).toMatchObject([
    { collection: { id, isHidden: false }, reports: [{ reason: 'spam' }], reportCount: 1 },
  ])
  await meera.trpc.moderation.hideCollection.mutate({ id, note: 'No advertising' })
  await expect(visitor.collections.get.query({ id })).rejects.toThrow('Collection not found.')
  await expect(promptsOf(id)).rejects.toThrow('Collection not found.')
  const hiddenNotice = { state: 'hidden', reasons: ['spam'], note: 'No advertising', appeal: null }
  expect(await asha.trpc.collections.get.query({ id })).toMatchObject({
    isHidden: true,
    mayAdd: false,
    hiddenNotice,
  })
  expect(await meera.trpc.collections.get.query({ id })).toMatchObject({ isHidden: true, hiddenNotice })
  await expect(asha.trpc.collections.update.mutate({ id, title: 'New' })).rejects.toThrow(
    'A moderator has hidden this collection. It cannot be changed.',
  )
  await meera.trpc.moderation.unhideCollection.mutate({ id })
  await meera.trpc.moderation.dismissCollection.mutate({ id })
  expect(await meera.trpc.moderation.countReported.query()).toBe(waiting - 1)
  expect(await promptsOf(id)).toEqual(['Harmless'])
  const log = await meera.trpc.admin.auditLog.query({ kind: 'moderation', limit: 3 })
  expect(log.entries.map(({ record }) => record.action)).toEqual([
    'dismiss_collection',
    'unhide_collection',
    'hide_collection',
  ])
  expect(log.entries.at(-1)).toMatchObject({ record: { details: { text: 'No advertising' } } })
})

test('the theme of the gallery is one public collection, whose end is announced', async () => {
  const meera = await signUpAdministrator(server())
  const { services } = server()
  const first = await collectionOf(asha, ['Clouds'], { title: 'Clouds' })
  const second = await collectionOf(asha, ['Rivers'], { title: 'Rivers' })
  const secret = await collectionOf(asha, [], { visibility: 'unlisted' })
  const until = new Date(Date.now() + 60_000).toISOString()
  const feature = (id: string, end: string | null = until) =>
    meera.trpc.collections.feature.mutate({ id, until: end })
  await expect(feature(secret.id)).rejects.toThrow('Only a public collection can be the theme')
  await expect(feature(first.id, '2020-01-01T00:00:00Z')).rejects.toThrow('must be in the future')
  expect(await feature(first.id)).toMatchObject({ featuredUntil: until })
  for (const { id } of [second, first, second]) await feature(id)
  expect(await visitor.collections.get.query({ id: first.id })).toMatchObject({ featuredUntil: null })
  expect(await readTheme(services)).toMatchObject({ id: second.id })

  const afterwards = { ...services, now: () => Date.parse(until) }
  expect(await readTheme(afterwards)).toBeNull()
  expect(await endDueTheme(services)).toBeNull()
  expect(await endDueTheme(afterwards)).toBe(second.id)
  expect(await endDueTheme(afterwards)).toBeNull()
  await asha.trpc.collections.update.mutate({ id: first.id, visibility: 'private' })
  await asha.trpc.collections.update.mutate({ id: second.id, title: 'Seas' })
  const options = await services.readOptions(services.db)
  expect(options.announcements).toMatchObject([{ endedTheme: 'Rivers' }, { endedTheme: 'Clouds' }])
  const link = `/collections/${second.id}?sort=top`
  expect(await shownAnnouncements(services, options)).toMatchObject([{ endedTheme: 'Seas', link }])
})

test('what deletes an account deletes its collections, and keeps those of others', async () => {
  const farid = await makeAccount(server(), { name: 'Farid' })
  const own = await collectionOf(farid, ['Own'])
  const { id } = await collectionOf(asha, [], { contributors: 'members' })
  const post = await asha.share('Added by Farid')
  await farid.trpc.collections.addPosts.mutate({ id, postIds: [post.id] })
  await server().services.authenticator.administration?.remove(farid.email, { posts: 'keep' })
  await expect(visitor.collections.get.query({ id: own.id })).rejects.toThrow('Collection not found.')
  expect(await promptsOf(id)).toEqual(['Added by Farid'])
})

test('a webhook of the owner reports posts that were added, without those that are private', async () => {
  const leela = await makeAccount(server(), { name: 'Leela' })
  const { id } = await collectionOf(leela, [])
  const { create } = leela.trpc.account.webhooks
  const webhook = await create.mutate({ url: 'http://127.0.0.1:65535/', events: ['collection.post_added'] })
  const [shown, hidden] = [await leela.share('Shown'), await leela.share('Hidden', { visibility: 'private' })]
  await leela.trpc.collections.addPosts.mutate({ id, postIds: [shown.id, hidden.id] })
  const { deliveries } = await leela.trpc.account.webhooks.deliveries.query({ id: webhook.id })
  const data = (post: object) => ({ userId: leela.id, collection: { id, title: 'Monsoon' }, post })
  expect(deliveries.map(({ payload }) => payload)).toMatchObject([
    { type: 'collection.post_added', data: data({ id: hidden.id, visibility: 'private' }) },
    { type: 'collection.post_added', data: data({ id: shown.id, prompt: 'Shown' }) },
  ])
  expect(JSON.stringify(deliveries[0])).not.toContain('Hidden')
})
