import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { MouseEvent } from 'react'
import { fitSizes, fitUrl } from '../../../shared/image-files.ts'
import type { Post } from '../../../shared/posts.ts'
import styles from './post-view.module.css'

/** The whole image, which links to its original. A sensitive one is blurred until it is clicked. */
export function PostImage({ post }: { post: Post }) {
  const { t } = useLingui()
  const [isRevealed, setIsRevealed] = useState(false)
  const isBlurred = post.isSensitive && !isRevealed

  function reveal(event: MouseEvent) {
    if (!isBlurred) return
    event.preventDefault()
    setIsRevealed(true)
  }

  return (
    <div className={styles['stage']}>
      <a
        href={post.photo}
        className={styles['original']}
        // The heading has the prompt.
        aria-label={isBlurred ? t`Show sensitive image` : t`Original image`}
        onClick={reveal}
      >
        <img
          className={styles['image']}
          src={post.photo}
          srcSet={sourceSet(post)}
          sizes={`(min-width: 64rem) min(100vw - 27rem, (100dvh - 8rem) * ${(post.width / post.height).toFixed(3)}), 100vw`}
          width={post.width}
          height={post.height}
          alt=""
          fetchPriority="high"
          data-blurred={isBlurred || undefined}
        />
        {isBlurred && <span className={styles['reveal']}>{t`Show sensitive image`}</span>}
      </a>
    </div>
  )
}

/** The uncropped copies and the original by their width. */
function sourceSet({ photo, width, height }: Post): string {
  const longest = Math.max(width, height)
  const copies = fitSizes
    .filter((size) => size < longest)
    .map((size) => `${fitUrl(photo, size)} ${Math.round((width * size) / longest)}w`)
  return [...copies, `${photo} ${width}w`].join(', ')
}
