import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { pageSizeMax } from '../../shared/limits.ts'
import type { PageData } from '../../shared/page-data.ts'
import type { Post, PostPage } from '../../shared/posts.ts'
import { bypassHttpCache } from './client.ts'
import type { Api } from './trpc.ts'

/** First part of the query key of every page of posts. The search and the cursor follow. */
const postsKey = 'posts'

/** Creates the input of `posts.list` for a search. */
function listInput(search: string): { search?: string } {
  return search ? { search } : {}
}

/**
 * Query of one page of a search, newest posts first.
 *
 * @param cursor start of the page; null for the newest post
 * @param until start of the next page if known: the page then holds all posts up to there
 */
export function postsQuery(api: Api, search: string, cursor: string | null, until: string | null) {
  const input = {
    ...listInput(search),
    ...(cursor !== null && { cursor }),
    ...(until !== null && { until, limit: pageSizeMax }),
  }
  return {
    queryKey: [postsKey, search, cursor] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => api.client.posts.list.query(input, { signal }),
    // New posts must not move the ones on screen.
    refetchOnWindowFocus: false,
  }
}

/** Query of the newest posts of a search, cached apart from the page that the gallery shows. */
export function newestQuery(api: Api, search: string) {
  return { ...postsQuery(api, search, null, null), queryKey: [postsKey, search, 'newest'] as const }
}

/** Caches a first page for the gallery. */
export function cacheFirstPage(
  queryClient: QueryClient,
  { search, cursor, firstPage }: NonNullable<PageData['gallery']>,
): void {
  queryClient.setQueryData<PostPage>([postsKey, search, cursor], firstPage)
}

/** Returns the cached first page of a list, if any. */
export function cachedFirstPage(
  queryClient: QueryClient,
  { search, cursor }: { readonly search: string; readonly cursor: string | null },
): PostPage | undefined {
  return queryClient.getQueryData<PostPage>([postsKey, search, cursor])
}

/**
 * Shows a new post at the top of the gallery. Fetches the list without the HTTP cache, and adds the post if a proxy
 * returned a stale list.
 */
export async function showSharedPost(api: Api, queryClient: QueryClient, post: Post): Promise<void> {
  bypassHttpCache()
  await queryClient.cancelQueries({ queryKey: [postsKey] })
  const cached = cachedFirstPage(queryClient, { search: '', cursor: null })
  // If the request fails, uses the cached list; without one, the gallery loads its own.
  const firstPage = await api.client.posts.list.query(listInput('')).catch(() => cached)
  queryClient.removeQueries({ queryKey: [postsKey] })
  if (firstPage) {
    cacheFirstPage(queryClient, { search: '', cursor: null, firstPage: withPost(firstPage, post) })
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

function withPost(page: PostPage, post: Post): PostPage {
  if (page.posts.some(({ id }) => id === post.id)) return page
  // It was shared earlier, so it belongs further down.
  const newest = page.posts[0]
  if (newest && post.createdAt < newest.createdAt) return page
  return { ...page, posts: [post, ...page.posts], total: page.total + 1 }
}

function removeFromLists(queryClient: QueryClient, isRemoved: (post: Post) => boolean): void {
  const pages = queryClient.getQueriesData<PostPage>({ queryKey: [postsKey] })
  /** Ids of removed posts by search. A set, as two cached pages may hold the same post. */
  const removedBySearch = new Map<unknown, Set<string>>()
  for (const [key, page] of pages) {
    const removed = removedBySearch.get(searchOf(key)) ?? new Set()
    for (const post of page?.posts ?? []) if (isRemoved(post)) removed.add(post.id)
    removedBySearch.set(searchOf(key), removed)
  }
  for (const [key, page] of pages) {
    const removed = removedBySearch.get(searchOf(key))
    if (!page || !removed?.size) continue
    queryClient.setQueryData<PostPage>(key, {
      ...page,
      posts: page.posts.filter(({ id }) => !removed.has(id)),
      total: page.total - removed.size,
    })
  }
}

function searchOf(key: QueryKey): unknown {
  return key[1]
}
