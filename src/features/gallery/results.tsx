import type { I18n } from '@lingui/core'
import { msg, select } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { listPath } from '../../api/list-address.ts'
import type { ListAddress, ListView } from '../../../shared/page-data.ts'
import type { Post } from '../../../shared/posts.ts'
import { useHydrated } from '../../browser/hydration.ts'
import { useOpenPost } from '../post/open-post.ts'
import { Button, buttonClass, RetryButton } from '../../ui/button.tsx'
import { lazyPart, Spinner } from '../../ui/loading.tsx'
import type { MenuItems } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkipLink } from '../../ui/text.tsx'
import { GridSkeleton, PostCards } from '../post/post-cards.tsx'
import cardStyles from '../post/post-cards.module.css'
import styles from './results.module.css'
import { slotsOf } from './trail.ts'
import type { Gallery } from './use-gallery.ts'

/** Loaded before a document without posts is hydrated. */
export const EmptyGallery = lazyPart(async () => (await import('./empty-gallery.tsx')).EmptyGallery)

const InfiniteGallery = lazyPart(async () => (await import('./infinite-gallery.tsx')).InfiniteGallery)

/** The posts that were found, or the reason why there are none. */
export function Results(props: {
  gallery: Gallery
  view: ListView
  itemsOf: ((post: Post) => MenuItems) | undefined
}) {
  const { gallery, view: listView } = props
  const { t } = useLingui()
  const list = useRef<HTMLUListElement>(null)
  const { address, trail, view, slots, isLoading, hasPosts } = gallery
  const isFullyRendered = slots.length === slotsOf(trail)
  const before = view?.before ?? 0
  const after = view?.after ?? 0
  const openPost = useOpenPost({
    posts: slots.flatMap(({ post }) => post ?? []),
    first: slots[0]?.index ?? 0,
    total: gallery.total,
    ...(gallery.canLoadMore && isFullyRendered && { loadMore: gallery.loadMore }),
  })
  return (
    <>
      <Notice action={<RetryButton onClick={gallery.retry} />}>
        {!isLoading && !gallery.firstPage && gallery.failure}
      </Notice>
      {hasPosts && (
        <div className={cardStyles['posts']}>
          <SkipLink to="footer">{t`Skip to the footer`}</SkipLink>
          <PostCards
            slots={slots}
            label={t`Posts`}
            view={listView}
            listSize={isFullyRendered ? null : gallery.total}
            itemsOf={props.itemsOf}
            onOpen={openPost}
            list={{
              ref: list,
              'aria-busy': isLoading || undefined,
              ...(before + after > 0 && { style: { paddingBlock: `${before}px ${after}px` } }),
            }}
            isLone={gallery.total === 1 && address.search === ''}
          />
        </div>
      )}
      {!hasPosts && isLoading && <GridSkeleton />}
      {!hasPosts && !isLoading && gallery.firstPage && <EmptyGallery address={address} />}
      {hasPosts && gallery.hasMore && (
        <div className={`stack ${styles['more']}`}>
          <Notice>{gallery.failedMore && gallery.failure}</Notice>
          <LoadMore gallery={gallery} />
        </div>
      )}
      {hasPosts && !gallery.hasMore && <EndOfLikes address={address} />}
      {hasPosts && <InfiniteGallery gallery={gallery} list={list} />}
    </>
  )
}

/** Loads more posts, before hydration as a page of their own. Hydration ends by rendering only this again. */
function LoadMore({ gallery }: { gallery: Gallery }) {
  const { t } = useLingui()
  const { next } = gallery.trail
  if (useHydrated() || !next) {
    return (
      <Button isBusy={gallery.isLoadingMore} onClick={gallery.loadMore}>
        {gallery.isLoadingMore && <Spinner label={t`Loading more posts`} />}
        {t`Load more`}
      </Button>
    )
  }
  return (
    // An alternative to infinite scrolling.
    <a href={listPath({ ...gallery.address, cursor: next })} rel="next" className={buttonClass('plain')}>
      {t`Next page`}
    </a>
  )
}

/** Says that a list of the most liked posts is complete. */
function EndOfLikes({ address: { order, search } }: { address: ListAddress }) {
  const { t } = useLingui()
  if (order === 'new' || search !== '') return null
  const sentences = {
    week: t`Nothing else was liked this week.`,
    month: t`Nothing else was liked this month.`,
    all: t`Nothing else has been liked yet.`,
  }
  return <p className={`quiet ${styles['end']}`}>{sentences[order]}</p>
}

/** The number of posts, or that they are loading. `total` is null while unknown. */
export function ResultCount({ total, isLoading }: { total: number | null; isLoading: boolean }) {
  const { i18n, t } = useLingui()
  return (
    <div className={`beside tight ${styles['status']}`}>
      {isLoading && <Spinner label={t`Loading posts`} />}
      <p className="quiet tabular" aria-live="polite">
        {isLoading ? t`Loading…` : total !== null && countSentence(total, i18n)}
      </p>
    </div>
  )
}

/** `Showing 1 post`, `Showing 12345 posts`. Digits are not grouped, as in the specification. */
function countSentence(total: number, i18n: I18n): string {
  // Not `plural`, which formats the number: the first number format of a tab takes a slow phone 60 ms.
  const form = new Intl.PluralRules(i18n.locale).select(total)
  return i18n._(msg`Showing ${select(form, { one: `${total} post`, other: `${total} posts` })}`)
}
