import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { MouseEvent, Ref } from 'react'
import { Link } from 'wouter'
import type { ErrorCode } from '../../../../shared/errors.ts'
import {
  isFinished,
  isSucceeded,
  type Image,
  type ListedImage,
  type OwnPost,
} from '../../../../shared/images.ts'
import { postPath } from '../../../../shared/routes.ts'
import { describeImage, SmallImage } from '../../../images/image.tsx'
import { Button } from '../../../ui/button.tsx'
import { lazyPart, Skeleton } from '../../../ui/loading.tsx'
import { useDialog } from '../../../ui/dialog.tsx'
import { UserText } from '../../../ui/text.tsx'
import { WrappedText } from '../../../ui/wrapped-text.tsx'
import { elementIds, findNeighborOfCard } from '../element-ids.ts'
import { DeleteButton, DownloadImage, RecipeDetails } from '../image-actions.tsx'
import type { Creation } from '../use-creation.ts'
import { isShareable } from '../use-own-images.ts'
import { useRestore } from './delete-images.ts'
import styles from './image-grid.module.css'

const DeleteImage = lazyPart(async () => (await import('./deletion.tsx')).DeleteImage)
const DeletePermanently = lazyPart(async () => (await import('./deletion.tsx')).DeletePermanently)
const ImageViewer = lazyPart(async () => (await import('../../../images/image-viewer.tsx')).ImageViewer)

/** Ids of selected images, and how they change. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  /**
   * Selects or deselects an image.
   *
   * @param isRange true to do the same with all images up to the one that was changed before
   */
  toggle(id: string, isRange: boolean): void
}

/** What the cards of a grid share. */
interface CardContext {
  readonly creation: Creation
  /** True for images in the trash, which can be restored or deleted permanently. */
  readonly isTrash?: boolean
  /** Null while no images are being selected; with one, cards have checkboxes instead of actions. */
  readonly selection?: Selection | null
  /** Called when the form takes something of an image. */
  readonly onTaken?: () => void
}

/** A user's images with their actions, and the viewer and the dialog that they open. */
export function ImageGrid({
  list,
  images,
  ...context
}: CardContext & { list?: Ref<HTMLUListElement>; images: readonly ListedImage[] }) {
  const { creation, isTrash } = context
  const [openId, setOpenId] = useState<string | null>(null)
  const [dialog, openDialog] = useDialog()
  const confirmDeletion = (image: ListedImage) =>
    openDialog(
      isTrash ? (
        <DeletePermanently image={image} />
      ) : (
        <DeleteImage image={image} onDeleted={creation.remove} />
      ),
    )
  return (
    <>
      {images.length > 0 && (
        <ul ref={list} className={styles['grid']}>
          {images.map((image) => (
            <ImageCard
              key={image.id}
              image={image}
              {...context}
              onOpen={() => setOpenId(image.id)}
              onDelete={() => confirmDeletion(image)}
            />
          ))}
        </ul>
      )}
      {openId !== null && (
        <ImageViewer
          images={images.filter(isSucceeded)}
          shownId={openId}
          onShow={setOpenId}
          focusAfter={(id) => document.getElementById(elementIds.cardOf(id))?.querySelector('button') ?? null}
          onClosed={() => setOpenId(null)}
        />
      )}
      {dialog}
    </>
  )
}

interface CardProps extends CardContext {
  readonly image: ListedImage
  readonly onOpen: () => void
  readonly onDelete: () => void
}

