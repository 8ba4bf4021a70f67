import { lazy, useState } from 'react'
import type { Post } from '../../shared/posts.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { Notice } from '../ui/notice.tsx'
import { EmptyGallery } from './empty-gallery.tsx'
import { LoadMore } from './load-more.tsx'
import { PostCard } from './post-card.tsx'
import { PostGrid, PostGridSkeleton } from './post-grid.tsx'
import type { usePosts } from './use-posts.ts'

const DeletePost = lazy(() => import('./delete-post.tsx').then((module) => ({ default: module.DeletePost })))

const ReportPost = lazy(() => import('./report-post.tsx').then((module) => ({ default: module.ReportPost })))

/** The posts that were found, or why there are none. */
export function Results({ found, isSearch }: { found: ReturnType<typeof usePosts>; isSearch: boolean }) {
  const { viewer } = useSession()
  const [deleting, setDeleting] = useState<Post | null>(null)
  const [reporting, setReporting] = useState<Post | null>(null)
  const { posts, isLoading } = found
  const hasPosts = posts !== null && posts.length > 0
  return (
    <>
      <Notice action={<Button onClick={found.retry}>Try again</Button>}>
        {!isLoading && !posts && found.failure}
      </Notice>
      {hasPosts && (
        <PostGrid isStale={isLoading}>
          {posts.map((post, index) => (
            <PostCard
              key={post.id}
              post={post}
              index={index}
              onDelete={viewer && mayDelete(viewer, post) ? () => setDeleting(post) : null}
              onReport={post.authorId === viewer?.id ? null : () => setReporting(post)}
            />
          ))}
        </PostGrid>
      )}
      {!hasPosts && isLoading && <PostGridSkeleton />}
      {!hasPosts && !isLoading && posts && <EmptyGallery isSearch={isSearch} />}
      {hasPosts && found.hasMore && (
        <LoadMore
          isLoading={found.isLoadingMore}
          failure={found.failedMore ? found.failure : null}
          onLoad={found.loadMore}
        />
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
