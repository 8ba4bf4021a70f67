import { isFinished, type Image } from '../../../shared/images.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'

/** Number of images per page. */
const pageSize = 24

/** Interval at which unfinished images are polled that this page doesn't watch. */
const pollIntervalMs = 5_000

/**
 * Loads the images of the signed-in user, newest first, page by page.
 *
 * @param watchedIds ids of the images that this page watches already
 */
export function useOwnImages(watchedIds: readonly (string | null)[]) {
  const query = trpc.images.list.useInfiniteQuery(
    { limit: pageSize },
    {
      getNextPageParam: (page) => page.nextCursor,
      refetchOnMount: 'always',
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ images }) =>
          images.some((one) => isUnfinished(one) && !watchedIds.includes(one.id)),
        )
          ? pollIntervalMs
          : false,
    },
  )
  // A failed refetch in the background keeps the loaded images, and is not shown.
  const isVisible = !query.data || query.isFetchNextPageError
  const failure = isVisible && query.error ? describeFailure(query.error) : null
  return {
    /** Null until loaded. */
    images: query.data?.pages.flatMap((page) => page.images) ?? null,
    /** True if they were loaded since the page was opened. */
    isCurrent: query.isFetchedAfterMount && query.isSuccess,
    failure: failure && (failure.message ?? 'Your images could not be loaded. Try again in a moment.'),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => query.fetchNextPage({ cancelRefetch: false }),
    retry: () => void query.refetch(),
  }
}

export type OwnImages = ReturnType<typeof useOwnImages>

/** Reports whether an image is queued or running. */
export function isUnfinished(image: Image): boolean {
  return !isFinished(image.state)
}
