import type { ReactNode } from 'react'
import { isSucceeded, type Image } from '../../../shared/images.ts'
import { SmallImage } from '../../images/image.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import styles from './batch-strip.module.css'
import { failureMessage, shownIndex, type ImageProgress, type Progress } from './creation-store.ts'
import type { Draft } from './draft.ts'

/** The images of a batch, from which one is chosen to be shown and shared. Nothing for a single image. */
export function BatchStrip(props: {
  draft: Draft
  progress: Progress | null
  onChoose: (index: number) => void
}) {
  const { draft, progress } = props
  const tiles = progress ? progress.images.map(tileOfProgress) : draft.batch.map(tileOfResult)
  if (tiles.length < 2) return null
  const chosen = progress ? shownIndex(progress) : draft.batch.findIndex(({ id }) => id === draft.image?.id)
  return (
    <fieldset className={styles['strip']}>
      <legend>
        <VisuallyHidden>Images of this batch</VisuallyHidden>
      </legend>
      {tiles.map(({ id, state, content, isShareable }, index) => (
        <label key={id ?? index} className={styles['tile']}>
          <input
            type="radio"
            name="batch"
            checked={index === chosen}
            aria-label={`Image ${index + 1} of ${tiles.length}, ${state}`}
            // The running batch shows reasons of failures in the preview; a finished one is for sharing.
            disabled={!progress && !isShareable}
            onChange={() => props.onChoose(index)}
          />
          {content}
        </label>
      ))}
    </fieldset>
  )
}

interface Tile {
  readonly id: string | null
  /** Announced with the image's number. */
  readonly state: string
  readonly content: ReactNode
  readonly isShareable: boolean
}

function tileOfProgress({ id, phase, preview, share, result }: ImageProgress): Tile {
  if (result) return tileOfResult(result)
  if (phase !== 'running') return { id, state: 'waiting', content: <Mark>…</Mark>, isShareable: false }
  const percent = share === null ? null : Math.floor(share * 100)
  return {
    id,
    state: percent === null ? 'in progress' : `${percent} percent done`,
    content: (
      <>
        {preview && <img className={styles['image']} src={preview} alt="" />}
        {percent === null ? (
          <span className={styles['turning']} />
        ) : (
          <span className={styles[preview ? 'over' : 'mark']}>{`${percent} %`}</span>
        )}
      </>
    ),
    isShareable: false,
  }
}

function tileOfResult(image: Image): Tile {
  const { id } = image
  if (isSucceeded(image)) {
    const content = <SmallImage image={image} className={styles['image']} />
    return { id, state: 'ready', content, isShareable: true }
  }
  return image.state === 'canceled'
    ? { id, state: 'canceled', content: <Mark>–</Mark>, isShareable: false }
    : {
        id,
        state: `failed: ${failureMessage(image)}`,
        content: <span className={styles['failed']}>!</span>,
        isShareable: false,
      }
}

function Mark({ children }: { children: ReactNode }) {
  return <span className={styles['mark']}>{children}</span>
}
