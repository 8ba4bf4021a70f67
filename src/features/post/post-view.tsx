import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { RelatedPosts } from '../../../shared/page-data.ts'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { authorPath, postPath } from '../../../shared/routes.ts'
import { pageKeys } from '../../api/page-data.ts'
import { postQuery, readRelatedPosts } from '../../api/post-details.ts'
import { trpc } from '../../api/trpc.ts'
import { useHydrated } from '../../browser/hydration.ts'
import { withOtherMessages } from '../../i18n/messages.ts'
import type { Comparison } from '../../images/compare.tsx'
import { averageColor, SmallImage } from '../../images/image.tsx'
import { DrawnFrom, ImageFact, RecipeRows } from '../../images/recipe.tsx'
import { WholeImage } from '../../images/whole-image.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { hasLongRun, Initial, shorten, useLanguageOf, UserText, VisuallyHidden } from '../../ui/text.tsx'
import { WrappedText } from '../../ui/wrapped-text.tsx'
import { useSession } from '../auth/session.ts'
import { useOpenPost } from './open-post.ts'
import { PostActions } from './post-actions.tsx'
import { PostCards } from './post-cards.tsx'
import cardStyles from './post-cards.module.css'
import { alternativeText, postTitle } from './post-texts.ts'
import styles from './post-view.module.css'

/** Loaded before the page of a hidden post is rendered. */
export const HiddenPost = lazyPart(
  async () => (await withOtherMessages(import('./hidden-post.tsx'))).HiddenPost,
)

const ImageViewer = lazyPart(async () => (await import('../../images/image-viewer.tsx')).ImageViewer)

/** Prompts of at most this length, in code units, are the heading. */
const headingLength = 140

interface PostProps {
  readonly post: Post
  /** Null while they are loading. */
  readonly details: PostDetails | null
  readonly onDeleted: () => void
}

/** The page of a post: its whole image, which opens in the viewer, and all about it. */
export function PostView({ post, details, onDeleted }: PostProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { i18n } = useLingui()
  const related = useRelatedPosts(details)
  const isWide = post.width > 2 * post.height
  const shape: object = { '--ratio': post.width / post.height, '--average': averageColor(post.placeholder) }
  return (
    <article className={styles['post']} style={shape} data-wide={isWide || undefined}>
      <WholeImage
        image={post}
        // The heading has the prompt.
        text=""
        className={styles['image']}
        // Slightly under the real width on phones: the next larger file has four times the pixels.
        sizes={`(min-width: 64rem) min(100vw - ${isWide ? 6 : 27}rem, (100dvh - 8rem) * ${(post.width / post.height).toFixed(3)}), (min-width: 30rem) 100vw, 85vw`}
        onOpen={() => setIsOpen(true)}
      />
      <PostPanel post={post} details={details} related={related} Title="h1" onDeleted={onDeleted} />
      {related && <RelatedLists post={post} related={related} />}
      {related && related.similar.length > 0 && <SimilarPosts postId={post.id} first={related.similar} />}
      {isOpen && (
        <ImageViewer
          images={[post]}
          shownId={post.id}
          onShow={() => {}}
          others={remixLineOf(post, related, i18n)}
          text={alternativeText(post, i18n)}
          onClosed={() => setIsOpen(false)}
        />
      )}
    </article>
  )
}

/** The side of the viewer: all about a post. */
export function PostSide(props: PostProps) {
  const { t } = useLingui()
  const related = useRelatedPosts(props.details)
  return (
    <article className="stack widest">
      <PostPanel {...props} related={related} Title="h2" />
      {related && <RelatedLists post={props.post} related={related} />}
      <PostGrid title={t`More like this`} posts={related?.similar ?? []} />
    </article>
  )
}

/** Prompt and author of a post, and what a visitor can do with it. */
function PostPanel(props: PostProps & { related: RelatedPosts | undefined; Title: 'h1' | 'h2' }) {
  const { post, details, related, Title, onDeleted } = props
  const { i18n, t } = useLingui()
  const { width, height } = post
  const prompt = post.prompt.trim()
  const isHeading = prompt !== '' && prompt.length <= headingLength && !prompt.includes('\n')
  return (
    <div className={`stack ${styles['panel']}`}>
      <div className={styles['byline']}>
        <Initial name={post.name} userId={post.authorId} />
        <Link href={authorPath(post.authorId)} className={`plainLink strong reachable ${styles['author']}`}>
          <UserText text={post.name} className="ellipsis" />
        </Link>
        <span className="quiet small">
          <RelativeTime at={post.createdAt} />
        </span>
      </div>
      <div className="stack tightest">
        {isHeading ? (
          <Title className={`breakable ${styles['title']}`} tabIndex={-1}>
            <UserText text={prompt} />
          </Title>
        ) : (
          <Title tabIndex={-1} className={styles['noTitle']}>
            <VisuallyHidden>{postTitle(post, i18n)}</VisuallyHidden>
          </Title>
        )}
        {!isHeading && prompt !== '' && <LongPrompt text={prompt} />}
        <div className={`row quiet small ${styles['promptLine']}`}>
          {post.isPromptHidden && (
            <span>{prompt ? t`Only you see this prompt.` : t`The author keeps the prompt private.`}</span>
          )}
          {details?.promptEditedAt != null && <span>{t({ message: 'Edited', context: 'prompt' })}</span>}
          {prompt !== '' && (
            <CopyButton label={t`Copy prompt`} text={post.prompt} copied={t`The prompt is copied.`} />
          )}
        </div>
      </div>
      {details?.hidden ? (
        <HiddenPost post={post} notice={details.hidden} />
      ) : (
        <PostActions post={post} details={details} onDeleted={onDeleted} />
      )}
      <dl className={`stack tightest small breakable ${styles['facts']}`}>
        <ImageFact label={t`Size`}>{t`${width} × ${height} pixels`}</ImageFact>
        <ImageFact label={t({ message: 'Source', context: 'image' })}>
          {i18n._(sourceSentence(post))}
          {post.source === 'uploaded' && post.isAiMade && <p>{t`Its file says that an AI model made it.`}</p>}
          {details?.marks?.hasCredentials && (
            <p>{t`Its file has Content Credentials, whose signature this site does not check.`}</p>
          )}
        </ImageFact>
        {details?.original != null && (
          <ImageFact label={t({ message: 'Looks like', context: 'image' })}>
            <Link href={postPath(details.original)}>{t`Another post`}</Link>
          </ImageFact>
        )}
        {details?.isRemix && (
          <ImageFact label={t`Remix of`}>
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
          </ImageFact>
        )}
      </dl>
      {details?.recipe && <DrawnFrom {...details.recipe} />}
      {details?.recipe && (
        <details className={`small ${styles['settings']}`}>
          <summary className="quiet strong">{t`Settings`}</summary>
          <RecipeRows recipe={details.recipe} />
        </details>
      )}
    </div>
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
    <UserText
      as="p"
      text={text}
      {...scrollable}
      className={`breakable lines ${styles['prompt']}`}
      aria-label={t`Prompt`}
    >
      {isSlow ? isHydrated ? <WrappedText text={text} /> : shorten(text) : text}
    </UserText>
  )
}

