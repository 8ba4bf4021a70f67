import { beforeEach, expect, test, vi } from 'vitest'
import type { Post, PostPage } from '../../shared/posts.ts'
import { keepFirstPage, newestQuery, postsQuery, removePost, showSharedPost } from './post-lists.ts'
import { createQueryClient } from './query-client.ts'
import type { Api } from './trpc.ts'

function page(...ids: string[]): PostPage {
  const posts = ids.map((id) => ({ id }) as Post)
  return { posts, total: ids.length, nextCursor: null }
}

/** Stands for the one call that is made. */
function apiAnswering(list: () => Promise<PostPage>): Api {
  return { client: { posts: { list: { query: list } } } } as unknown as Api
}

const shared = { id: 'new' } as Post
let queryClient = createQueryClient()

beforeEach(() => {
  queryClient = createQueryClient()
  keepFirstPage(queryClient, { search: '', cursor: null, firstPage: page('b', 'a') })
  keepFirstPage(queryClient, { search: 'lotus', cursor: null, firstPage: page('a') })
})

const api = apiAnswering(async () => page())

function shown(search = '') {
  const first = queryClient.getQueryData<PostPage>(postsQuery(api, search, null, null).queryKey)
  return first && { ids: first.posts.map(({ id }) => id), total: first.total }
}

test('a shared post comes first, where the server lists it', async () => {
  await showSharedPost(
    apiAnswering(async () => page('new', 'b', 'a')),
    queryClient,
    shared,
  )
  expect(shown()).toEqual({ ids: ['new', 'b', 'a'], total: 3 })
  expect(shown('lotus')).toBeUndefined()
})

test('and where a cache in between still has the list from before', async () => {
  await showSharedPost(
    apiAnswering(async () => page('b', 'a')),
    queryClient,
    shared,
  )
  expect(shown()).toEqual({ ids: ['new', 'b', 'a'], total: 3 })
})

test('a post that was shared before stays where it is', async () => {
  const posts = [{ id: 'b', createdAt: '2026-11-22T10:00:00.000Z' } as Post]
  const older = { id: 'a', createdAt: '2026-11-21T10:00:00.000Z' } as Post
  const list = async () => ({ posts, total: 25, nextCursor: 'cursor of b' })
  await showSharedPost(apiAnswering(list), queryClient, older)
  expect(shown()).toEqual({ ids: ['b'], total: 25 })
})

test('and where the list cannot be fetched now', async () => {
  const failing = vi.fn<() => Promise<PostPage>>().mockRejectedValue(new Error('offline'))
  await showSharedPost(apiAnswering(failing), queryClient, shared)
  expect(shown()).toEqual({ ids: ['new', 'b', 'a'], total: 3 })
})

test('a deleted post leaves every list that had it', () => {
  const second = postsQuery(api, '', 'cursor of a', null).queryKey
  const newest = newestQuery(api, '').queryKey
  queryClient.setQueryData(second, { posts: [{ id: 'older' }], total: 2, nextCursor: null })
  queryClient.setQueryData(newest, page('b', 'a'))
  removePost(queryClient, 'b')
  expect(shown()).toEqual({ ids: ['a'], total: 1 })
  expect(queryClient.getQueryData(newest)).toEqual(page('a'))
  expect(queryClient.getQueryData(second)).toMatchObject({ posts: [{ id: 'older' }], total: 1 })
  expect(shown('lotus')).toEqual({ ids: ['a'], total: 1 })
})