/** Content over a square, the prompt, and what can be done with the image. */
function ImageCard(props: CardProps) {
  const { i18n, t } = useLingui()
  const { image, isTrash = false, selection } = props
  const promptId = useId()
  const text = describeImage(image, i18n)
  const thumbnail = isSucceeded(image) && <SmallImage image={image} className={`cover ${styles['image']}`} />
  return (
    <li id={elementIds.cardOf(image.id)} className={`small ${styles['card']}`}>
      <div className={`layers ${styles['square']} ${image.isHidden ? styles['isHidden'] : ''}`}>
        {!thumbnail ? (
          <Unavailable image={image} />
        ) : selection ? (
          thumbnail
        ) : (
          <button
            type="button"
            className={`insetFocus ${styles['open']}`}
            aria-label={t`Open image`}
            aria-describedby={promptId}
            onClick={props.onOpen}
          >
            {thumbnail}
          </button>
        )}
        {thumbnail && image.isHidden && (
          <p className={`veil ${styles['hidden']}`}>
            <Trans>Hidden by moderation</Trans>
          </p>
        )}
        {!selection && !isTrash && !image.isHidden && image.posts[0] && (
          <SharedLink post={image.posts[0]} describedBy={promptId} />
        )}
        {!selection && image.expiresAt !== undefined && <DaysLeft at={image.expiresAt} isTrash={isTrash} />}
        {selection && isFinished(image.state) && (
          // Covers the image, so that a click anywhere on it selects it.
          <input
            type="checkbox"
            className={`insetFocus ${styles['checkbox']}`}
            aria-labelledby={promptId}
            checked={selection.ids.has(image.id)}
            // Only clicks, also those of the space key, tell whether Shift is held.
            onClick={(event: MouseEvent) => selection.toggle(image.id, event.shiftKey)}
            readOnly
          />
        )}
      </div>
      <UserText as="p" text={text} id={promptId} className={`clamp ${styles['prompt']}`} title={text}>
        <WrappedText text={text} />
      </UserText>
      {!selection &&
        isFinished(image.state) &&
        (isTrash ? (
          <TrashActions {...props} promptId={promptId} />
        ) : (
          <Actions {...props} promptId={promptId} />
        ))}
    </li>
  )
}

/** The buttons of a card, the first one with a label, and the settings of the image. */
function Actions({ image, creation, onTaken, onDelete, promptId }: CardProps & { promptId: string }) {
  const { t } = useLingui()
  const { recipe } = image
  const isBusy = creation.isSharing

  function act() {
    // Puts only the prompt into the form if the image can't be shared.
    if (image.state === 'failed') void creation.retry(image)
    else creation.putIntoForm(image)
    onTaken?.()
  }

  return (
    <>
      <div className={`row ${styles['actions']}`}>
        {(image.prompt !== '' || isShareable(image)) && (
          <Button wide aria-describedby={promptId} aria-disabled={isBusy} onClick={() => !isBusy && act()}>
            {image.state === 'failed'
              ? t`Try again`
              : isShareable(image)
                ? t`Edit & share`
                : t`Use these words`}
          </Button>
        )}
        {isSucceeded(image) && <DownloadImage image={image} describedBy={promptId} />}
        <DeleteButton describedBy={promptId} onClick={onDelete} />
      </div>
      {recipe && (
        <RecipeDetails
          recipe={recipe}
          describedBy={promptId}
          isBusy={isBusy}
          onUse={() => void creation.putSettingsIntoForm(recipe).then(onTaken)}
        />
      )}
    </>
  )
}

function TrashActions({ image, onDelete, promptId }: CardProps & { promptId: string }) {
  const { t } = useLingui()
  const restore = useRestore()
  const [isRestoring, setIsRestoring] = useState(false)

  async function restoreImage() {
    const card = document.getElementById(elementIds.cardOf(image.id))
    const neighbor = findNeighborOfCard(image.id)
    setIsRestoring(true)
    const isRestored = await restore([image.id])
    setIsRestoring(false)
    // The focused button is removed with the card, if it has not been already.
    const focused = document.activeElement
    if (isRestored && (focused === document.body || card?.contains(focused))) neighbor?.focus()
  }

  return (
    <div className={`row ${styles['actions']}`}>
      <Button wide isBusy={isRestoring} aria-describedby={promptId} onClick={() => void restoreImage()}>
        {t({ message: 'Restore', comment: 'Button that takes an image out of the trash' })}
      </Button>
      <DeleteButton label={t`Delete permanently`} describedBy={promptId} onClick={onDelete} />
    </div>
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

const msPerDay = 86_400_000

/** Says how long an image stays in the trash, or that it moves there soon, as it is not shared. */
function DaysLeft({ at, isTrash }: { at: string; isTrash: boolean }) {
  const { t } = useLingui()
  const [openedAt] = useState(() => Date.now())
  const days = Math.ceil((Date.parse(at) - openedAt) / msPerDay)
  if (!isTrash && days > expiryShownDays) return null
  return (
    <span className={`veil ${styles['remaining']}`}>
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
