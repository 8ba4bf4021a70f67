import { QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { galleryAddress } from './list-address.ts'
import type { Post, PostPage } from '../../shared/posts.ts'
import { pageKeys } from './page-data.ts'
import { removePosts, showSharedPost } from './post-changes.ts'
import { cacheFirstPage, newestQuery, postsQuery } from './post-lists.ts'
import { createQueryClient } from './query-client.ts'
import type { Api } from './trpc.ts'

function page(...ids: string[]): PostPage {
  const posts = ids.map((id) => ({ id }) as Post)
  return { posts, total: ids.length, nextCursor: null }
}

/** Stub of the API with `posts.list` only. */
function apiWith(list: () => Promise<PostPage>): Api {
  return { client: { posts: { list: { query: list } } } } as unknown as Api
}

const lotus = { ...galleryAddress, search: 'lotus' }
const shared = { id: 'new' } as Post
let queryClient = createQueryClient()

beforeEach(() => {
  queryClient = createQueryClient()
  cacheFirstPage(queryClient, { ...galleryAddress, firstPage: page('b', 'a') })
  cacheFirstPage(queryClient, { ...lotus, firstPage: page('a') })
})

const api = apiWith(async () => page())

function shown(list = galleryAddress) {
  const first = queryClient.getQueryData<PostPage>(postsQuery(api, list, null, null).queryKey)
  return first && { ids: first.posts.map(({ id }) => id), total: first.total }
}

test.each([
  ['the server lists it', async () => page('new', 'b', 'a')],
  ['a proxy returns a stale list', async () => page('b', 'a')],
  ['the list can’t be fetched', () => Promise.reject(new Error('offline'))],
])('shows a shared post first if %s', async (_, list) => {
  await showSharedPost(apiWith(list), queryClient, shared)
  expect(shown()).toEqual({ ids: ['new', 'b', 'a'], total: 3 })
  expect(shown(lotus)).toBeUndefined()
})

test('does not move a post that was shared earlier', async () => {
  const posts = [{ id: 'b', createdAt: '2026-11-22T10:00:00.000Z' } as Post]
  const older = { id: 'a', createdAt: '2026-11-21T10:00:00.000Z' } as Post
  const list = async () => ({ posts, total: 25, nextCursor: 'cursor of b' })
  await showSharedPost(apiWith(list), queryClient, older)
  expect(shown()).toEqual({ ids: ['b'], total: 25 })
})

test('removes a deleted post from every list that has it', () => {
  const second = postsQuery(api, galleryAddress, 'cursor of a', null).queryKey
  const newest = newestQuery(api, galleryAddress).queryKey
  queryClient.setQueryData(second, { posts: [{ id: 'older' }], total: 2, nextCursor: null })
  queryClient.setQueryData(newest, page('b', 'a'))
  removePosts(queryClient, ({ id }) => id === 'b')
  expect(shown()).toEqual({ ids: ['a'], total: 1 })
  expect(queryClient.getQueryData(newest)).toEqual(page('a'))
  expect(queryClient.getQueryData(second)).toMatchObject({ posts: [{ id: 'older' }], total: 1 })
  expect(shown(lotus)).toEqual({ ids: ['a'], total: 1 })
})

test('forgets every post of a deleted image', () => {
  const [deleted, other] = [pageKeys.post('b', null), pageKeys.post('c', null)]
  queryClient.setQueryData(deleted, { id: 'b', photo: '1.jpg' })
  queryClient.setQueryData(other, { id: 'c', photo: '2.jpg' })
  removePosts(queryClient, ({ photo }) => photo === '1.jpg')
  expect(queryClient.getQueryData(deleted)).toBeUndefined()
  expect(queryClient.getQueryData(other)).toMatchObject({ id: 'c' })
})

test('a change asks again for what the first answer has not shown yet', async () => {
  const answers = ['new', 'old']
  const observer = new QueryObserver<string>(queryClient, {
    queryKey: ['post'],
    queryFn: async () => answers.pop() ?? '',
  })
  observer.subscribe(() => {})
  await queryClient.invalidateQueries({ queryKey: ['post'] })
  expect(observer.getCurrentResult().data).toBe('new')
})
