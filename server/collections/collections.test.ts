import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../test/support/accounts.ts'
import { shareTestServer } from '../../test/support/test-server.ts'

const server = shareTestServer()
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
  await asha.trpc.account.updateSettings.mutate({ defaultVisibility: 'unlisted' })
  const { id, createdAt, ...created } = await asha.trpc.collections.create.mutate({ title: ' Rain ' })
  await asha.trpc.account.updateSettings.mutate({ defaultVisibility: 'public' })
  expect(created).toEqual({
    title: 'Rain',
    description: '',
    visibility: 'unlisted',
    contributors: 'owner',
    postCount: 0,
    cover: null,
    ownerId: asha.id,
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

  test('a post can be moved to one place any number of times', async () => {
    const { id, postIds } = await collectionOf(asha, ['A', 'B', 'C'])
    const [a = '', b = '', c = ''] = postIds
    for (let round = 0; round < 20; round += 1) {
      await asha.trpc.collections.movePost.mutate({ id, postId: b, before: a })
      await asha.trpc.collections.movePost.mutate({ id, postId: c, before: a })
    }
    expect(await promptsOf(id)).toEqual(['B', 'C', 'A'])
  })

  test('pages follow the order, and have the total', async () => {
    const { id } = await collectionOf(asha, ['P1', 'P2', 'P3', 'P4', 'P5'])
    const prompts: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof visitor.posts.list.query>> = await visitor.posts.list.query({
        collectionId: id,
        limit: 2,
        cursor,
      })
      expect(page.total).toBe(5)
      prompts.push(...page.posts.map(({ prompt }) => prompt))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(prompts).toEqual(['P5', 'P4', 'P3', 'P2', 'P1'])
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
