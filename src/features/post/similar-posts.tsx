import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { trpc } from '../../api/trpc.ts'
import { useOpenPost } from './open-post.ts'
import { PostCards } from './post-cards.tsx'
import cardStyles from './post-cards.module.css'
import styles from './post-view.module.css'

/** Maximum number of posts: each of them leads on to others. */
const mostPosts = 200

/** Number of cards that are added as the end comes into view. */
const step = 24

/** The posts that go on from a post, in cards that are added while the page is scrolled. */
export function SimilarPosts({ postId, first }: { postId: string; first: readonly Post[] }) {
  const { t } = useLingui()
  const [shown, setShown] = useState(first.length)
  const { data: others } = trpc.posts.similar.useQuery(
    { id: postId, limit: mostPosts },
    { enabled: shown > first.length, staleTime: Infinity },
  )
  const known = new Set(first.map(({ id }) => id))
  const all = [...first, ...(others?.posts ?? []).filter(({ id }) => !known.has(id))]
  const posts = all.slice(0, shown)
  const more = () => setShown((count) => Math.max(count, posts.length + step))
  const hasMore = others === undefined || posts.length < all.length
  const openPost = useOpenPost({ posts, ...(hasMore && { loadMore: more }) })
  // Observed again after each step, as the end may still be in view.
  const observe = (end: HTMLElement) => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), {
      rootMargin: '50%',
    })
    observer.observe(end)
    return () => observer.disconnect()
  }
  return (
    <section className={`stack wider ${styles['related']} ${styles['relatedSection']}`}>
      <h2>{t`More like this`}</h2>
      <div className={cardStyles['posts']}>
        <PostCards
          slots={posts.map((post, index) => ({ key: post.id, index, post }))}
          label={t`More like this`}
          view="squares"
          listSize={null}
          isBelow
          onOpen={openPost}
        />
      </div>
      {hasMore && <div ref={(end) => (end ? observe(end) : undefined)} />}
    </section>
  )
}
