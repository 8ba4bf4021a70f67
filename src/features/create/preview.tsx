import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import { averageColor, describeImage, SourceLabel } from '../../images/image.tsx'
import { PreviewPlaceholder } from '../../ui/preview-placeholder.tsx'
import { lazyPart, Spinner } from '../../ui/loading.tsx'
import { shorten } from '../../ui/text.tsx'
import styles from './preview.module.css'
import {
  aheadSentence,
  clockTime,
  imageFailureMessage,
  isWaiting,
  likelyShare,
  remainingSentence,
  shownIndex,
  usualSentence,
  waitSentence,
  type ImageProgress,
  type Progress,
} from './progress.ts'

const ImageViewer = lazyPart(async () => (await import('../../images/image-viewer.tsx')).ImageViewer)

/** Square that shows the progress of a generation, then its image. */
export function Preview({ image, progress }: { image: Image | null; progress: Progress | null }) {
  const shown = progress?.images[shownIndex(progress)]
  const result = shown ? shown.result : image
  return (
    <div className={`card layers ${styles['preview']}`} aria-busy={progress !== null}>
      <Content
        isEmpty={progress !== null}
        image={shown?.result ?? image}
        partial={shown?.preview ? { src: shown.preview, prompt: progress?.prompt ?? '' } : null}
      />
      {result && isSucceeded(result) && (
        <>
          <SourceLabel source={result.recipe ? 'generated' : 'uploaded'} engineKind={result.engineKind} />
          <OpenImage key={result.id} image={result} />
        </>
      )}
      {progress && shown && !shown.result && <GenerationStatus image={shown} progress={progress} />}
    </div>
  )
}

/** Covers the image, which it shows whole: around the image it would replace the element of the intermediate one. */
function OpenImage({ image }: { image: SucceededImage }) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`insetFocus ${styles['open']}`}
        aria-label={t`Open image`}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <ImageViewer
          images={[image]}
          shownId={image.id}
          onShow={() => {}}
          onClosed={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

/** Uses the same element for intermediate and final images, so that one replaces the other without flicker. */
function Content(props: {
  /** True if there is nothing to show in place of an image, as the status has a drawing of its own. */
  isEmpty: boolean
  image: Image | null
  partial: { src: string; prompt: string } | null
}) {
  const { i18n, t } = useLingui()
  const { image, partial } = props
  if (partial) {
    const prompt = shorten(partial.prompt)
    return <img className="cover" src={partial.src} alt={t`Unfinished: ${prompt}`} />
  }
  if (!image) return props.isEmpty ? null : <PreviewPlaceholder />
  if (!isSucceeded(image)) {
    return (
      <p className={`clamp ${styles['reason']}`}>
        {image.state === 'canceled' ? (
          <Trans comment="State of an image">Canceled</Trans>
        ) : (
          imageFailureMessage(image, i18n)
        )}
      </p>
    )
  }
  return (
    <img
      className="cover"
      src={thumbnailUrl(image.photo, 640)}
      width={image.width}
      height={image.height}
      alt={shorten(describeImage(image, i18n))}
      style={{ backgroundColor: averageColor(image.placeholder) }}
    />
  )
}

/**
 * Status of a running generation: across the whole preview, or in a line below an intermediate image. It is not a live
 * region; changes of state are announced separately.
 */
function GenerationStatus({ image, progress }: { image: ImageProgress; progress: Progress }) {
  const { i18n, t } = useLingui()
  const { phase, preview, ahead, waitSeconds, isPaused } = image
  const delayMessage = describeDelay(image, progress)
  const isRunning = !isWaiting(image) && !delayMessage
  const share = isRunning ? image.share : null
  const percent = Math.floor((share ?? 0) * 100)
  return (
    <div className={styles['status']} data-partial={preview !== null || undefined}>
      {share === null ? (
        preview ? (
          <Spinner label={t`Generating the image`} />
        ) : (
          <span role="progressbar" aria-label={t`Generating the image`} className={styles['kolam']}>
            <PreviewPlaceholder lineClass={styles['line']} />
          </span>
        )
      ) : (
        <p className={`tabular ${styles['share']}`} aria-hidden="true">{t`${percent} %`}</p>
      )}
      <div className={styles['lines']}>
        {phase === 'queued' && !delayMessage && (
          <>
            <p className="strong">
              {isPaused
                ? t`The engine is paused. The image is generated when it is resumed.`
                : i18n._(aheadSentence(ahead))}
            </p>
            {waitSeconds !== null && waitSeconds >= 1 && (
              <p className="quiet small">{i18n._(waitSentence(waitSeconds))}</p>
            )}
          </>
        )}
        {delayMessage && <p className="strong">{i18n._(delayMessage)}</p>}
        <Elapsed
          // Restarts the timer with each phase.
          key={image.since}
          since={image.since}
          usualSeconds={isRunning ? image.usualSeconds : null}
          share={share}
        />
      </div>
    </div>
  )
}

function describeDelay(
  { isStopping }: ImageProgress,
  { isDisconnected }: Progress,
): MessageDescriptor | null {
  if (isDisconnected) return msg`Restoring the connection…`
  return isStopping ? msg`The server is restarting…` : null
}

/**
 * Elapsed time and a bar: the fraction that the engine reports, or else an estimate from the usual duration, which is
 * hidden from screen readers. Ticks by itself, without rendering its parents.
 */
function Elapsed(props: { since: number; usualSeconds: number | null; share: number | null }) {
  const { i18n, t } = useLingui()
  const { since, usualSeconds, share } = props
  const seconds = useSecondsSince(since)
  const estimate = usualSeconds === null ? null : likelyShare(usualSeconds, seconds)
  const sentence =
    share === null
      ? usualSeconds === null
        ? null
        : usualSentence(usualSeconds, seconds)
      : remainingSentence(share, seconds)
  return (
    <>
      <p className="tabular">
        {/* Most patterns are drawn within the first second. */}
        <span role="timer">{seconds > 0 && clockTime(seconds)}</span>
      </p>
      {sentence && <p className="quiet small">{i18n._(sentence)}</p>}
      {share !== null ? (
        <span
          role="progressbar"
          aria-label={t`Generating the image`}
          aria-valuenow={Math.floor(share * 100)}
          className={styles['bar']}
        >
          <span style={{ scale: `${share} 1` }} />
        </span>
      ) : (
        estimate !== null && (
          <span aria-hidden="true" className={styles['bar']}>
            <span style={{ scale: `${estimate} 1` }} />
          </span>
        )
      )}
    </>
  )
}

function useSecondsSince(since: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - since) / 1_000))
}
