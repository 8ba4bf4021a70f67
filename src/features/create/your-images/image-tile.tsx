import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useId, useRef, useState, type MouseEvent, type PointerEvent } from 'react'
import { Link } from 'wouter'
import type { ErrorCode } from '../../../../shared/errors.ts'
import { isFinished, isSucceeded } from '../../../../shared/images.ts'
import type { Image, ListedImage, OwnPost } from '../../../../shared/images.ts'
import { postPath } from '../../../../shared/routes.ts'
import { findNeighbor } from '../../../browser/apis.ts'
import { describeImage, SmallImage } from '../../../images/image.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/loading.tsx'
import { shorten, UserText, VisuallyHidden } from '../../../ui/text.tsx'
import { useCall } from '../../auth/call-failure.tsx'
import { ChangePart, ActionButton, DeleteButton, DownloadImage, UpscaleMenu } from '../image-actions.tsx'
import { elementIds } from '../element-ids.ts'
import { useCreation } from '../use-creation.ts'
import { isShareable } from '../use-own-images.ts'
import { useRestore } from './deletion.tsx'
import type { Selection } from './selection-bar.tsx'
import styles from './image-tile.module.css'

/** Time after which a touch selects an image. */
const longPressMs = 500

/** A square of an image, with its actions while it has the pointer or the focus. A long press selects it. */
export function ImageTile(props: {
  image: ListedImage
  /** Place of the image in a list that is not rendered completely, from 1, and its length. */
  place: readonly [position: number, total: number]
  /** Null in the trash, from which an image can be restored or deleted permanently. */
  selection: Selection | null
  onOpen: () => void
  onDelete: () => void
}) {
  const { i18n, t } = useLingui()
  const { image, place, selection, onDelete } = props
  const isTrash = selection === null
  const isSelecting = selection?.isActive ?? false
  const promptId = useId()
  const text = describeImage(image, i18n)
  const press = useLongPress(() => selection && isFinished(image.state) && selection.toggle(image, false))
  const thumbnail = isSucceeded(image) && <SmallImage image={image} className={`cover ${styles['image']}`} />
  const isSelected = selection?.images.has(image.id) ?? false
  return (
    <li
      id={elementIds.cardOf(image.id)}
      className={`layers small ${styles['tile']} ${image.isHidden ? styles['isHidden'] : ''}`}
      aria-posinset={place[0]}
      aria-setsize={place[1]}
    >
      {!thumbnail ? (
        <Unavailable image={image} />
      ) : isSelecting ? (
        thumbnail
      ) : (
        <button
          type="button"
          className={`insetFocus ${styles['open']}`}
          aria-label={t`Open image`}
          title={shorten(text)}
          aria-describedby={promptId}
          {...press.handlers}
          onClick={() => !press.takeClick() && props.onOpen()}
        >
          {thumbnail}
        </button>
      )}
      <VisuallyHidden>
        <UserText as="span" id={promptId} text={text} />
      </VisuallyHidden>
      {thumbnail && image.isHidden && <p className={`veil ${styles['hidden']}`}>{t`Hidden by moderation`}</p>}
      {!isSelecting && image.expiresAt !== undefined && (
        <DaysLeft at={image.expiresAt} isTrash={isTrash} className={`veil ${styles['remaining']}`} />
      )}
      {!isSelecting && isFinished(image.state) && (
        <div className={`row centered tightest ${styles['actions']}`}>
          {!isTrash && !image.isHidden && image.posts[0] && (
            <SharedLink post={image.posts[0]} describedBy={promptId} className={`veil ${styles['shared']}`} />
          )}
          <ImageActions {...{ isTrash, image, onDelete }} describedBy={promptId} isCompact />
        </div>
      )}
      {selection && isFinished(image.state) && (
        // While selecting, it covers the image.
        <input
          type="checkbox"
          className={`insetFocus ${styles['checkbox']}`}
          data-covering={isSelecting || undefined}
          tabIndex={isSelecting ? 0 : -1}
          {...press.handlers}
          aria-labelledby={promptId}
          checked={isSelected}
          // Only clicks, also those of the space key, tell whether Shift is held.
          onClick={(event: MouseEvent) => !press.takeClick() && selection.toggle(image, event.shiftKey)}
          readOnly
        />
      )}
    </li>
  )
}

/** Calls `onLongPress` after a touch that stays in place; the click that ends it is taken by `takeClick`. */
function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasLong = useRef(false)
  const end = () => clearTimeout(timer.current)
  return {
    handlers: {
      onPointerDown(event: PointerEvent) {
        wasLong.current = false
        end()
        if (event.pointerType !== 'touch') return
        timer.current = setTimeout(() => {
          wasLong.current = true
          onLongPress()
        }, longPressMs)
      },
      onPointerUp: end,
      onPointerCancel: end,
      // The menu of the system would cover the image.
      onContextMenu: (event: MouseEvent) => wasLong.current && event.preventDefault(),
    },
    takeClick() {
      const isTaken = wasLong.current
      wasLong.current = false
      return isTaken
    },
  }
}

