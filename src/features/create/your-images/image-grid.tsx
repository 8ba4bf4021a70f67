import { Fragment, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { isSucceeded, type ListedImage, type Recipe } from '../../../../shared/images.ts'
import { lazyPart } from '../../../ui/loading.tsx'
import { cardId, ImageCard } from './image-card.tsx'
import styles from './image-grid.module.css'
import type { Selection } from './selection-bar.tsx'

const DeleteImage = lazyPart(async () => (await import('./deletion.tsx')).DeleteImage)
const ImageViewer = lazyPart(async () => (await import('../../../images/image-viewer.tsx')).ImageViewer)

/** Cards of images, with the viewer and the dialog that they open. */
export function ImageGrid({
  list,
  images,
  renderCard,
  renderDeletion,
}: {
  list?: Ref<HTMLUListElement> | undefined
  images: readonly ListedImage[]
  renderCard: (image: ListedImage, actions: { onOpen: () => void; onDelete: () => void }) => ReactNode
  renderDeletion: (image: ListedImage, onClosed: () => void) => ReactNode
}) {
  const [openId, setOpenId] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<ListedImage | null>(null)
  return (
    <>
      {images.length > 0 && (
        <ul ref={list} className={styles['grid']}>
          {images.map((image) =>
            renderCard(image, {
              onOpen: () => setOpenId(image.id),
              onDelete: () => setDeleting(image),
            }),
          )}
        </ul>
      )}
      {openId !== null && (
        <ImageViewer
          images={images.filter(isSucceeded)}
          shownId={openId}
          onShow={setOpenId}
          focusAfter={(id) => document.getElementById(cardId(id))?.querySelector('button') ?? null}
          onClosed={() => setOpenId(null)}
        />
      )}
      {deleting && <Fragment key={deleting.id}>{renderDeletion(deleting, () => setDeleting(null))}</Fragment>}
    </>
  )
}

/** A user's images with their actions; while some are being selected, with checkboxes instead. */
export function OwnImageGrid(props: {
  list?: Ref<HTMLUListElement> | undefined
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
  const { selection = null } = props
  return (
    <ImageGrid
      list={props.list}
      images={props.images}
      renderCard={(image, actions) => (
        <ImageCard
          key={image.id}
          image={image}
          isBusy={props.isBusy}
          selection={selection}
          {...actions}
          onEdit={() => props.onEdit(image)}
          onRetry={() => props.onRetry(image)}
          onUseSettings={props.onUseSettings}
        />
      )}
      renderDeletion={(image, onClosed) => (
        <DeleteImage image={image} onDeleted={() => props.onDeleted(image.id)} onClosed={onClosed} />
      )}
    />
  )
}
