import { memo } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { thumbnailSizes, thumbnailUrl } from '../../../shared/image-files.ts'
import { averageColour } from '../../images/average-colour.ts'
import { alternativeText } from './describe-post.ts'
import styles from './post-card.module.css'
import { PostFacts } from './post-facts.tsx'

/**
 * As wide as the grid of post-grid.module.css makes a card; the browser picks a thumbnail by it. A phone has 92vw and is
 * told less: its screen has more pixels than are seen of an image, and they cost most where the network is slowest.
 */
const sizes = '(min-width: 64rem) 24vw, (min-width: 48rem) 31vw, (min-width: 30rem) 46vw, 60vw'

/** How many images load at once, before it is known which ones are in sight: the widest grid's first row. */
const firstRow = 4

/** The element id of a post's card. */
export function cardId(postId: string): string {
  return `post-${postId}`
}

/** One post: its image, and on hover or focus what made it. Made once, as scrolling renders the list often. */
export const PostCard = memo(function PostCard(props: {
  post: Post
  index: number
  /** How many posts the list has in all, where not all of them are in the document. */
  listSize: number | null
  mayDelete: boolean
  mayReport: boolean
  onDelete: (post: Post) => void
  onReport: (post: Post) => void
}) {
  const { post, index, listSize, mayDelete, mayReport, onDelete, onReport } = props
  return (
    <li
      id={cardId(post.id)}
      {...(listSize !== null && { 'aria-posinset': index + 1, 'aria-setsize': listSize })}
    >
      <article className={styles['card']}>
        <img
          className={styles['image']}
          src={thumbnailUrl(post.photo, 640)}
          srcSet={thumbnailSizes.map((size) => `${thumbnailUrl(post.photo, size)} ${size}w`).join(', ')}
          sizes={sizes}
          width={post.width}
          height={post.height}
          alt={alternativeText(post)}
          loading={index < firstRow ? 'eager' : 'lazy'}
          fetchPriority={index === 0 ? 'high' : 'auto'}
          decoding="async"
          style={{ backgroundColor: averageColour(post.placeholder) }}
        />
        <PostFacts
          post={post}
          onDelete={mayDelete ? () => onDelete(post) : null}
          onReport={mayReport ? () => onReport(post) : null}
        />
      </article>
    </li>
  )
})
