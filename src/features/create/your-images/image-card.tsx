import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import type { ErrorCode } from '../../../../shared/errors.ts'
import {
  isFinished,
  isSucceeded,
  type Image,
  type ListedImage,
  type OwnPost,
  type Recipe,
  type SucceededImage,
} from '../../../../shared/images.ts'
import { postPath } from '../../../../shared/routes.ts'
import { findNeighborButton } from '../../../browser/apis.ts'
import { describeImage, SmallImage } from '../../../images/image.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/loading.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { WrappedText } from '../../../ui/wrapped-text.tsx'
import { DeleteButton, DownloadImage, RecipeDetails } from '../image-actions.tsx'
import { isShareable } from '../use-own-images.ts'
import styles from './image-card.module.css'
import type { Selection } from './selection-bar.tsx'

/** Returns the element id of an image's card. */
export function cardId(imageId: string): string {
  return `image-${imageId}`
}

/** Finds the element to focus after a deletion: a button of the next or previous image, or the page's heading. */
export function findNeighborOfCard(imageId: string): HTMLElement | null {
  return findNeighborButton(cardId(imageId)) ?? document.querySelector<HTMLElement>('main h1')
}

/** The frame of a card: content over a square, the prompt, and what follows it. */
export function Card(props: {
  image: ListedImage
  promptId: string
  square: ReactNode
  children: ReactNode
}) {
  const { i18n } = useLingui()
  const { image } = props
  const text = describeImage(image, i18n)
  return (
    <li id={cardId(image.id)} className={`small ${styles['card']}`}>
      <div className={`layers ${styles['square']} ${image.isHidden ? styles['isHidden'] : ''}`}>
        {props.square}
      </div>
      <UserText as="p" text={text} id={props.promptId} className={`clamp ${styles['prompt']}`} title={text}>
        <WrappedText text={text} />
      </UserText>
      {props.children}
    </li>
  )
}

/** One of a user's images with its prompt and actions. */
export function ImageCard(props: {
  image: ListedImage
  /** True while the form can't take another image. */
  isBusy: boolean
  /** Null while no images are being selected. */
  selection: Selection | null
  onOpen: () => void
  /** Puts the image with its prompt into the form; only the prompt, if the image can't be shared. */
  onEdit: () => void
  /** Generates a failed image again. */
  onRetry: () => void
  onUseSettings: (recipe: Recipe) => void
  onDelete: () => void
}) {
  const { image, isBusy, selection } = props
  const { recipe } = image
  const promptId = useId()
  const hasActions = !selection && isFinished(image.state)
  return (
    <Card
      image={image}
      promptId={promptId}
      square={
        <>
          {isSucceeded(image) ? (
            <Thumbnail image={image} describedBy={promptId} onOpen={selection ? null : props.onOpen} />
          ) : (
            <Unavailable image={image} />
          )}
          {!selection && !image.isHidden && image.posts[0] && (
            <SharedLink post={image.posts[0]} describedBy={promptId} />
          )}
          {!selection && image.expiresAt !== undefined && <Expiry at={image.expiresAt} />}
          {selection && isFinished(image.state) && (
            <Checkbox image={image} selection={selection} labelledBy={promptId} />
          )}
        </>
      }
    >
      {hasActions && (
        <CardActions>
          {(image.prompt !== '' || isShareable(image)) && <MainAction {...props} describedBy={promptId} />}
          {isSucceeded(image) && <DownloadImage image={image} describedBy={promptId} />}
          <DeleteButton describedBy={promptId} onClick={props.onDelete} />
        </CardActions>
      )}
      {hasActions && recipe && (
        <RecipeDetails
          recipe={recipe}
          describedBy={promptId}
          isBusy={isBusy}
          onUse={() => props.onUseSettings(recipe)}
        />
      )}
    </Card>
  )
}

/** Buttons of a card, the first one with a label. */
export function CardActions({ children }: { children: ReactNode }) {
  return <div className={`row ${styles['actions']}`}>{children}</div>
}

function MainAction(props: {
  image: ListedImage
  isBusy: boolean
  describedBy: string
  onEdit: () => void
  onRetry: () => void
}) {
  const { t } = useLingui()
  const { image, isBusy } = props
  const [label, action] =
    image.state === 'failed'
      ? [t`Try again`, props.onRetry]
      : [isShareable(image) ? t`Edit & share` : t`Use these words`, props.onEdit]
  return (
    <Button
      wide
      aria-describedby={props.describedBy}
      aria-disabled={isBusy}
      onClick={() => !isBusy && action()}
    >
      {label}
    </Button>
  )
}