function sourceSentence({ source, engineKind }: Post): MessageDescriptor {
  if (source === 'uploaded') return msg`Uploaded by the author`
  return engineKind === 'rangoli' ? msg`Pattern drawn from the words of the prompt` : msg`Made by an AI model`
}

function RelatedLists({ post, related }: { post: Post; related: RelatedPosts }) {
  const { t } = useLingui()
  const { remixes, moreByAuthor } = related
  if (remixes.length + moreByAuthor.length === 0) return null
  return (
    <div className={`stack widest ${styles['related']}`}>
      <PostGrid title={t`Remixes`} posts={remixes} />
      <PostGrid
        title={
          <Trans>
            More by{' '}
            <Link href={authorPath(post.authorId)}>
              <UserText text={post.name} />
            </Link>
          </Trans>
        }
        posts={moreByAuthor}
      />
    </div>
  )
}

function PostGrid({ title, posts }: { title: ReactNode; posts: readonly Post[] }) {
  if (posts.length === 0) return null
  return (
    <section className={`stack wider ${styles['relatedSection']}`}>
      <h2 className="breakable">{title}</h2>
      <ul className={styles['grid']}>
        {posts.map((post) => (
          <li key={post.id}>
            <PostLink post={post} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PostLink({ post }: { post: Post }) {
  const { i18n } = useLingui()
  return (
    <Link
      href={postPath(post.id)}
      className={styles['relatedLink']}
      lang={useLanguageOf(post.prompt)}
      aria-label={postTitle(post, i18n)}
    >
      <SmallImage
        image={post}
        className={`${styles['relatedImage']} ${post.isSensitive ? styles['sensitive'] : ''}`}
      />
    </Link>
  )
}

/**
 * The post of an id, first as every visitor sees it, then as the signed-in viewer does. `data` is null for a post that the
 * viewer can't see.
 */
export function usePost(id: string) {
  const { status, viewer } = useSession()
  const api = trpc.useUtils()
  const placeholder = useQueryClient().getQueryData<PostDetails | null>(pageKeys.post(id, null))
  return useQuery({
    ...postQuery(api, id, viewer?.id ?? null),
    ...(placeholder !== undefined && { placeholderData: placeholder }),
    // Until then it is not known how the viewer sees the post.
    enabled: status !== 'loading',
  })
}

/** The post that a post is a remix of, and its remixes, to compare their images, unless one of them is sensitive. */
export function remixLineOf(
  post: Post,
  related: RelatedPosts | undefined,
  i18n: I18n,
): readonly Comparison[] {
  if (!related || post.isSensitive) return []
  const { parent, remixes } = related
  return [
    ...(parent ? [{ label: i18n._(msg`Remixed post`), image: parent }] : []),
    ...remixes.map((image, index) => ({ label: i18n._(msg`Remix ${{ number: index + 1 }}`), image })),
  ].filter(({ image }) => !image.isSensitive)
}

/** The posts that are shown with a post; undefined until they have loaded. */
export function useRelatedPosts(details: PostDetails | null): RelatedPosts | undefined {
  const { posts } = trpc.useUtils().client
  return useQuery({
    queryKey: pageKeys.related(details?.id ?? ''),
    queryFn: details
      ? ({ signal }) =>
          readRelatedPosts(
            {
              get: (input) => posts.get.query(input, { signal }),
              list: (input) => posts.list.query(input, { signal }),
              similar: (input) => posts.similar.query(input, { signal }),
            },
            details,
          )
      : skipToken,
  }).data
}

/** Maximum number of posts: each of them leads on to others. */
const mostPosts = 200

/** Number of cards that are added as the end comes into view. */
const step = 24

/** The posts that go on from a post, in cards that are added while the page is scrolled. */
function SimilarPosts({ postId, first }: { postId: string; first: readonly Post[] }) {
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
