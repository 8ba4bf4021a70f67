import type { QueryClient } from '@tanstack/react-query'
import { pageSizeMax } from '../../shared/limits.ts'
import { galleryAddress, listInput, listPath } from './list-address.ts'
import type { ListAddress, ListData } from '../../shared/page-data.ts'
import type { Post, PostPage } from '../../shared/posts.ts'
import { bypassHttpCache } from './client.ts'
import type { Api } from './trpc.ts'

/** First part of the query key of every page of posts. The path of the list and the cursor of the page follow. */
const postsKey = 'posts'

function pageKey(list: ListAddress, cursor: string | null) {
  return [postsKey, listPath({ ...list, cursor: null }), cursor] as const
}

/**
 * Query of one page of a list.
 *
 * @param cursor start of the page; null for the first post
 * @param until start of the next page if known: in the newest order, the page then holds all posts up to there
 */
export function postsQuery(api: Api, list: ListAddress, cursor: string | null, until: string | null) {
  const input = {
    ...listInput(list),
    ...(cursor !== null && { cursor }),
    ...(until !== null &&
      list.order === 'new' &&
      list.collectionId === null && { until, limit: pageSizeMax }),
  }
  return {
    queryKey: pageKey(list, cursor),
    queryFn: ({ signal }: { signal: AbortSignal }) => api.client.posts.list.query(input, { signal }),
    // New posts must not move the ones on screen.
    refetchOnWindowFocus: false,
  }
}

/** Query of the newest posts of a list, cached apart from the page that the gallery shows. */
export function newestQuery(api: Api, list: ListAddress) {
  return { ...postsQuery(api, list, null, null), queryKey: pageKey(list, 'newest') }
}

/** Caches the first page of a list. */
export function cacheFirstPage(queryClient: QueryClient, { firstPage, ...list }: ListData): void {
  queryClient.setQueryData<PostPage>(pageKey(list, list.cursor), firstPage)
}

/** Returns the cached first page of a list, if any. */
export function cachedFirstPage(queryClient: QueryClient, list: ListAddress): PostPage | undefined {
  return queryClient.getQueryData<PostPage>(pageKey(list, list.cursor))
}

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

/** Removes a deleted post from every cached list and its total. */
export function removePost(queryClient: QueryClient, id: string): void {
  bypassHttpCache()
  removeFromLists(queryClient, (post) => post.id === id)
}

/** Removes all matching posts from every cached list, and refetches the lists for their totals. */
export function removePosts(queryClient: QueryClient, isRemoved: (post: Post) => boolean): void {
  bypassHttpCache()
  removeFromLists(queryClient, isRemoved)
  void queryClient.invalidateQueries({ queryKey: [postsKey] })
}

/** Refetches every list after an administrator has hidden or unhidden posts. */
export function reloadLists(queryClient: QueryClient): void {
  bypassHttpCache()
  void queryClient.invalidateQueries({ queryKey: [postsKey] })
}

/** Changes a post in every cached list. */
export function updateListedPost(queryClient: QueryClient, id: string, change: Partial<Post>): void {
  bypassHttpCache()
  queryClient.setQueriesData<PostPage>(
    { queryKey: [postsKey] },
    (page) =>
      page && { ...page, posts: page.posts.map((post) => (post.id === id ? { ...post, ...change } : post)) },
  )
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
}