/** The buttons of an image. @param props.isCompact true if the first one has an icon in place of its label */
export function ImageActions(props: {
  isTrash: boolean
  image: ListedImage
  describedBy: string
  isCompact?: boolean
  onDelete: () => void
}) {
  const { t } = useLingui()
  const { isTrash, image, describedBy } = props
  const creation = useCreation()
  const restore = useRestore()
  const { run, isBusy } = useCall()

  function act() {
    if (isTrash) run(restoreImage)
    else if (image.state === 'failed') void creation.retry(image)
    // Puts only the prompt into the form if the image can't be shared.
    else creation.putIntoForm(image)
  }

  async function restoreImage() {
    const cardId = elementIds.cardOf(image.id)
    const card = document.getElementById(cardId)
    const neighbor = findNeighbor(cardId)
    const isRestored = await restore([image.id])
    // The focused button is removed with the image, if it has not been already.
    const focused = document.activeElement
    if (isRestored && (focused === document.body || card?.contains(focused))) neighbor?.focus()
  }

  const label = isTrash
    ? t({ message: 'Restore', comment: 'Button that takes an image out of the trash' })
    : image.state === 'failed'
      ? t`Try again`
      : isShareable(image)
        ? t`Edit & share`
        : t`Use these words`
  const firstButton = { 'aria-describedby': describedBy, onClick: act }
  return (
    <>
      {!isTrash && image.prompt === '' && !isShareable(image) ? null : props.isCompact ? (
        <ActionButton {...firstButton} label={label} aria-disabled={isBusy}>
          <Icon path={isTrash ? restorePath : editPath} />
        </ActionButton>
      ) : (
        <Button {...firstButton} isBusy={isBusy}>
          {label}
        </Button>
      )}
      {isSucceeded(image) && !isTrash && !props.isCompact && (
        <>
          <ChangePart image={image} describedBy={describedBy} />
          <UpscaleMenu image={image} describedBy={describedBy} />
        </>
      )}
      {isSucceeded(image) && !isTrash && <DownloadImage image={image} describedBy={describedBy} />}
      <DeleteButton
        label={isTrash ? t`Delete permanently` : undefined}
        describedBy={describedBy}
        onClick={props.onDelete}
      />
    </>
  )
}

const editPath = 'm4 16 .75-3.5 8.5-8.5 2.75 2.75-8.5 8.5L4 16ZM11.5 5.75 14.25 8.5'
const restorePath = 'M4 9.5a6 6 0 1 1 1.75 4.75M4 5v4.5h4.5'

const visibilityLabels = {
  public: msg({ message: 'Shared', comment: 'One image, whose post is public' }),
  unlisted: msg({ message: 'Unlisted', comment: 'A post' }),
  private: msg({ message: 'Private', comment: 'A post' }),
} as const

/** Says who sees the newest post of an image, and links to it. */
export function SharedLink(props: { post: OwnPost; describedBy: string; className: string }) {
  const { i18n, t } = useLingui()
  const { post, describedBy, className } = props
  const label = i18n._(visibilityLabels[post.visibility])
  return (
    <Link
      href={postPath(post.id)}
      className={className}
      aria-label={t`${label}: view the post`}
      aria-describedby={describedBy}
    >
      {label}
    </Link>
  )
}

/** Number of days before its end from which a card says that its image moves to the trash. */
const expiryShownDays = 7

const msPerDay = 86_400_000

/** Says how long an image stays in the trash, or that it moves there soon, as it is not shared. */
export function DaysLeft(props: { at: string; isTrash: boolean; className?: string }) {
  const { t } = useLingui()
  const { at, isTrash } = props
  const [openedAt] = useState(() => Date.now())
  const days = Math.ceil((Date.parse(at) - openedAt) / msPerDay)
  if (!isTrash && days > expiryShownDays) return null
  return (
    <span className={props.className}>
      {days <= 0
        ? t`Will be deleted soon`
        : isTrash
          ? t`${plural(days, { one: '# day left', other: '# days left' })}`
          : t`${plural(days, { one: 'Deleted in # day', other: 'Deleted in # days' })}`}
    </span>
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
function Unavailable({ image: { state, failure, failureDetail } }: { image: Image }) {
  const { i18n, t } = useLingui()
  const isUnfinished = !isFinished(state)
  const reason =
    failureDetail ?? i18n._((failure && reasons[failure]) ?? msg`Not made: something went wrong.`)
  return (
    <>
      {isUnfinished && <Skeleton shape="square" />}
      <p className={`clamp quiet ${styles['unavailable']}`} title={isUnfinished ? undefined : reason}>
        {isUnfinished ? t`In progress…` : reason}
      </p>
    </>
  )
}
