import { keepPreviousData } from '@tanstack/react-query'
import type { ManagedUser } from '../../../shared/admin-users.ts'
import { trpc } from '../../api/trpc.ts'

/** Number of users per page. */
const pageSize = 50

/** Loads users page by page. The list of an earlier search stays until the next one has loaded. */
export function useUsers(search: string) {
  const query = trpc.admin.users.list.useInfiniteQuery(
    { search, limit: pageSize },
    {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      // Loading many pages again would take long: a new visit begins with the first.
      gcTime: 0,
      staleTime: Infinity,
      refetchOnWindowFocus: false,
    },
  )
  const { data } = query
  return {
    /** Null until loaded. */
    users: data?.pages.flatMap((page) => page.users) ?? null,
    total: data?.pages[0]?.total ?? 0,
    /** True if they are those of the search. */
    isCurrent: data !== undefined && !query.isPlaceholderData,
    error: query.error,
    hasMore: query.hasNextPage && !query.isPlaceholderData,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => query.fetchNextPage({ cancelRefetch: false }),
    retry: () => void (data && !query.isPlaceholderData ? query.fetchNextPage() : query.refetch()),
  }
}

/** Functions that update the loaded list after a change, without loading its pages again. */
export function useUserCache(search: string) {
  const { list } = trpc.useUtils().admin.users

  type Page = NonNullable<ReturnType<typeof list.getInfiniteData>>['pages'][number]

  function changePages(change: (page: Page) => Page): void {
    list.setInfiniteData(
      { search, limit: pageSize },
      (data) => data && { ...data, pages: data.pages.map(change) },
    )
  }

  return {
    replace(changed: ManagedUser): void {
      changePages((page) => ({
        ...page,
        users: page.users.map((user) => (user.id === changed.id ? changed : user)),
      }))
    },
    remove(userId: string): void {
      changePages((page) => ({
        ...page,
        users: page.users.filter(({ id }) => id !== userId),
        total: page.total - 1,
      }))
    },
  }
}

export type UserCache = ReturnType<typeof useUserCache>
