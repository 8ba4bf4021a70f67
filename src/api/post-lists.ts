import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { pageSizeMax } from '../../shared/limits.ts'
import type { PageData } from '../../shared/page-data.ts'
import type { Post, PostPage } from '../../shared/posts.ts'
import { bypassHttpCache } from './client.ts'
import type { Api } from './trpc.ts'

/** The key of every page of every list of posts; then comes the search, then where the page begins. */
const lists = 'posts'

/** The input of `posts.list` for a search. */
function listInput(search: string): { search?: string } {
  return search ? { search } : {}
}

/**
 * One page of the posts that a search finds, newest first.
 *
 * @param cursor where it begins; null: at the newest
 * @param until where the next one begins, if that is known: then it holds all posts up to there
 */
export function postsQuery(api: Api, search: string, cursor: string | null, until: string | null) {
  const input = {
    ...listInput(search),
    ...(cursor !== null && { cursor }),
    ...(until !== null && { until, limit: pageSizeMax }),
  }
  return {
    queryKey: [lists, search, cursor] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => api.client.posts.list.query(input, { signal }),
    // New posts must not move what is looked at.
    refetchOnWindowFocus: false,
  }
}

/** The newest posts that a search finds, as they are now; the gallery shows them when it is asked to. */
export function newestQuery(api: Api, search: string) {
  return { ...postsQuery(api, search, null, null), queryKey: [lists, search, 'newest'] as const }
}

/** Puts a first page where the gallery will look for it. */
export function keepFirstPage(
  queryClient: QueryClient,
  { search, cursor, firstPage }: NonNullable<PageData['gallery']>,
): void {
  queryClient.setQueryData<PostPage>([lists, search, cursor], firstPage)
}

/** The first page that is kept of a list, if any. */
export function cachedFirstPage(
  queryClient: QueryClient,
  { search, cursor }: { readonly search: string; readonly cursor: string | null },
): PostPage | undefined {
  return queryClient.getQueryData<PostPage>([lists, search, cursor])
}

/**
 * Makes the gallery show a post that was just shared, first and at once: the list is fetched past every
 * HTTP cache, and a new post is put on top of it even where a cache in between ignores that.
 */
export async function showSharedPost(api: Api, queryClient: QueryClient, post: Post): Promise<void> {
  bypassHttpCache()
  await queryClient.cancelQueries({ queryKey: [lists] })
  const cached = cachedFirstPage(queryClient, { search: '', cursor: null })
  // Where the list cannot be fetched now, the one at hand will do; without one the gallery loads its own.
  const firstPage = await api.client.posts.list.query(listInput('')).catch(() => cached)
  queryClient.removeQueries({ queryKey: [lists] })
  if (firstPage) {
    keepFirstPage(queryClient, { search: '', cursor: null, firstPage: withPost(firstPage, post) })
  }
}

/** Takes a deleted post out of every list, and out of their counts. */
export function removePost(queryClient: QueryClient, id: string): void {
  bypassHttpCache()
  takeOut(queryClient, (post) => post.id === id)
}

/** Takes the posts that went with something else out of every list, and has the lists counted anew. */
export function removePosts(queryClient: QueryClient, isMissing: (post: Post) => boolean): void {
  bypassHttpCache()
  takeOut(queryClient, isMissing)
  void queryClient.invalidateQueries({ queryKey: [lists] })
}

/** Has every list loaded anew: posts came or went by an administrator's hand. */
export function reloadLists(queryClient: QueryClient): void {
  bypassHttpCache()
  void queryClient.invalidateQueries({ queryKey: [lists] })
}

function withPost(page: PostPage, post: Post): PostPage {
  if (page.posts.some(({ id }) => id === post.id)) return page
  // Shared before, and further down by now.
  const newest = page.posts[0]
  if (newest && post.createdAt < newest.createdAt) return page
  return { ...page, posts: [post, ...page.posts], total: page.total + 1 }
}

function takeOut(queryClient: QueryClient, isMissing: (post: Post) => boolean): void {
  const pages = queryClient.getQueriesData<PostPage>({ queryKey: [lists] })
  /** How many each search has lost; a page may be kept twice, the newest by itself too. */
  const lost = new Map<unknown, Set<string>>()
  for (const [key, page] of pages) {
    const gone = lost.get(searchOf(key)) ?? new Set()
    for (const post of page?.posts ?? []) if (isMissing(post)) gone.add(post.id)
    lost.set(searchOf(key), gone)
  }
  for (const [key, page] of pages) {
    const gone = lost.get(searchOf(key))
    if (!page || !gone?.size) continue
    queryClient.setQueryData<PostPage>(key, {
      ...page,
      posts: page.posts.filter(({ id }) => !gone.has(id)),
      total: page.total - gone.size,
    })
  }
}

function searchOf(key: QueryKey): unknown {
  return key[1]
}
