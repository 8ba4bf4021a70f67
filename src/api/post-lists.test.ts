import { getQueryKey } from '@trpc/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Post, PostPage } from '../../shared/posts.ts'
import { listInput, removePost, seedGallery, showSharedPost } from './post-lists.ts'
import { createQueryClient } from './query-client.ts'
import { trpc } from './trpc.ts'
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
  seedGallery(queryClient, { search: '', firstPage: page('b', 'a') })
  seedGallery(queryClient, { search: 'lotus', firstPage: page('a') })
})

function shown(search = '') {
  const key = getQueryKey(trpc.posts.list, listInput(search), 'infinite')
  const first = queryClient.getQueryData<{ pages: PostPage[] }>(key)?.pages[0]
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

test('and where the list cannot be fetched now', async () => {
  const failing = vi.fn<() => Promise<PostPage>>().mockRejectedValue(new Error('offline'))
  await showSharedPost(apiAnswering(failing), queryClient, shared)
  expect(shown()).toEqual({ ids: ['new', 'b', 'a'], total: 3 })
})

test('a deleted post leaves every list that had it', () => {
  removePost(queryClient, 'b')
  expect(shown()).toEqual({ ids: ['a'], total: 1 })
  expect(shown('lotus')).toEqual({ ids: ['a'], total: 1 })
})
