import { useId, useState } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { describeSource } from '../../images/describe-source.ts'
import { useDownload } from '../../images/use-download.ts'
import { DeleteIcon, DownloadIcon, ReportIcon } from '../../ui/icons.tsx'
import { Initial } from '../../ui/initial.tsx'
import { Notice } from '../../ui/notice.tsx'
import { WrappedText } from '../../ui/wrapped-text.tsx'
import { collapsedPrompt, isLongPrompt } from './describe-post.ts'
import styles from './post-card.module.css'

/** What made an image and what can be done with it: over the image, or below it where nothing hovers. */
export function PostFacts(props: {
  post: Post
  onDelete: (() => void) | null
  onReport: (() => void) | null
}) {
  const { post, onDelete, onReport } = props
  const [isOpen, setIsOpen] = useState(false)
  const { failure, download } = useDownload(post)
  const promptId = useId()
  return (
    <div className={styles['facts']} data-open={isOpen || undefined}>
      <div className={styles['text']}>
        <p
          id={promptId}
          className={styles['prompt']}
          // Open, a long prompt scrolls, and what scrolls must be in reach of the keyboard.
          {...(isOpen && { tabIndex: 0, role: 'group', 'aria-label': 'The whole prompt' })}
        >
          {isOpen ? <WrappedText text={post.prompt} /> : collapsedPrompt(post.prompt)}
        </p>
        {isLongPrompt(post.prompt) && (
          <button
            type="button"
            className={styles['more']}
            aria-expanded={isOpen}
            aria-controls={promptId}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Less' : 'More'}
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
        {onReport && (
          <button type="button" className={styles['action']} aria-label="Report post" onClick={onReport}>
            <ReportIcon />
          </button>
        )}
        {onDelete && (
          <button type="button" className={styles['action']} aria-label="Delete post" onClick={onDelete}>
            <DeleteIcon />
          </button>
        )}
      </div>
    </div>
  )
}
