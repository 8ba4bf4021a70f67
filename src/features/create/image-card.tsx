import { useId } from 'react'
import {
  isFinished,
  isSucceeded,
  type Image,
  type Recipe,
  type SucceededImage,
} from '../../../shared/images.ts'
import { SmallImage, SourceLabel } from '../../images/image.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { WrappedText } from '../../ui/text.tsx'
import { DeleteButton } from './delete-button.tsx'
import { DownloadImage } from './download-image.tsx'
import { failureReason } from './failure-reason.ts'
import styles from './image-card.module.css'
import { RecipeDetails } from './recipe-details.tsx'
import { isShareable } from './use-image-into-form.ts'

/** Returns the element id of an image's card. */
export function cardId(imageId: string): string {
  return `image-${imageId}`
}

/** One of a user's images with its prompt and actions. */
export function ImageCard(props: {
  image: Image
  /** True while the form can't take another image. */
  isBusy: boolean
  onUse: () => void
  onUseSettings: (recipe: Recipe) => void
  onDelete: () => void
}) {
  const { image } = props
  const promptId = useId()
  return (
    <li id={cardId(image.id)} className={styles['card']}>
      <div className={image.isHidden ? `${styles['square']} ${styles['isHidden']}` : styles['square']}>
        {isSucceeded(image) ? <Thumbnail image={image} /> : <Unavailable image={image} />}
      </div>
      <p id={promptId} className={styles['prompt']} title={image.prompt}>
        <WrappedText text={image.prompt} />
      </p>
      {isFinished(image.state) && (
        <div className={styles['actions']}>
          <Button
            wide
            aria-label={isShareable(image) ? 'Use this image' : 'Use these words'}
            aria-describedby={promptId}
            aria-disabled={props.isBusy}
            onClick={() => !props.isBusy && props.onUse()}
          >
            Use
          </Button>
          {isSucceeded(image) && <DownloadImage image={image} describedBy={promptId} />}
          <DeleteButton describedBy={promptId} onClick={props.onDelete} />
        </div>
      )}
      {image.recipe && isFinished(image.state) && (
        <RecipeDetails
          recipe={image.recipe}
          describedBy={promptId}
          isBusy={props.isBusy}
          onUse={() => image.recipe && props.onUseSettings(image.recipe)}
        />
      )}
    </li>
  )
}

function Thumbnail({ image }: { image: SucceededImage }) {
  return (
    <>
      <SmallImage image={image} className={styles['image']} />
      <SourceLabel source="generated" engineKind={image.engineKind} />
      {image.isHidden && <p className={styles['hidden']}>Hidden by an administrator</p>}
    </>
  )
}

/** Placeholder of an image that is unfinished or failed. */
function Unavailable({ image }: { image: Image }) {
  if (!isFinished(image.state)) {
    return (
      <>
        <Skeleton shape="square" />
        <p className={styles['unavailable']}>In progress…</p>
      </>
    )
  }
  const reason = image.failureDetail ?? failureReason(image.failure)
  return (
    <p className={styles['unavailable']} title={reason}>
      {reason}
    </p>
  )
}
