import { useLingui } from '@lingui/react/macro'
import {
  createContext,
  memo,
  useId,
  useState,
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { Link } from 'wouter'
import type { Post } from '../../../shared/posts.ts'
import { fitUrl, thumbnailSizes, thumbnailUrl } from '../../../shared/image-files.ts'
import { authorPath, pagePaths, postPath } from '../../../shared/routes.ts'
import { copyText } from '../../browser/apis.ts'
import { averageColor, describeSource, sourceSet } from '../../images/image.tsx'
import { useDownload } from '../../images/download-image.ts'
import { toast } from '../../ui/announcer.tsx'
import { DownloadIcon, LikeIcon } from '../../ui/icons.tsx'
import { alternativeText, likesText } from './post-texts.ts'
import { MoreMenu, type MenuItems } from '../../ui/menu.tsx'
import { hasLongRun, Initial, shorten, useLanguageOf, UserText, VisuallyHidden } from '../../ui/text.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './post-card.module.css'

/**
 * Widths of a card in the grid of post-cards.module.css, from which the browser picks a thumbnail. A phone's card is 92vw
 * wide; it gets a smaller value because its screen shows less detail than its pixel density suggests, and its network is
 * often the slowest.
 */
const sizes = '(min-width: 64rem) 24vw, (min-width: 48rem) 31vw, (min-width: 30rem) 46vw, 60vw'

/** Number of images that load eagerly: the first row of the widest grid. */
const eagerImages = 4

/** Length of a shortened prompt, in characters: more than two lines on the widest screen. */
const shortPromptLength = 400

const actionClass = `iconButton ${styles['action']}`

export function cardId(postId: string): string {
  return `post-${postId}`
}

/** Returns the id of the post on whose card an event is; null elsewhere. */
export function postIdAt({ target }: Event): string | null {
  return (target instanceof Element && target.closest('li[id^="post-"]')?.id.slice('post-'.length)) || null
}

/** Returns the items of a menu besides those of every card. Only an open menu is rendered when they change, not the cards. */
export const CardItems = createContext<(post: Post) => MenuItems>(() => [])

interface PostCardProps {
  readonly post: Post
  readonly index: number
  /** Total number of posts; null if all of them are in the document. */
  readonly listSize: number | null
  /** True if the list is below the first screen, in a section of the page. */
  readonly isBelow?: boolean | undefined
  /** True for the only post, which is larger than others. */
  readonly isLone?: boolean | undefined
  /** True if images of several origins are in sight. */
  readonly showsSource: boolean
  /** Share of its row on phones of an image that is shown in its own shape; null for a square. */
  readonly shape: { readonly ratio: number; readonly share: number } | null
  /** True if it is known that the viewer likes it. */
  readonly isLiked: boolean
  /** Called on a click on the link. */
  readonly onOpen: (event: MouseEvent, post: Post) => void
  readonly onLike: (post: Post) => void
}

/**
 * One post of the gallery: its image, which links to its page, and an overlay on hover and focus, or below the image on
 * devices without hover. Memoized, because scrolling renders the list often.
 */
export const PostCard = memo(function PostCard(props: PostCardProps) {
  const { i18n, t } = useLingui()
  const { post, index, listSize, shape } = props
  const { failure, download } = useDownload('posts', post.id)
  const [isRevealed, setIsRevealed] = useState(false)
  const isBlurred = post.isSensitive && !isRevealed
  const linkId = useId()
  const promptLanguage = useLanguageOf(post.prompt)
  const Heading = props.isBelow ? 'h3' : 'h2'
  const likeLabel = props.isLiked ? t`Liked` : t({ message: 'Like', context: 'action' })

  async function copyPrompt() {
    const isCopied = await copyText(post.prompt)
    toast(isCopied ? t`Prompt copied.` : t`The prompt could not be copied.`)
  }

  function renderItems(render: (items: MenuItems) => ReactNode) {
    return (
      <CardItems.Consumer>
        {(itemsOf) =>
          render([
            { label: likeLabel, onSelect: () => props.onLike(post) },
            { label: t({ message: 'Download', context: 'action' }), onSelect: () => download() },
            {
              label: t({ message: 'Remix', context: 'action' }),
              href: `${pagePaths.create}?remix=${post.id}`,
            },
            post.prompt !== '' && { label: t`Copy prompt`, onSelect: () => void copyPrompt() },
            ...itemsOf(post),
          ])
        }
      </CardItems.Consumer>
    )
  }

  return (
    <li
      id={cardId(post.id)}
      className={styles['item']}
      data-shape={shape ? '' : undefined}
      style={shape ? ({ '--ratio': shape.ratio, '--share': shape.share } as CSSProperties) : undefined}
      {...(listSize !== null && { 'aria-posinset': index + 1, 'aria-setsize': listSize })}
    >
      <article className={styles['card']} aria-labelledby={linkId}>
        <Heading className={styles['heading']}>
          <Link
            id={linkId}
            href={postPath(post.id)}
            className={styles['link']}
            lang={promptLanguage}
            onClick={(event) => props.onOpen(event, post)}
          >
            <img
              className={styles['image']}
              {...(shape ? wholeSources(post, shape.ratio) : squareSources(post.photo))}
              {...(props.isLone && { sizes: '(min-width: 40rem) 40rem, 60vw' })}
              width={post.width}
              height={post.height}
              alt={alternativeText(post, i18n)}
              loading={index < eagerImages && !props.isBelow ? 'eager' : 'lazy'}
              fetchPriority={index === 0 && !props.isBelow ? 'high' : 'auto'}
              decoding="async"
              data-blurred={isBlurred || undefined}
              style={{ backgroundColor: averageColor(post.placeholder) }}
            />
          </Link>
        </Heading>
        {isBlurred && (
          <button
            type="button"
            className={`veil small ${styles['reveal']}`}
            aria-describedby={linkId}
            onClick={() => {
              setIsRevealed(true)
              // Focus would be lost with the button.
              document.getElementById(linkId)?.focus()
            }}
          >
            {t`Show sensitive image`}
          </button>
        )}
        <div className={styles['details']}>
          {/* The name of the link says it. */}
          {post.prompt && (
            <UserText
              as="p"
              text={hasLongRun(post.prompt) ? shorten(post.prompt, shortPromptLength) : post.prompt}
              className={`clamp small ${styles['prompt']}`}
              aria-hidden="true"
            />
          )}
          <div className={`beside tight small ${styles['byline']}`}>
            <Initial name={post.name} userId={post.authorId} />
            {/* The page of the post leads there by keyboard. */}
            <Link
              href={authorPath(post.authorId)}
              className={`plainLink strong ${styles['author']}`}
              tabIndex={-1}
            >
              <UserText text={post.name} className="ellipsis" />
            </Link>
            {props.showsSource && (
              <span className={`veil ${styles['source']}`}>{i18n._(describeSource(post))}</span>
            )}
          </div>
          {failure && <Notice>{failure}</Notice>}
        </div>
        <div className={`row ${styles['actions']}`}>
          {/* The menu has it for the keyboard. */}
          <button
            type="button"
            className={`tabular small ${actionClass} ${styles['like']}`}
            tabIndex={-1}
            aria-pressed={props.isLiked}
            aria-describedby={linkId}
            onClick={() => props.onLike(post)}
          >
            <LikeIcon />
            <VisuallyHidden>{likeLabel} </VisuallyHidden>
            {post.likeCount > 0 && likesText(post.likeCount, i18n)}
          </button>
          <button
            type="button"
            className={`${actionClass} ${styles['download']}`}
            aria-label={t`Download image`}
            aria-describedby={linkId}
            onClick={() => download()}
          >
            <DownloadIcon />
          </button>
          {/* All actions, for the keyboard. */}
          <MoreMenu buttonClass={actionClass} describedBy={linkId} items={renderItems} />
        </div>
      </article>
    </li>
  )
})

function squareSources(photo: string) {
  return {
    src: thumbnailUrl(photo, 640),
    srcSet: thumbnailSizes.map((size) => `${thumbnailUrl(photo, size)} ${size}w`).join(', '),
    sizes,
  }
}

function wholeSources(post: Post, ratio: number) {
  const width = `${Math.round(ratio * 17)}rem`
  return { src: fitUrl(post.photo, 640), srcSet: sourceSet(post), sizes: `(min-width: 40rem) ${width}, 46vw` }
}
