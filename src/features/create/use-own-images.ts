import { isFinished, type Image } from '../../../shared/images.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'

/** Images on one page. */
const pageSize = 24

/** How often, in milliseconds, it is asked how an image goes on that nobody follows here. */
const glance = 5_000

/**
 * Everything that the signed-in user had made here, newest first, page after page.
 *
 * @param followed id of the image that is followed elsewhere on this page
 */
export function useOwnImages(followed: string | null) {
  const query = trpc.images.list.useInfiniteQuery(
    { limit: pageSize },
    {
      getNextPageParam: (page) => page.nextCursor,
      refetchOnMount: 'always',
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ images }) => images.some((one) => isUnfinished(one) && one.id !== followed))
          ? glance
          : false,
    },
  )
  // One that failed in the background leaves what is there, and is nobody's concern.
  const isFelt = !query.data || query.isFetchNextPageError
  const failure = isFelt && query.error ? describeFailure(query.error) : null
  return {
    /** Null until they are known. */
    images: query.data?.pages.flatMap((page) => page.images) ?? null,
    /** Whether they were asked for since the page was opened. */
    isCurrent: query.isFetchedAfterMount && query.isSuccess,
    failure: failure && (failure.message ?? 'Your images could not be loaded. Try again in a moment.'),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => query.fetchNextPage({ cancelRefetch: false }),
    retry: () => void query.refetch(),
  }
}

export type OwnImages = ReturnType<typeof useOwnImages>

/** Whether an image is still being made. */
export function isUnfinished(image: Image): boolean {
  return !isFinished(image.state)
}
