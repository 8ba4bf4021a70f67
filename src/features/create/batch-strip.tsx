import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { isSucceeded, type Image } from '../../../shared/images.ts'
import { SmallImage } from '../../images/image.tsx'
import { spinnerClass } from '../../ui/loading.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import styles from './batch-strip.module.css'
import type { Draft } from './draft.ts'
import { imageFailureMessage, isWaiting, shownIndex, type ImageProgress, type Progress } from './progress.ts'

/** The images of a batch, from which one is chosen to be shown and shared. Nothing for a single image. */
export function BatchStrip(props: {
  draft: Draft
  progress: Progress | null
  onChoose: (index: number) => void
}) {
  const { i18n, t } = useLingui()
  const { draft, progress } = props
  const tiles = progress
    ? progress.images.map((one) => tileOfProgress(one, i18n))
    : draft.batch.map((image) => tileOfResult(image, i18n))
  if (tiles.length < 2) return null
  const chosen = progress ? shownIndex(progress) : draft.batch.findIndex(({ id }) => id === draft.image?.id)
  const labelOf = (number: number, descriptor: MessageDescriptor) => {
    const total = tiles.length
    const state = i18n._(descriptor)
    return t({
      message: `Image ${number} of ${total}, ${state}`,
      comment: 'state: such as "waiting" or "50 percent done"',
    })
  }
  return (
    <fieldset className={styles['strip']}>
      <legend>
        <VisuallyHidden>
          <Trans>Images of this batch</Trans>
        </VisuallyHidden>
      </legend>
      {tiles.map(({ id, state, content }, index) => (
        <label key={id ?? index} className={`choice layers ${styles['tile']}`}>
          <input
            type="radio"
            name="batch"
            checked={index === chosen}
            aria-label={labelOf(index + 1, state)}
            // The running batch shows reasons of failures in the preview; a finished one is for sharing.
            disabled={!progress && draft.batch[index]?.state !== 'succeeded'}
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
  readonly state: MessageDescriptor
  readonly content: ReactNode
}

function tileOfProgress(image: ImageProgress, i18n: I18n): Tile {
  const { id, preview, share, result } = image
  if (result) return tileOfResult(result, i18n)
  if (isWaiting(image)) {
    return { id, state: msg({ message: 'waiting', comment: 'State of an image' }), content: <Mark>…</Mark> }
  }
  const percent = share === null ? null : Math.floor(share * 100)
  return {
    id,
    state:
      percent === null
        ? msg({ message: 'in progress', comment: 'State of an image' })
        : msg({ message: `${percent} percent done`, comment: 'State of an image' }),
    content: (
      <>
        {preview && <img className="cover" src={preview} alt="" />}
        {percent === null ? (
          <span className={`${spinnerClass} ${styles['mark']}`} />
        ) : (
          <span className={preview ? `tabular ${styles['over']}` : markClass}>
            <Trans>{percent} %</Trans>
          </span>
        )}
      </>
    ),
  }
}

function tileOfResult(image: Image, i18n: I18n): Tile {
  const { id } = image
  if (isSucceeded(image)) {
    const content = <SmallImage image={image} className="cover" />
    return { id, state: msg({ message: 'ready', comment: 'State of an image' }), content }
  }
  if (image.state === 'canceled') {
    return { id, state: msg({ message: 'canceled', comment: 'State of an image' }), content: <Mark>–</Mark> }
  }
  const reason = imageFailureMessage(image, i18n)
  return { id, state: msg`failed: ${reason}`, content: <span className={styles['failed']}>!</span> }
}

const markClass = `quiet small strong tabular ${styles['mark']}`

function Mark({ children }: { children: ReactNode }) {
  return <span className={markClass}>{children}</span>
}
