import { useLingui } from '@lingui/react/macro'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useRouter } from 'wouter'
import type { ListAddress } from '../../../shared/page-data.ts'
import type { PostPage } from '../../../shared/posts.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { listAddressIn, listPath } from '../../api/list-address.ts'
import { cacheFirstPage, cachedFirstPage, postsQuery } from '../../api/post-lists.ts'
import { trpc, type Api } from '../../api/trpc.ts'
import type { Slot } from '../post/post-cards.tsx'
import { pagesBetween, slotsOf, startTrail, withNextPage, withPage, type Trail } from './trail.ts'

/** The range of slots that is rendered, and the height of the others above and below it, in pixels. */
export interface View {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly after: number
}

/** The list that the page shows. The posts of the current address may not have loaded yet. */
interface Shown {
  readonly address: ListAddress
  readonly trail: Trail
  /** Null if the whole trail is rendered. */
  readonly view: View | null
}

export type Gallery = ReturnType<typeof useGallery>

/** Loads the posts of a list page by page. */
export function useGallery(address: ListAddress) {
  const { i18n, t } = useLingui()
  const unreachable = t`The gallery could not be loaded: the server did not respond. Check your connection and try again.`
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const initial = (): Shown => ({ address, trail: startTrail(address.cursor), view: null })
  const [shown, setShown] = useState(initial)

  // The posts of the previous list stay until the first page of the new one has loaded or failed.
  const isOther = listPath(shown.address) !== listPath(address)
  const { trail, view } = shown
  const first = useQuery({
    ...pageQuery(api, address, isOther ? startTrail(address.cursor) : trail, 0),
    ...(trail.pages.length > 1 && !isOther && { staleTime: Infinity }),
    meta: { alertWhenUnreachable: unreachable },
  })
  if (isOther && !first.isPending) setShown(initial)

  const inView = pagesBetween(trail, view?.from ?? 0, view?.to ?? slotsOf(trail))
  const others = inView.filter(({ index }) => index > 0)
  const loaded = useQueries({
    queries: others.map(({ index }) => ({
      ...pageQuery(api, shown.address, trail, index),
      staleTime: Infinity,
    })),
  })

  const staleFirst = isOther ? cachedFirstPage(queryClient, shown.address) : first.data
  const pages = new Map([
    [0, staleFirst],
    ...others.map(({ index }, at) => [index, loaded[at]?.data] as const),
  ])
  let updated = trail
  for (const [index, page] of pages) {
    if (page) updated = withPage(updated, trail.pages[index]?.cursor ?? null, page, shown.address.order)
  }
  if (!isOther && updated !== trail) setShown({ ...shown, trail: updated })

  const last =
    trail.pages.length === 1
      ? first
      : loaded[others.findIndex(({ index }) => index === trail.pages.length - 1)]
  const error = last?.error
  const failure =
    describeFailure(error).kind === 'unreachable'
      ? unreachable
      : (failureMessage(error, i18n) ?? t`The gallery could not be loaded. Try again in a moment.`)
  return {
    address: shown.address,
    trail,
    view,
    slots: slotsIn(trail, view, pages),
    hasPosts: staleFirst !== undefined && slotsOf(trail) > 0,
    firstPage: staleFirst,
    total: first.data?.total ?? 0,
    /** The first page is loading; `slots` are those of the previous list, if any. */
    isLoading: first.isFetching && !first.data,
    /** Message for the user if loading posts, or more of them, has failed. */
    failure: error ? failure : null,
    failedMore: trail.pages.length > 1 && (last?.isError ?? false),
    hasMore: !isOther && trail.next !== null,
    canLoadMore: !isOther && typeof trail.next === 'string',
    isLoadingMore: trail.pages.length > 1 && (last?.isFetching ?? false),
    loadMore() {
      if (last?.isError) void last.refetch()
      else setShown((now) => ({ ...now, trail: withNextPage(now.trail) }))
    },
    retry: () => void first.refetch(),
    setView: (next: View | null) => setShown((now) => ({ ...now, view: next })),
    resume(saved: Trail, savedView: View | null) {
      setShown((now) => ({ ...now, trail: saved, view: savedView }))
      const end = saved.pages[1]?.cursor ?? saved.next
      // The first page that came with the document may end at another post.
      if (cachedFirstPage(queryClient, address)?.nextCursor === end) return
      void queryClient.prefetchQuery({ ...pageQuery(api, address, saved, 0), staleTime: 0 })
    },
    /** Starts again with the newest posts, from an address without a cursor. */
    startOver(firstPage: PostPage) {
      cacheFirstPage(queryClient, { ...address, firstPage })
      setShown({ address, trail: withPage(startTrail(null), null, firstPage), view: null })
    },
  }
}

function pageQuery(api: Api, list: ListAddress, { pages }: Trail, index: number) {
  return postsQuery(api, list, pages[index]?.cursor ?? null, pages[index + 1]?.cursor ?? null)
}

function slotsIn(trail: Trail, view: View | null, pages: ReadonlyMap<number, PostPage | undefined>): Slot[] {
  const from = view?.from ?? 0
  const to = view?.to ?? slotsOf(trail)
  return pagesBetween(trail, from, to).flatMap(({ page: { cursor, count }, index, start: pageStart }) => {
    const start = Math.max(from - pageStart, 0)
    const end = Math.min(to - pageStart, count)
    return Array.from({ length: end - start }, (_, at) => {
      const post = pages.get(index)?.posts[start + at] ?? null
      return { key: `${cursor} ${post?.id ?? start + at}`, index: pageStart + start + at, post }
    })
  })
}

/** The list of posts of the current URL. */
export function useListAddress(): ListAddress {
  const router = useRouter()
  const [path] = useLocation()
  // Not wouter's useSearch, which decodes a term like "50%25" twice.
  return listAddressIn(path, router.searchHook(router))
}
