import { lazy, useState } from 'react'
import type { Ref } from 'react'
import { isSucceeded, type ListedImage, type Recipe } from '../../../../shared/images.ts'
import { cardId, ImageCard } from '../image-card.tsx'
import { LazyPart } from '../../../ui/loading.tsx'
import styles from './image-grid.module.css'
import type { Selection } from './use-selection.ts'

const DeleteImage = lazy(() =>
  import('../delete-image.tsx').then((module) => ({ default: module.DeleteImage })),
)
const ImageViewer = lazy(() =>
  import('../../../images/image-viewer.tsx').then((module) => ({ default: module.ImageViewer })),
)

/** A user's images with their actions; while some are being selected, with checkboxes instead. */
export function ImageGrid(props: {
  list?: Ref<HTMLUListElement>
  images: readonly ListedImage[]
  /** True while the form can't take another image. */
  isBusy: boolean
  /** Null while no images are being selected. */
  selection?: Selection | null
  onEdit: (image: ListedImage) => void
  onRetry: (image: ListedImage) => void
  onUseSettings: (recipe: Recipe) => void
  onDeleted: (imageId: string) => void
}) {
  const { list, images, selection = null, onEdit, onRetry } = props
  const [deleting, setDeleting] = useState<ListedImage | null>(null)
  const [openId, setOpenId] = useState<string | null>(null)

  return (
    <>
      <ul ref={list} className={styles['grid']}>
        {images.map((image) => (
          <ImageCard
            key={image.id}
            image={image}
            isBusy={props.isBusy}
            selection={selection}
            onOpen={() => setOpenId(image.id)}
            onEdit={() => onEdit(image)}
            onRetry={() => onRetry(image)}
            onUseSettings={props.onUseSettings}
            onDelete={() => setDeleting(image)}
          />
        ))}
      </ul>
      {openId !== null && (
        <LazyPart fallback={null}>
          <ImageViewer
            images={images.filter(isSucceeded)}
            shownId={openId}
            onShow={setOpenId}
            focusAfter={(id) => document.getElementById(cardId(id))?.querySelector('button') ?? null}
            onClosed={() => setOpenId(null)}
          />
        </LazyPart>
      )}
      {deleting && (
        <LazyPart fallback={null}>
          <DeleteImage
            key={deleting.id}
            image={deleting}
            onDeleted={() => props.onDeleted(deleting.id)}
            onClosed={() => setDeleting(null)}
          />
        </LazyPart>
      )}
    </>
  )
}
