import { memo, useId, useState } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { thumbnailSizes, thumbnailUrl } from '../../../shared/image-files.ts'
import { averageColor, describeSource } from '../../images/image.tsx'
import { useDownload } from '../../images/load-image.ts'
import { DeleteIcon, DownloadIcon, ReportIcon } from '../../ui/icons.tsx'
import { hasLongRun, Initial, shorten, WrappedText } from '../../ui/text.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './post-card.module.css'

/**
 * Widths of a card in the grid of results.module.css, from which the browser picks a thumbnail. A phone's card is 92vw
 * wide; it gets a smaller value because its screen shows less detail than its pixel density suggests, and its network is
 * often the slowest.
 */
const sizes = '(min-width: 64rem) 24vw, (min-width: 48rem) 31vw, (min-width: 30rem) 46vw, 60vw'

/** Number of images that load eagerly: the first row of the widest grid. */
const eagerImages = 4

/** Maximum length of a collapsed prompt, in characters: more than two lines on the widest screen. */
const collapsedPromptLength = 400

/** Element id of a post's card. */
export function cardId(postId: string): string {
  return `post-${postId}`
}

interface PostCardProps {
  readonly post: Post
  readonly index: number
  /** Total number of posts; null if all of them are in the document. */
  readonly listSize: number | null
  readonly canDelete: boolean
  readonly canReport: boolean
  readonly onDelete: (post: Post) => void
  readonly onReport: (post: Post) => void
}

/** One post of the gallery. Memoized, because scrolling renders the list often. */
export const PostCard = memo(function PostCard(props: PostCardProps) {
  const { post, index, listSize } = props
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
          loading={index < eagerImages ? 'eager' : 'lazy'}
          fetchPriority={index === 0 ? 'high' : 'auto'}
          decoding="async"
          style={{ backgroundColor: averageColor(post.placeholder) }}
        />
        <PostDetails {...props} />
      </article>
    </li>
  )
})

/** Prompt, author and actions: an overlay on hover and focus, or below the image on devices without hover. */
function PostDetails({ post, canDelete, canReport, onDelete, onReport }: PostCardProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const { failure, download } = useDownload('posts', post.id)
  const promptId = useId()
  return (
    <div className={styles['details']} data-expanded={isExpanded || undefined}>
      <div className={styles['text']}>
        <p
          id={promptId}
          className={styles['prompt']}
          // An expanded prompt may scroll, and scrollable content must be reachable by keyboard.
          {...(isExpanded && { tabIndex: 0, role: 'group', 'aria-label': 'The whole prompt' })}
        >
          {isExpanded ? <WrappedText text={post.prompt} /> : collapsedPrompt(post.prompt)}
        </p>
        {isLongPrompt(post.prompt) && (
          <button
            type="button"
            className={styles['more']}
            aria-expanded={isExpanded}
            aria-controls={promptId}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? 'Less' : 'More'}
          </button>
        )}
        <div className={styles['byline']}>
          <Initial name={post.name} />
          <span className={styles['author']}>{post.name}</span>
          <span className={styles['source']}>{describeSource(post)}</span>
        </div>
        <Notice>{failure}</Notice>
      </div>
      <div className={styles['actions']}>
        <button
          type="button"
          className={styles['action']}
          aria-label="Download image"
          onClick={() => void download()}
        >
          <DownloadIcon />
        </button>
        {canReport && (
          <button
            type="button"
            className={styles['action']}
            aria-label="Report post"
            onClick={() => onReport(post)}
          >
            <ReportIcon />
          </button>
        )}
        {canDelete && (
          <button
            type="button"
            className={styles['action']}
            aria-label="Delete post"
            onClick={() => onDelete(post)}
          >
            <DeleteIcon />
          </button>
        )}
      </div>
    </div>
  )
}

/** Alternative text of a post's image: its prompt, shorten. */
export function alternativeText(post: Pick<Post, 'prompt' | 'name'>): string {
  const prompt = post.prompt.trim()
  return prompt ? shorten(prompt) : `Image by ${post.name}`
}

/** Checks whether a prompt may not fit on a collapsed card. */
function isLongPrompt(prompt: string): boolean {
  return prompt.length > 80 || prompt.includes('\n')
}

/** Shortens a prompt whose layout would be slow. @see WrappedText */
function collapsedPrompt(prompt: string): string {
  return hasLongRun(prompt) ? shorten(prompt, collapsedPromptLength) : prompt
}
