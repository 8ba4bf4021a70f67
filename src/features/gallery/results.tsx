import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { Link } from 'wouter'
import { galleryAddress, listPath } from '../../api/list-address.ts'
import type { ListAddress, ListView } from '../../../shared/page-data.ts'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { createPath, pagePaths } from '../../../shared/routes.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { pageKeys } from '../../api/page-data.ts'
import { findNeighborButton } from '../../browser/apis.ts'
import { useHydrated } from '../../browser/use-hydrated.ts'
import { describeSource } from '../../images/image.tsx'
import { useSession } from '../auth/session.ts'
import { useOpenPost } from '../post/open-post.tsx'
import { EmptyMotif } from '../../ui/brand.tsx'
import { Button, buttonClass, RetryButton } from '../../ui/button.tsx'
import { examplePrompts } from '../../ui/example-prompts.ts'
import { lazyPart, Skeleton, Spinner } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkipLink } from '../../ui/text.tsx'
import { cardId, PostCard } from './post-card.tsx'
import styles from './results.module.css'
import { ratioOf, slotsOf } from './trail.ts'
import type { Gallery, Slot } from './use-gallery.ts'

const InfiniteGallery = lazyPart(async () => (await import('./infinite-gallery.tsx')).InfiniteGallery)

const DeletePost = lazyPart(async () => (await import('../post/post-dialogs.tsx')).DeletePost)

const LikePost = lazyPart(async () => (await import('../post/post-actions.tsx')).LikePost)

const ReportPost = lazyPart(async () => (await import('../post/post-dialogs.tsx')).ReportPost)

/** The posts that were found, or the reason why there are none. */
export function Results({ gallery, view: listView }: { gallery: Gallery; view: ListView }) {
  const { t } = useLingui()
  const { viewer } = useSession()
  const [deleting, setDeleting] = useState<Post | null>(null)
  const [reporting, setReporting] = useState<Post | null>(null)
  const [liking, setLiking] = useState<{ readonly post: Post; readonly press: number } | null>(null)
  const like = useCallback((post: Post) => setLiking((last) => ({ post, press: (last?.press ?? 0) + 1 })), [])
  const [, setIsLikeKnown] = useState(0)
  const queryClient = useQueryClient()
  const isLiked = ({ id }: Post) =>
    viewer !== null &&
    queryClient.getQueryData<PostDetails | null>(pageKeys.post(id, viewer.id))?.isLiked === true
  const list = useRef<HTMLUListElement>(null)
  const isHydrated = useHydrated()
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
  const showsSource = new Set(slots.flatMap(({ post }) => (post ? [describeSource(post)] : []))).size > 1
  return (
    <>
      <Notice action={<RetryButton onClick={gallery.retry} />}>
        {!isLoading && !gallery.firstPage && gallery.failure}
      </Notice>
      {hasPosts && (
        <div className={styles['posts']}>
          <SkipLink to="footer">{t`Skip to the footer`}</SkipLink>
          <ul
            ref={list}
            className={listView === 'shapes' ? styles['rows'] : styles['grid']}
            data-view={listView}
            data-lone={(gallery.total === 1 && address.search === '') || undefined}
            data-stale={isLoading || undefined}
            aria-label={t`Posts`}
            aria-busy={isLoading || undefined}
            {...(before + after > 0 && { style: { paddingBlock: `${before}px ${after}px` } })}
          >
            {slots.map(({ key, index, post }) =>
              post ? (
                <PostCard
                  key={key}
                  post={post}
                  index={index}
                  listSize={isFullyRendered ? null : gallery.total}
                  showsSource={showsSource}
                  shape={listView === 'shapes' ? shapeIn(slots, index, post) : null}
                  isLiked={isLiked(post)}
                  canDelete={viewer !== null && canDelete(viewer, post)}
                  canReport={post.authorId !== viewer?.id}
                  onOpen={openPost}
                  onLike={like}
                  onDelete={setDeleting}
                  onReport={setReporting}
                />
              ) : (
                <li key={key} className={styles['placeholder']} aria-hidden="true">
                  <Skeleton shape="square" />
                </li>
              ),
            )}
          </ul>
        </div>
      )}
      {!hasPosts && isLoading && <GridSkeleton />}
      {!hasPosts && !isLoading && gallery.firstPage && <EmptyGallery address={address} />}
      {hasPosts && gallery.hasMore && (
        <LoadMore
          nextPage={trail.next ? listPath({ ...address, cursor: trail.next }) : null}
          isLoading={gallery.isLoadingMore}
          failure={gallery.failedMore ? gallery.failure : null}
          onLoad={gallery.loadMore}
        />
      )}
      {hasPosts && !gallery.hasMore && <EndOfLikes address={address} />}
      {hasPosts && isHydrated && <InfiniteGallery gallery={gallery} list={list} />}
      {liking && (
        <LikePost key={liking.press} post={liking.post} onLoaded={() => setIsLikeKnown(liking.press)} />
      )}
      {deleting && (
        <DeletePost
          key={deleting.id}
          post={deleting}
          isOwn={deleting.authorId === viewer?.id}
          focusAfter={() => focusTargetAfter(deleting.id)}
          onClosed={() => setDeleting(null)}
        />
      )}
      {reporting && <ReportPost key={reporting.id} post={reporting} onClosed={() => setReporting(null)} />}
    </>
  )
}

