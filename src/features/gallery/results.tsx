import { lazy, useRef, useState } from 'react'
import type { Post } from '../../../shared/posts.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { useHydrated } from '../../browser/hydrated.ts'
import { useSession } from '../auth/session.ts'
import { Button } from '../../ui/button.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmptyGallery } from './empty-gallery.tsx'
import { LoadMore } from './load-more.tsx'
import { PostCard } from './post-card.tsx'
import { PostGrid, PostGridSkeleton, PostPlaceholder } from './post-grid.tsx'
import { slotsOf } from './trail.ts'
import type { Gallery } from './use-gallery.ts'
import { galleryPath } from './gallery-address.ts'

const EndlessGallery = lazy(() =>
  import('./endless-gallery.tsx').then((module) => ({ default: module.EndlessGallery })),
)

const DeletePost = lazy(() => import('./delete-post.tsx').then((module) => ({ default: module.DeletePost })))

const ReportPost = lazy(() => import('./report-post.tsx').then((module) => ({ default: module.ReportPost })))

/** The posts that were found, or why there are none. */
export function Results({ gallery }: { gallery: Gallery }) {
  const { viewer } = useSession()
  const [deleting, setDeleting] = useState<Post | null>(null)
  const [reporting, setReporting] = useState<Post | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const isHydrated = useHydrated()
  const { address, trail, view, slots, isLoading, hasPosts } = gallery
  const isWhole = slots.length === slotsOf(trail)
  return (
    <>
      <Notice action={<Button onClick={gallery.retry}>Try again</Button>}>
        {!isLoading && !gallery.firstPage && gallery.failure}
      </Notice>
      {hasPosts && (
        <PostGrid ref={list} isStale={isLoading} before={view?.before ?? 0} after={view?.after ?? 0}>
          {slots.map(({ key, index, post }) =>
            post ? (
              <PostCard
                key={key}
                post={post}
                index={index}
                listSize={isWhole ? null : gallery.total}
                mayDelete={viewer !== null && mayDelete(viewer, post)}
                mayReport={post.authorId !== viewer?.id}
                onDelete={setDeleting}
                onReport={setReporting}
              />
            ) : (
              <PostPlaceholder key={key} />
            ),
          )}
        </PostGrid>
      )}
      {!hasPosts && isLoading && <PostGridSkeleton />}
      {!hasPosts && !isLoading && gallery.firstPage && <EmptyGallery isSearch={address.search !== ''} />}
      {hasPosts && gallery.hasMore && (
        <LoadMore
          next={trail.next ? galleryPath(address.search, trail.next) : null}
          isLoading={gallery.isLoadingMore}
          failure={gallery.failedMore ? gallery.failure : null}
          onLoad={gallery.loadMore}
        />
      )}
      {hasPosts && isHydrated && (
        <LazyPart fallback={null}>
          <EndlessGallery gallery={gallery} list={list} />
        </LazyPart>
      )}
      {deleting && (
        <LazyPart fallback={null}>
          <DeletePost
            key={deleting.id}
            post={deleting}
            isOwn={deleting.authorId === viewer?.id}
            onClosed={() => setDeleting(null)}
          />
        </LazyPart>
      )}
      {reporting && (
        <LazyPart fallback={null}>
          <ReportPost key={reporting.id} post={reporting} onClosed={() => setReporting(null)} />
        </LazyPart>
      )}
    </>
  )
}

/** Who shared a post may delete it, and so may an administrator. */
function mayDelete(viewer: Viewer, post: Post): boolean {
  return post.authorId === viewer.id || viewer.isAdministrator === true
}
