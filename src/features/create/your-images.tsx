import { lazy, useId, useState } from 'react'
import type { Image } from '../../../shared/images.ts'
import { Button } from '../../ui/button.tsx'
import { LazyPart } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ImageCard } from './image-card.tsx'
import type { Creation } from './use-creation.ts'
import { useImageIntoForm, useSettingsIntoForm } from './use-image-into-form.ts'
import type { OwnImages } from './use-own-images.ts'
import { useShowMore } from './use-show-more.ts'
import styles from './your-images.module.css'

const DeleteImage = lazy(() =>
  import('./delete-image.tsx').then((module) => ({ default: module.DeleteImage })),
)

/**
 * A user's images, shared or not. Omits canceled ones, and the one that the preview shows already.
 */
export function YourImages({ ownImages, creation }: { ownImages: OwnImages; creation: Creation }) {
  const headingId = useId()
  const [deleting, setDeleting] = useState<Image | null>(null)
  const putIntoForm = useImageIntoForm(creation)
  const putSettingsIntoForm = useSettingsIntoForm(creation)
  const watchedIds = creation.progress?.images.map(({ id }) => id) ?? []
  const images = (ownImages.images ?? []).filter(
    ({ id, state }) => state !== 'canceled' && !watchedIds.includes(id),
  )
  const { list, showMore } = useShowMore(ownImages, images.length)
  if (images.length === 0 && !ownImages.failure && !ownImages.hasMore) return null

  return (
    <section aria-labelledby={headingId} className={styles['section']}>
      <div>
        <h2 id={headingId} className={styles['heading']}>
          Your images
        </h2>
        <p className={styles['intro']}>All images you generated here. Only you see this list.</p>
      </div>
      {images.length > 0 && (
        <ul ref={list} className={styles['grid']}>
          {images.map((image) => (
            <ImageCard
              key={image.id}
              image={image}
              isBusy={creation.progress !== null || creation.isSharing}
              onUse={() => putIntoForm(image)}
              onUseSettings={(recipe) => void putSettingsIntoForm(recipe)}
              onDelete={() => setDeleting(image)}
            />
          ))}
        </ul>
      )}
      <Notice action={<Button onClick={ownImages.retry}>Try again</Button>}>{ownImages.failure}</Notice>
      {ownImages.hasMore && (
        <div className={styles['more']}>
          <Button aria-disabled={ownImages.isLoadingMore} onClick={showMore}>
            {ownImages.isLoadingMore ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
      {deleting && (
        <LazyPart fallback={null}>
          <DeleteImage
            key={deleting.id}
            image={deleting}
            onDeleted={() => creation.remove(deleting.id)}
            onClosed={() => setDeleting(null)}
          />
        </LazyPart>
      )}
    </section>
  )
}
