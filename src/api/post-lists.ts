import { getQueryKey } from '@trpc/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { PageData } from '../../shared/page-data.ts'
import type { Post, PostPage } from '../../shared/posts.ts'
import { bypassHttpCache } from './client.ts'
import { trpc } from './trpc.ts'
import type { Api } from './trpc.ts'

type PostPages = InfiniteData<PostPage, string | null>

/** The input of `posts.list` for a search; every reader and writer of the cache goes through it. */
export function listInput(search: string): { search?: string } {
  return search ? { search } : {}
}

/** Puts the page of posts that came with the document where the gallery will look for it. */
export function seedGallery(queryClient: QueryClient, gallery: PageData['gallery']): void {
  if (!gallery) return
  const key = getQueryKey(trpc.posts.list, listInput(gallery.search), 'infinite')
  queryClient.setQueryData<PostPages>(key, { pages: [gallery.firstPage], pageParams: [null] })
}

/**
 * Makes the gallery show a post that was just shared, first and at once: the list is fetched past every
 * HTTP cache, and the post is put on top of it even where a cache in between ignores that.
 */
export async function showSharedPost(api: Api, queryClient: QueryClient, post: Post): Promise<void> {
  bypassHttpCache()
  const whole = getQueryKey(trpc.posts.list, listInput(''), 'infinite')
  const all = getQueryKey(trpc.posts.list, undefined, 'any')
  await queryClient.cancelQueries({ queryKey: all })
  const cached = queryClient.getQueryData<PostPages>(whole)?.pages[0]
  // Where the list cannot be fetched now, the one at hand will do; without one the gallery loads its own.
  const firstPage = await api.client.posts.list.query(listInput('')).catch(() => cached)
  queryClient.removeQueries({ queryKey: all })
  if (firstPage) {
    queryClient.setQueryData<PostPages>(whole, { pages: [withPost(firstPage, post)], pageParams: [null] })
  }
}

/** Takes a deleted post out of every list, and out of their counts. */
export function removePost(queryClient: QueryClient, id: string): void {
  bypassHttpCache()
  const lists = { queryKey: getQueryKey(trpc.posts.list, undefined, 'infinite') }
  queryClient.setQueriesData<PostPages>(lists, (list) => list && withoutPosts(list, (post) => post.id === id))
}

/** Takes the posts that went with something else out of every list, and has the lists counted anew. */
export function removePosts(queryClient: QueryClient, isGone: (post: Post) => boolean): void {
  bypassHttpCache()
  const lists = { queryKey: getQueryKey(trpc.posts.list, undefined, 'infinite') }
  queryClient.setQueriesData<PostPages>(lists, (list) => list && withoutPosts(list, isGone))
  void queryClient.invalidateQueries(lists)
}

/** Has every list loaded anew: posts came or went by an administrator's hand. */
export function reloadLists(queryClient: QueryClient): void {
  bypassHttpCache()
  void queryClient.invalidateQueries({ queryKey: getQueryKey(trpc.posts.list, undefined, 'infinite') })
}

function withPost(page: PostPage, post: Post): PostPage {
  if (page.posts.some(({ id }) => id === post.id)) return page
  return { ...page, posts: [post, ...page.posts], total: page.total + 1 }
}

function withoutPosts(list: PostPages, isGone: (post: Post) => boolean): PostPages {
  const gone = list.pages.flatMap((page) => page.posts.filter(isGone)).length
  if (gone === 0) return list
  const pages = list.pages.map((page) => ({
    ...page,
    posts: page.posts.filter((post) => !isGone(post)),
    total: page.total - gone,
  }))
  return { ...list, pages }
}
