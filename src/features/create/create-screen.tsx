import { lazy, useEffect, useRef } from 'react'
import type { Image } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { LazyPart } from '../../ui/loading.tsx'
import { CreateForm } from './create-form.tsx'
import styles from './create-screen.module.css'
import { useCreation } from './use-creation.ts'
import { isUnfinished, useOwnImages } from './use-own-images.ts'
import type { OwnImages } from './use-own-images.ts'

const YourImages = lazy(() => import('./your-images.tsx').then((module) => ({ default: module.YourImages })))

/** Where a signed-in user makes an image, above those made before. */
export function CreateScreen({ viewer }: { viewer: Viewer }) {
  const creation = useCreation(viewer)
  const ownImages = useOwnImages(creation.progress?.imageId ?? null)
  usePickUp(ownImages, creation.pickUp)
  return (
    <div className={styles['screen']}>
      <CreateForm creation={creation} />
      {(ownImages.failure || hasImages(ownImages)) && (
        <LazyPart fallback={<div />}>
          <YourImages ownImages={ownImages} creation={creation} />
        </LazyPart>
      )}
    </div>
  )
}

function hasImages({ images }: OwnImages): boolean {
  return images !== null && images.length > 0
}

/** Goes on, once after the page was opened, with an image that is being made for another tab or device. */
function usePickUp({ images, isCurrent }: OwnImages, pickUp: (image: Image) => void): void {
  const hasLooked = useRef(false)
  useEffect(() => {
    if (hasLooked.current || !isCurrent) return
    hasLooked.current = true
    const unfinished = images?.find(isUnfinished)
    if (unfinished) pickUp(unfinished)
  }, [images, isCurrent, pickUp])
}
