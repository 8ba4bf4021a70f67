import { beforeAll, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { deleteAccountData } from '../users/account-data.ts'

const server = shareTestServer()
let asha: TestUser
let others: readonly TestUser[]
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp()
  others = await Promise.all(Array.from({ length: 4 }, () => server().signUp()))
  meera = await signUpAdministrator(server())
})

async function share(prompt: string): Promise<string> {
  const { id: imageId } = await asha.generate(prompt)
  return (await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId })).id
}

const likesOf = async (id: string) => (await server().client().posts.get.query({ id })).likeCount

test('posts.like counts each user once, however many of their calls arrive at the same time', async () => {
  const id = await share('A lotus')
  const calls = [asha, ...others].flatMap(({ trpc }) =>
    Array.from({ length: 4 }, () => trpc.posts.like.mutate({ id })),
  )
  for (const { isLiked } of await Promise.all(calls)) expect(isLiked).toBe(true)
  expect(await likesOf(id)).toBe(5)
  const { posts } = await server().client().posts.list.query({ search: 'A lotus' })
  expect(posts).toMatchObject([{ id, likeCount: 5 }])
})

test('posts.unlike removes the like of the caller only, and may be repeated', async () => {
  const id = await share('A pond')
  await Promise.all(others.map(({ trpc }) => trpc.posts.like.mutate({ id })))
  const removals = others
    .slice(0, 1)
    .flatMap(({ trpc }) => Array.from({ length: 4 }, () => trpc.posts.unlike.mutate({ id })))
  for (const answer of await Promise.all(removals)) expect(answer).toEqual({ likeCount: 3, isLiked: false })
  expect(await likesOf(id)).toBe(3)
})

test('posts.get reports whether the caller likes the post', async () => {
  const id = await share('A heron')
  expect(await asha.trpc.posts.like.mutate({ id })).toEqual({ likeCount: 1, isLiked: true })
  expect(await asha.trpc.posts.get.query({ id })).toMatchObject({ likeCount: 1, isLiked: true })
  expect(await others[0]?.trpc.posts.get.query({ id })).toMatchObject({ likeCount: 1, isLiked: false })
  expect(await server().client().posts.get.query({ id })).toMatchObject({ likeCount: 1, isLiked: false })
})

test('likes are kept exact while likes, removals and changes of the post arrive at the same time', async () => {
  const id = await share('A river')
  await Promise.all([
    ...others.map(({ trpc }) => trpc.posts.like.mutate({ id })),
    asha.trpc.posts.update.mutate({ id, name: 'Asha Rao' }),
    asha.trpc.posts.update.mutate({ id, visibility: 'unlisted' }),
    asha.trpc.posts.like.mutate({ id }),
  ])
  await asha.trpc.posts.unlike.mutate({ id })
  expect(await likesOf(id)).toBe(others.length)
})

test('a post that was deleted, is hidden or is private to another user can’t be liked', async () => {
  const [deleted, hidden, secret] = [await share('Gone'), await share('Hidden'), await share('Secret')]
  await asha.trpc.posts.delete.mutate({ id: deleted })
  await meera.trpc.moderation.hide.mutate({ id: hidden })
  await asha.trpc.posts.update.mutate({ id: secret, visibility: 'private' })
  for (const id of [deleted, hidden, secret, 'unknown']) {
    const call = others[0]?.trpc.posts.like.mutate({ id })
    await expect(call).rejects.toMatchObject({ message: 'Post not found.', data: { httpStatus: 404 } })
  }
})

test('likes disappear with the account of the user', async () => {
  const id = await share('A lamp')
  const [ravi, kamala] = [await server().signUp(), await server().signUp()]
  for (const { trpc } of [ravi, kamala]) await trpc.posts.like.mutate({ id })
  await deleteAccountData(server().services, ravi.id, { posts: 'remove' })
  expect(await likesOf(id)).toBe(1)
  await expect(ravi.trpc.posts.like.mutate({ id })).rejects.toMatchObject({
    message: 'This account has been deleted or closed.',
  })
})
