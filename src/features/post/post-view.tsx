import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ElementType, ReactNode } from 'react'
import { Link } from 'wouter'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { authorPath, postPath } from '../../../shared/routes.ts'
import { useHydrated } from '../../browser/hydration.tsx'
import { averageColor } from '../../images/image.tsx'
import { DrawnFrom, RecipeRows } from '../../images/recipe.tsx'
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
  const { i18n, t } = useLingui()
  const related = useRelatedPosts(details)
  const { width, height } = post
  const prompt = post.prompt.trim()
  const isHeading = prompt !== '' && prompt.length <= headingLength && !prompt.includes('\n')
  const shape: object = { '--ratio': width / height, '--average': averageColor(post.placeholder) }
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
              <Title className={styles['title']} tabIndex={-1}>
                <UserText text={prompt} />
              </Title>
            ) : (
              <Title tabIndex={-1} className={styles['noTitle']}>
                <VisuallyHidden>{postTitle(post, i18n)}</VisuallyHidden>
              </Title>
            )}
            {!isHeading && prompt !== '' && <LongPrompt text={prompt} />}
            <div className={styles['promptLine']}>
              {post.isPromptHidden && (
                <span>{prompt ? t`Only you see this prompt.` : t`The author keeps the prompt private.`}</span>
              )}
              {details?.promptEditedAt != null && <span>{t({ message: 'Edited', context: 'prompt' })}</span>}
              {prompt !== '' && <CopyButton label={t`Copy prompt`} text={post.prompt} />}
            </div>
          </div>
          <PostActions post={post} details={details} onDeleted={onDeleted} />
          <dl className={styles['facts']}>
            <div>
              <dt>{t`Size`}</dt>
              <dd>{t`${width} × ${height} pixels`}</dd>
            </div>
            <div>
              <dt>{t({ message: 'Source', context: 'image' })}</dt>
              <dd>{i18n._(sourceSentence(post))}</dd>
            </div>
            {details?.isRemix && (
              <div>
                <dt>{t`Remix of`}</dt>
                <dd>
                  {details.parent === null ? (
                    t`A post that is no longer in the gallery`
                  ) : (
                    <Link href={postPath(details.parent)}>
                      {related?.parent ? (
                        <Trans>
                          <UserText text={postTitle(related.parent, i18n)} />, by{' '}
                          <UserText text={related.parent.name} />
                        </Trans>
                      ) : (
                        t`Another post`
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
              <summary>{t`Settings`}</summary>
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
  const { t } = useLingui()
  const isHydrated = useHydrated()
  const isSlow = hasLongRun(text)
  return (
    // Scrollable content must be reachable by keyboard.
    <UserText as="p" text={text} {...scrollable} className={styles['prompt']} aria-label={t`Prompt`}>
      {isSlow ? isHydrated ? <WrappedText text={text} /> : shorten(text) : text}
    </UserText>
  )
}

function sourceSentence({ source, engineKind }: Post): MessageDescriptor {
  if (source === 'uploaded') return msg`Uploaded by the author`
  return engineKind === 'rangoli' ? msg`Pattern drawn from the words of the prompt` : msg`Made by an AI model`
}
