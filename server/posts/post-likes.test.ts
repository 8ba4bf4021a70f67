import { beforeAll, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { deleteAccountData } from '../users/delete-account.ts'

const server = shareTestServer()
let asha: TestUser
let others: readonly TestUser[]
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp()
  others = await Promise.all(Array.from({ length: 4 }, () => server().signUp()))
  meera = await signUpAdministrator(server())
})

const share = async (prompt: string) => (await asha.share(prompt)).id

const visitor = () => server().client().posts

test('counts the like of each user once, however many of their calls arrive at the same time', async () => {
  const id = await share('A lotus')
  const calls = [asha, ...others].flatMap(({ trpc }) =>
    Array.from({ length: 4 }, () => trpc.posts.like.mutate({ id })),
  )
  for (const { isLiked } of await Promise.all(calls)) expect(isLiked).toBe(true)
  expect(await visitor().get.query({ id })).toMatchObject({ likeCount: 5, isLiked: false })
  expect((await visitor().list.query({ search: 'lotus' })).posts).toMatchObject([{ id, likeCount: 5 }])
  const removals = Array.from({ length: 4 }, () => asha.trpc.posts.unlike.mutate({ id }))
  for (const answer of await Promise.all(removals)) expect(answer).toEqual({ likeCount: 4, isLiked: false })
  expect(await asha.trpc.posts.get.query({ id })).toMatchObject({ likeCount: 4, isLiked: false })
  expect(await others[0]?.trpc.posts.get.query({ id })).toMatchObject({ likeCount: 4, isLiked: true })
})

test('keeps likes exact while likes, removals and changes of the post arrive at the same time', async () => {
  const id = await share('A river')
  await Promise.all([
    ...others.map(({ trpc }) => trpc.posts.like.mutate({ id })),
    asha.trpc.posts.update.mutate({ id, name: 'Asha Rao' }),
    asha.trpc.posts.update.mutate({ id, visibility: 'unlisted' }),
    asha.trpc.posts.like.mutate({ id }),
  ])
  await asha.trpc.posts.unlike.mutate({ id })
  expect((await visitor().get.query({ id })).likeCount).toBe(others.length)
})

test('rejects likes of a post that was deleted, is hidden or is private to another user', async () => {
  const [deleted, hidden, secret] = [await share('Gone'), await share('Hidden'), await share('Secret')]
  await asha.trpc.posts.delete.mutate({ id: deleted })
  await meera.trpc.moderation.hide.mutate({ id: hidden })
  await asha.trpc.posts.update.mutate({ id: secret, visibility: 'private' })
  for (const id of [deleted, hidden, secret, 'unknown'])
    await expect(others[0]?.trpc.posts.like.mutate({ id })).rejects.toMatchObject({
      message: 'Post not found.',
      data: { httpStatus: 404 },
    })
})

test('removes likes with the account of the user', async () => {
  const id = await share('A lamp')
  const [ravi, kamala] = [await server().signUp(), await server().signUp()]
  for (const { trpc } of [ravi, kamala]) await trpc.posts.like.mutate({ id })
  await deleteAccountData(server().services, ravi.id, { posts: 'remove' })
  expect((await visitor().get.query({ id })).likeCount).toBe(1)
  await expect(ravi.trpc.posts.like.mutate({ id })).rejects.toThrow(
    'This account has been deleted or closed.',
  )
})
