import type { QueryClient } from '@tanstack/react-query'
import { pageSizeMax } from '../../shared/limits.ts'
import { listInput, listPath } from './list-address.ts'
import type { ListAddress, ListData } from '../../shared/page-data.ts'
import type { PostPage } from '../../shared/posts.ts'
import type { Api } from './trpc.ts'

/** First part of the query key of every page of posts. The path of the list and the cursor of the page follow. */
export const postsKey = 'posts'

/** In place of the cursor, for the newest posts of a list. */
export const newestKey = 'newest'

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
    ...(until !== null && list.order === 'new' && { until, limit: pageSizeMax }),
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
  return { ...postsQuery(api, list, null, null), queryKey: pageKey(list, newestKey) }
}

export function cacheFirstPage(queryClient: QueryClient, { firstPage, ...list }: ListData): void {
  queryClient.setQueryData<PostPage>(pageKey(list, list.cursor), firstPage)
}

export function cachedFirstPage(queryClient: QueryClient, list: ListAddress): PostPage | undefined {
  return queryClient.getQueryData<PostPage>(pageKey(list, list.cursor))
}