/** The image, which opens in full size unless images are being selected. */
export function Thumbnail(props: {
  image: SucceededImage
  describedBy: string
  onOpen: (() => void) | null
}) {
  const { t } = useLingui()
  const { image, onOpen } = props
  const thumbnail = <SmallImage image={image} className={`cover ${styles['image']}`} />
  return (
    <>
      {onOpen ? (
        <button
          type="button"
          className={`insetFocus ${styles['open']}`}
          aria-label={t`Open image`}
          aria-describedby={props.describedBy}
          onClick={onOpen}
        >
          {thumbnail}
        </button>
      ) : (
        thumbnail
      )}
      {image.isHidden && (
        <p className={`veil ${styles['hidden']}`}>
          <Trans>Hidden by moderation</Trans>
        </p>
      )}
    </>
  )
}

const visibilityLabels = {
  public: msg({ message: 'Shared', comment: 'One image, whose post is public' }),
  unlisted: msg({ message: 'Unlisted', comment: 'A post' }),
  private: msg({ message: 'Private', comment: 'A post' }),
} as const

/** Says who sees the newest post of an image, and links to it. */
function SharedLink({ post, describedBy }: { post: OwnPost; describedBy: string }) {
  const { i18n, t } = useLingui()
  const label = i18n._(visibilityLabels[post.visibility])
  return (
    <Link
      href={postPath(post.id)}
      className={`veil ${styles['shared']}`}
      aria-label={t`${label}: view the post`}
      aria-describedby={describedBy}
    >
      {label}
    </Link>
  )
}

/** Number of days before its end from which a card says that its image moves to the trash. */
const expiryShownDays = 7

/** Says that an image moves to the trash soon, as it is not shared. */
function Expiry({ at }: { at: string }) {
  const { t } = useLingui()
  const days = useDaysUntil(at)
  return (
    days <= expiryShownDays && (
      <DaysLeft
        days={days}
        sentence={t`${plural(days, { one: 'Deleted in # day', other: 'Deleted in # days' })}`}
      />
    )
  )
}

/** Says how long an image stays. @param sentence the one for some days */
export function DaysLeft({ days, sentence }: { days: number; sentence: string }) {
  return (
    <span className={`veil ${styles['remaining']}`}>
      {days > 0 ? sentence : <Trans>Will be deleted soon</Trans>}
    </span>
  )
}

const msPerDay = 86_400_000

/** Returns the number of days, of which one has begun, until a time in ISO 8601; not positive if it has passed. */
export function useDaysUntil(at: string): number {
  const [openedAt] = useState(() => Date.now())
  return Math.ceil((Date.parse(at) - openedAt) / msPerDay)
}

/** Covers the image, so that a click anywhere on it selects it. */
function Checkbox(props: { image: Image; selection: Selection; labelledBy: string }) {
  const { image, selection } = props
  return (
    <input
      type="checkbox"
      className={`insetFocus ${styles['checkbox']}`}
      aria-labelledby={props.labelledBy}
      checked={selection.ids.has(image.id)}
      // Only clicks, also those of the space key, tell whether Shift is held.
      onClick={(event: MouseEvent) => selection.toggle(image.id, event.shiftKey)}
      readOnly
    />
  )
}

/** Short reasons of failed generations. */
const reasons: Partial<Record<ErrorCode, MessageDescriptor>> = {
  prompt_blocked: msg`Not made: the image service does not take these words.`,
  engine_timeout: msg`Not made: it took too long.`,
  engine_out_of_credit: msg`Not made: the image service was out of credit.`,
  engine_misconfigured: msg`Not made: the image service is not set up correctly.`,
  engine_out_of_memory: msg`Not made: the image engine had too little memory.`,
  engine_unavailable: msg`Not made: the image engine could not be reached.`,
  engine_busy: msg`Not made: the image service was busy.`,
  storage_full: msg`Not made: the site was out of storage space.`,
  interrupted: msg`Not made: the server stopped meanwhile.`,
}

/** Placeholder of an image that is unfinished or failed. */
function Unavailable({ image }: { image: Image }) {
  const { i18n } = useLingui()
  if (!isFinished(image.state)) {
    return (
      <>
        <Skeleton shape="square" />
        <p className={`clamp quiet ${styles['unavailable']}`}>
          <Trans>In progress…</Trans>
        </p>
      </>
    )
  }
  const { failure, failureDetail } = image
  const reason =
    failureDetail ?? i18n._((failure && reasons[failure]) ?? msg`Not made: something went wrong.`)
  return (
    <p className={`clamp quiet ${styles['unavailable']}`} title={reason}>
      {reason}
    </p>
  )
}