/** The shape of an image in a row of whole images, on phones in a row of two. */
function shapeIn(slots: readonly Slot[], index: number, post: Post) {
  const ratio = ratioOf(post)
  const neighbor = slots[index - (slots[0]?.index ?? 0) + (index % 2 === 0 ? 1 : -1)]?.post
  const share = ratio / (ratio + (neighbor ? ratioOf(neighbor) : ratio))
  return { ratio, share: Math.round(share * 1000) / 1000 }
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

/** A button of the neighboring card; the page's heading if there is none. */
function focusTargetAfter(postId: string): HTMLElement | null {
  return findNeighborButton(cardId(postId)) ?? document.querySelector<HTMLElement>('main h1')
}

function canDelete(viewer: Viewer, post: Post): boolean {
  return post.authorId === viewer.id || viewer.role === 'administrator'
}

/** The number of posts, or that they are loading. `total` is null while unknown. */
export function ResultCount({ total, isLoading }: { total: number | null; isLoading: boolean }) {
  const { i18n, t } = useLingui()
  return (
    <div className={styles['status']}>
      {isLoading && <Spinner label={t`Loading posts`} />}
      <p className="quiet tabular" aria-live="polite">
        {isLoading ? t`Loading…` : total !== null && countSentence(total, i18n)}
      </p>
    </div>
  )
}

/** `Showing 1 post`, `Showing 12345 posts`. Digits are not grouped, as in the specification. */
function countSentence(total: number, i18n: I18n): string {
  const shown = i18n.number(total, { useGrouping: false })
  return i18n._(msg`Showing ${plural(total, { one: `${shown} post`, other: `${shown} posts` })}`)
}

/** Placeholders of the posts' size, to avoid a layout shift when those have loaded. */
function GridSkeleton() {
  return (
    <div className={styles['grid']} aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={styles['placeholder']}>
          <Skeleton shape="square" />
        </div>
      ))}
    </div>
  )
}

function EmptyGallery({ address }: { address: ListAddress }) {
  const { i18n, t } = useLingui()
  const { order, authorId } = address
  const isSearch = address.search !== ''
  const titles = {
    new: t`No Posts Yet`,
    week: t`Nothing Was Liked This Week`,
    month: t`Nothing Was Liked This Month`,
    all: t`Nothing Has Been Liked Yet`,
  }
  return (
    <section className={`stack wider card ${styles['empty']}`}>
      <EmptyMotif />
      <h2>{isSearch ? t`No Search Results Found` : titles[order]}</h2>
      <p className="quiet">
        {isSearch || order === 'new'
          ? t`Try changing your search or create a new post.`
          : t`Press the heart of a post that you enjoy.`}
      </p>
      {!isSearch && order === 'new' && authorId === null && (
        <ul className={`row ${styles['emptyActions']}`} aria-label={t`Prompts to start from`}>
          {examplePrompts.map((message) => {
            const prompt = i18n._(message)
            return (
              <li key={prompt}>
                <Link href={createPath(prompt)} className={`small hoverable ${styles['prompt']}`}>
                  {prompt}
                </Link>
              </li>
            )
          })}
        </ul>
      )}
      <div className={`row wider ${styles['emptyActions']}`}>
        {(isSearch || order !== 'new') && (
          <Link href={listPath({ ...galleryAddress, authorId })} className={buttonClass('plain')}>
            {t`Show all posts`}
          </Link>
        )}
        {(isSearch || order === 'new') && (
          <Link href={pagePaths.create} className={buttonClass(isSearch ? 'plain' : 'primary')}>
            {t`Make an image`}
          </Link>
        )}
      </div>
    </section>
  )
}

/** An alternative to infinite scrolling; before hydration, a link to the next page. */
function LoadMore(props: {
  /** Path of the next page; null until it is known. */
  nextPage: string | null
  isLoading: boolean
  failure: string | null
  onLoad: () => void
}) {
  const { t } = useLingui()
  const { nextPage, isLoading, failure } = props
  const isHydrated = useHydrated()
  return (
    <div className={`stack ${styles['more']}`}>
      <Notice>{failure}</Notice>
      {isHydrated || nextPage === null ? (
        <Button aria-disabled={isLoading} onClick={() => !isLoading && props.onLoad()}>
          {isLoading && <Spinner label={t`Loading more posts`} />}
          {t`Load more`}
        </Button>
      ) : (
        <a href={nextPage} rel="next" className={buttonClass('plain')}>
          {t`Next page`}
        </a>
      )}
    </div>
  )
}
