import type { ElementType, ReactNode } from 'react'
import { Link } from 'wouter'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { authorPath, postPath } from '../../../shared/routes.ts'
import { useHydrated } from '../../browser/hydration.tsx'
import { averageColor } from '../../images/image.tsx'
import { DrawnFrom } from '../../images/drawn-from.tsx'
import { RecipeRows } from '../../images/recipe-rows.tsx'
import { hasLongRun, Initial, shorten, VisuallyHidden } from '../../ui/text.tsx'
import { WrappedText } from '../../ui/wrapped-text.tsx'
import { CopyButton } from './copy-button.tsx'
import { PostActions } from './post-actions.tsx'
import { PostImage } from './post-image.tsx'
import { postTitle } from './post-title.ts'
import styles from './post-view.module.css'
import { RelatedLists } from './related-lists.tsx'
import { RelativeTime } from './relative-time.tsx'
import { useRelatedPosts } from './use-post.ts'
import { UserText } from '../../ui/user-text.tsx'

/** Prompts of at most this length, in code units, are the heading. */
const headingLength = 140

interface PostViewProps {
  readonly post: Post
  /** Null while they are loading. */
  readonly details: PostDetails | null
  /** Element of the heading. */
  readonly Title: ElementType<{ className?: string | undefined; tabIndex: -1; children: ReactNode }>
  /** True in a dialog, which has a limited height. */
  readonly isOverlay?: boolean
  /** Called when the post is deleted. */
  readonly onDeleted: () => void
}

/** A post: its whole image, its prompt and author, and what a visitor can do with it. */
export function PostView({ post, details, Title, isOverlay = false, onDeleted }: PostViewProps) {
  const related = useRelatedPosts(details)
  const prompt = post.prompt.trim()
  const isHeading = prompt !== '' && prompt.length <= headingLength && !prompt.includes('\n')
  const shape: object = { '--ratio': post.width / post.height, '--average': averageColor(post.placeholder) }
  return (
    <article className={styles['post']} data-overlay={isOverlay || undefined} style={shape}>
      <PostImage post={post} />
      <div className={styles['side']}>
        <div className={styles['panel']}>
          <div className={styles['byline']}>
            <Initial name={post.name} />
            <Link href={authorPath(post.authorId)} className={styles['author']}>
              <UserText text={post.name} />
            </Link>
            <span className={styles['date']}>
              <RelativeTime at={post.createdAt} />
            </span>
          </div>
          <div className={styles['text']}>
            {isHeading ? (
              <UserText as={Title} text={prompt} className={styles['title']} tabIndex={-1} />
            ) : (
              <Title tabIndex={-1} className={styles['noTitle']}>
                <VisuallyHidden>{postTitle(post)}</VisuallyHidden>
              </Title>
            )}
            {!isHeading && prompt !== '' && <LongPrompt text={prompt} />}
            <div className={styles['promptLine']}>
              {post.isPromptHidden && (
                <span>{prompt ? 'Only you see this prompt.' : 'The author keeps the prompt private.'}</span>
              )}
              {details?.promptEditedAt != null && <span>Edited</span>}
              {prompt !== '' && <CopyButton label="Copy prompt" text={post.prompt} />}
            </div>
          </div>
          <PostActions post={post} details={details} onDeleted={onDeleted} />
          <dl className={styles['facts']}>
            <div>
              <dt>Size</dt>
              <dd>{`${post.width} × ${post.height} pixels`}</dd>
            </div>
            <div>
              <dt>Source</dt>
              <dd>{sourceSentence(post)}</dd>
            </div>
            {details?.isRemix && (
              <div>
                <dt>Remix of</dt>
                <dd>
                  {details.parent === null ? (
                    'A post that is no longer in the gallery'
                  ) : (
                    <Link href={postPath(details.parent)}>
                      {related?.parent ? (
                        <>
                          <UserText text={postTitle(related.parent)} />, by{' '}
                          <UserText text={related.parent.name} />
                        </>
                      ) : (
                        'Another post'
                      )}
                    </Link>
                  )}
                </dd>
              </div>
            )}
          </dl>
          {details?.recipe && <DrawnFrom words={details.recipe.drawnFrom} />}
          {details?.recipe && (
            <details className={styles['settings']}>
              <summary>Settings</summary>
              <RecipeRows recipe={details.recipe} />
            </details>
          )}
        </div>
        {related && <RelatedLists post={post} related={related} />}
      </div>
    </article>
  )
}

const scrollable = { tabIndex: 0, role: 'group' }

/** A prompt of several lines, as typed. */
function LongPrompt({ text }: { text: string }) {
  const isHydrated = useHydrated()
  const isSlow = hasLongRun(text)
  return (
    // Scrollable content must be reachable by keyboard.
    <UserText as="p" text={text} {...scrollable} className={styles['prompt']} aria-label="Prompt">
      {isSlow ? isHydrated ? <WrappedText text={text} /> : shorten(text) : text}
    </UserText>
  )
}

function sourceSentence({ source, engineKind }: Post): string {
  if (source === 'uploaded') return 'Uploaded by the author'
  return engineKind === 'rangoli' ? 'Pattern drawn from the words of the prompt' : 'Made by an AI model'
}
