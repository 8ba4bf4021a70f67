import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import type { RelatedPosts } from '../../shared/page-data.ts'
import type { Post, PostPage } from '../../shared/posts.ts'
import { bypassHttpCache } from './client.ts'
import { galleryAddress } from './list-address.ts'
import { pageKeys } from './page-data.ts'
import { cachedFirstPage, cacheFirstPage, postsKey } from './post-lists.ts'
import { trpc, type Api } from './trpc.ts'

/**
 * Shows a new post at the top of the gallery. Fetches the list without the HTTP cache, and adds the post if a proxy
 * returned a stale list.
 */
export async function showSharedPost(api: Api, queryClient: QueryClient, post: Post): Promise<void> {
  bypassHttpCache()
  await queryClient.cancelQueries({ queryKey: [postsKey] })
  const cached = cachedFirstPage(queryClient, galleryAddress)
  // If the request fails, uses the cached list; without one, the gallery loads its own.
  const firstPage = await api.client.posts.list.query().catch(() => cached)
  queryClient.removeQueries({ queryKey: [postsKey] })
  if (firstPage) {
    cacheFirstPage(queryClient, { ...galleryAddress, firstPage: withPost(firstPage, post) })
  }
}

/** Removes all matching posts from every cached list, and refetches the lists for their totals. Forgets those that are not shown. */
export function removePosts(queryClient: QueryClient, isRemoved: (post: Post) => boolean): void {
  bypassHttpCache()
  removeFromLists(queryClient, isRemoved)
  // Back and Forward lead to their addresses.
  queryClient.removeQueries({
    queryKey: pageKeys.allPosts,
    type: 'inactive',
    predicate: ({ state: { data } }) => Boolean(data) && isRemoved(data as Post),
  })
  void queryClient.invalidateQueries({ queryKey: [postsKey] })
}

/** Reloads a post that turned out to be gone, and the lists without it. */
export function removeMissingPost(queryClient: QueryClient, id: string): void {
  removePosts(queryClient, (post) => post.id === id)
  void queryClient.invalidateQueries({ queryKey: pageKeys.everyPost(id) })
}

/** Refetches every list after an administrator has hidden or unhidden posts. */
export function reloadLists(queryClient: QueryClient): void {
  bypassHttpCache()
  void queryClient.invalidateQueries({ queryKey: [postsKey] })
}

function withPost(page: PostPage, post: Post): PostPage {
  if (page.posts.some(({ id }) => id === post.id)) return page
  // It was shared earlier, so it belongs further down.
  const newest = page.posts[0]
  if (newest && post.createdAt < newest.createdAt) return page
  return { ...page, posts: [post, ...page.posts], total: page.total + 1 }
}

function removeFromLists(queryClient: QueryClient, isRemoved: (post: Post) => boolean): void {
  const pages = queryClient.getQueriesData<PostPage>({ queryKey: [postsKey] })
  for (const [key, page] of pages) {
    const ofList = pages.flatMap(([other, one]) => (one && other[1] === key[1] ? one.posts : []))
    // Two cached pages may hold the same post.
    const removed = new Set(ofList.filter(isRemoved).map(({ id }) => id))
    if (!page || removed.size === 0) continue
    queryClient.setQueryData<PostPage>(key, {
      ...page,
      posts: page.posts.filter(({ id }) => !removed.has(id)),
      total: page.total - removed.size,
    })
  }
  changeRelatedPosts(queryClient, (post) => (isRemoved(post) ? [] : [post]))
}

/** Changes or leaves out the posts that are shown with another one. */
export function changeRelatedPosts(queryClient: QueryClient, change: (post: Post) => readonly Post[]): void {
  queryClient.setQueriesData<RelatedPosts>(
    { queryKey: pageKeys.allRelated },
    (all) =>
      all && {
        parent: (all.parent && change(all.parent)[0]) ?? null,
        remixes: all.remixes.flatMap(change),
        moreByAuthor: all.moreByAuthor.flatMap(change),
        similar: all.similar.flatMap(change),
      },
  )
  queryClient.setQueriesData<{ readonly posts: readonly Post[] }>(
    { queryKey: getQueryKey(trpc.posts.similar) },
    (all) => all && { posts: all.posts.flatMap(change) },
  )
}
