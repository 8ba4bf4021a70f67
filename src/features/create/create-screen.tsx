import { lazy, useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Image } from '../../../shared/images.ts'
import { pagePaths } from '../../../shared/routes.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { takeContinuation } from '../../browser/continuation.ts'
import { LazyPart } from '../../ui/loading.tsx'
import { CreateForm } from './create-form.tsx'
import styles from './create-screen.module.css'
import { useCreation, type Creation } from './use-creation.ts'
import { isUnfinished, useOwnImages } from './use-own-images.ts'
import type { OwnImages } from './use-own-images.ts'

const YourImages = lazy(() => import('./your-images.tsx').then((module) => ({ default: module.YourImages })))

/** Form for generating an image, above the user's earlier images. */
export function CreateScreen({ viewer }: { viewer: Viewer }) {
  const creation = useCreation(viewer)
  const ownImages = useOwnImages('all', creation)
  const { show } = creation
  useEffect(() => show(), [show])
  useContinuation(creation)
  usePickUpOnce(ownImages, creation.pickUp)
  return (
    <div className={styles['screen']}>
      <CreateForm creation={creation} ownImages={ownImages} />
      {(ownImages.failure || hasImages(ownImages)) && (
        <LazyPart fallback={<div />}>
          <YourImages ownImages={ownImages} creation={creation} />
        </LazyPart>
      )}
    </div>
  )
}

/** Returns the images that were started together with the newest unfinished one, in their order; empty if there is none. */
function latestBatch(images: readonly Image[]): Image[] {
  const latest = images.find(isUnfinished)
  return images
    .filter(({ createdAt, prompt }) => createdAt === latest?.createdAt && prompt === latest.prompt)
    .toReversed()
}

function hasImages({ images }: OwnImages): boolean {
  return images !== null && images.length > 0
}

/**
 * Fills the form with the post to remix (`?remix=ID`) or the words (`?prompt=`) of the address, then generates an image of the
 * words that the user entered before they signed in.
 */
function useContinuation({ remix, change, generateFrom }: Creation): void {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const postId = query.get('remix')
  const words = query.get('prompt')
  const isFilling = useRef(false)
  const start = useEffectEvent(async (remixedId: string | null, entered: string | null) => {
    if (isFilling.current) return
    isFilling.current = true
    if (remixedId !== null || entered !== null) navigate(pagePaths.create, { replace: true })
    if (entered !== null) change({ prompt: entered })
    if (remixedId !== null) await remix(remixedId)
    const prompt = takeContinuation()
    isFilling.current = false
    if (prompt !== null) await generateFrom(prompt)
  })
  useEffect(() => void start(postId, words), [postId, words])
}

/** Picks up, once per page, a generation that was started in another tab or on another device. */
function usePickUpOnce({ images, isCurrent }: OwnImages, pickUp: (images: readonly Image[]) => void): void {
  const hasChecked = useRef(false)
  useEffect(() => {
    if (hasChecked.current || !isCurrent) return
    hasChecked.current = true
    pickUp(latestBatch(images ?? []))
  }, [images, isCurrent, pickUp])
}
