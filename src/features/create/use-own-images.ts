import { useLingui } from '@lingui/react/macro'
import { skipToken, useInfiniteQuery, useMutation, useQueries } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { isFinished, isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import { failureMessage } from '../../api/failure.ts'
import { pagesOf } from '../../api/pages.ts'
import { trpc, type RouterInputs } from '../../api/trpc.ts'
import type { Comparison } from '../../images/compare.tsx'
import type { Progress } from './progress.ts'

/** Number of images per page. */
const pageSize = 24

/** Says which of a user's images are listed. */
export type ImageList = Omit<Exclude<RouterInputs['images']['list'], void>, 'cursor'>

/** Part of the images of a screen, which is loaded when it comes near the viewport. */
export interface Section {
  /** A month such as `2026-11`; null for images that are not in the order of their creation. */
  readonly month: string | null
  readonly count: number
  readonly list: ImageList
}

/** Interval at which unfinished images are polled that this page doesn't watch. */
const pollIntervalMs = 5_000

/**
 * Loads images of the signed-in user, page by page.
 *
 * @param list null to load nothing yet
 * @param running batches that the page shows elsewhere; null if another part of the page keeps the list up to date
 */
export function useOwnImages(list: ImageList | null, running: readonly Progress[] | null = []) {
  const { i18n, t } = useLingui()
  const { client } = trpc.useUtils()
  const watched = new Set(running?.flatMap(({ images }) => images.map(({ id }) => id)))
  // Another key than that of any list that is loaded.
  const input = { limit: list ? pageSize : 1, ...list }
  const query = useInfiniteQuery({
    queryKey: getQueryKey(trpc.images.list, input, 'infinite'),
    ...pagesOf((cursor) => client.images.list.query({ ...input, cursor })),
    enabled: list !== null,
    refetchOnMount: running ? 'always' : false,
    refetchInterval: ({ state }) =>
      running &&
      state.data?.pages.some(({ images }) =>
        images.some(({ id, state: current }) => !isFinished(current) && !watched.has(id)),
      )
        ? pollIntervalMs
        : false,
  })
  // A failed refetch in the background keeps the loaded images, and is not shown.
  const isVisible = !query.data || query.isFetchNextPageError
  const images = query.data?.pages.flatMap((page) => page.images) ?? null
  return {
    /** Null until loaded. */
    images,
    /** Those of `images` that are listed: without canceled and watched ones. */
    listed: (images ?? []).filter(({ id, state }) => state !== 'canceled' && !watched.has(id)),
    /** Number of images on all pages, without canceled ones; null until loaded. */
    total: query.data?.pages.at(-1)?.total ?? null,
    /** True if they were loaded since the page was opened. */
    isCurrent: query.isFetchedAfterMount && query.isSuccess,
    failure:
      isVisible && query.error
        ? (failureMessage(query.error, i18n) ?? t`Your images could not be loaded. Try again in a moment.`)
        : null,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => query.fetchNextPage({ cancelRefetch: false }),
    retry: () => void query.refetch(),
  }
}

/** Returns the images that the form offers as reference images, which its page has loaded. */
export function useOfferedImages() {
  return useOwnImages({ filter: 'all' }, null)
}

/**
 * Returns what an own image can be compared with: what it was made from, as far as that exists, and the other images of its
 * request.
 */
export function useComparisons(image: SucceededImage | undefined, batch: readonly Image[]): Comparison[] {
  const { t } = useLingui()
  const { sourceImageId, referenceImageIds = [], remixOf = null } = image?.recipe ?? {}
  const sourceIds = [...(sourceImageId === undefined ? [] : [sourceImageId]), ...referenceImageIds]
  const { client } = trpc.useUtils()
  const sources = useQueries({
    queries: sourceIds.map((id) => ({
      queryKey: getQueryKey(trpc.images.get, { id }, 'query'),
      queryFn: () => client.images.get.query({ id }),
    })),
  })
  const { data: remixed } = trpc.posts.get.useQuery(remixOf === null ? skipToken : { id: remixOf })
  const others = batch.flatMap((one, index) => {
    const number = index + 1
    return isSucceeded(one) && one.id !== image?.id ? [{ label: t`Image ${number}`, image: one }] : []
  })
  return [
    ...sources.flatMap(({ data }) => (data && isSucceeded(data) ? [{ label: t`Before`, image: data }] : [])),
    ...(remixed && !remixed.isSensitive ? [{ label: t`Remixed post`, image: remixed }] : []),
    ...others,
  ]
}

/** @param isForEdit true for images that are not listed among those of the user */
export function useUpload(isForEdit = false) {
  const { i18n, t } = useLingui()
  const { upload, uploadForEdit } = trpc.useUtils().client.images
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: (form: FormData) => (isForEdit ? uploadForEdit : upload).mutate(form),
  })

  async function send(file: Blob): Promise<SucceededImage> {
    const form = new FormData()
    form.set('file', file)
    const image = await mutateAsync(form)
    if (!isSucceeded(image)) throw new Error('An upload has no image.')
    return image
  }

  return {
    send,
    /** Resolves to null if it failed, which `failure` explains. */
    upload: (file: File) => send(file).catch(() => null),
    isUploading: isPending,
    failure:
      error && (failureMessage(error, i18n) ?? t`The image could not be uploaded. Try again in a moment.`),
  }
}

/** Groups images, newest first, by the request that made them; those of one are in its order. */
export function batchesOf<Item extends Image>(images: readonly Item[]): Item[][] {
  const batches: Item[][] = []
  for (const image of images) {
    const last = batches.at(-1)
    // Choices in a prompt make images of different prompts.
    if (last?.[0]?.createdAt === image.createdAt) last.unshift(image)
    else batches.push([image])
  }
  return batches
}

/** Narrows an image to one that can be shared: its file is stored, and no administrator has hidden it. */
export function isShareable<Item extends Image>(image: Item): image is Item & SucceededImage {
  return isSucceeded(image) && !image.isHidden
}
