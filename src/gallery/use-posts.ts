import { keepPreviousData } from '@tanstack/react-query'
import { describeFailure } from '../api/failure.ts'
import { listInput } from '../api/post-lists.ts'
import { trpc } from '../api/trpc.ts'

const unreachable =
  'The gallery could not be loaded: the server did not answer. Check your connection and try again.'
const refused = 'The gallery could not be loaded. Try again in a moment.'

/** The gallery's posts, page after page, as the server finds them for a search. */
export function usePosts(search: string) {
  const query = trpc.posts.list.useInfiniteQuery(listInput(search), {
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    meta: { alertWhenUnreachable: unreachable },
  })
  const failure = query.error && describeFailure(query.error)
  return {
    posts: query.data?.pages.flatMap((page) => page.posts) ?? null,
    total: query.data?.pages.at(-1)?.total ?? 0,
    /** What is asked for is under way; `posts` are still those of the search before, if any. */
    isLoading: query.isPlaceholderData || (!query.data && query.isFetching),
    /** Why there are no posts, or no more of them. */
    failure: failure && (failure.kind === 'unreachable' ? unreachable : (failure.message ?? refused)),
    failedMore: query.isFetchNextPageError,
    hasMore: query.hasNextPage && !query.isPlaceholderData,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
    retry: () => void query.refetch(),
  }
}
