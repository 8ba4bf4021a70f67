import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import { averageColor, describeImage, SmallImage, SourceLabel } from '../../images/image.tsx'
import { PreviewPlaceholder } from '../../ui/preview-placeholder.tsx'
import { lazyPart, Spinner, spinnerClass } from '../../ui/loading.tsx'
import { shorten, VisuallyHidden } from '../../ui/text.tsx'
import styles from './preview.module.css'
import {
  aheadSentence,
  clockTime,
  imageFailureMessage,
  isWaiting,
  likelyShare,
  newImage,
  remainingSentence,
  shownIndex,
  usualSentence,
  waitSentence,
  type ImageProgress,
  type Progress,
} from './progress.ts'
import type { Creation } from './use-creation.ts'

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
  const delayMessage = progress.isDisconnected
    ? t`Restoring the connection…`
    : image.isStopping && t`The server is restarting…`
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
        {delayMessage && <p className="strong">{delayMessage}</p>}
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

/**
 * Elapsed time and a bar: the fraction that the engine reports, or else an estimate from the usual duration, which is
 * hidden from screen readers. Ticks by itself, without rendering its parents.
 */
function Elapsed(props: { since: number; usualSeconds: number | null; share: number | null }) {
  const { i18n, t } = useLingui()
  const { since, usualSeconds, share } = props
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  const sentence =
    share !== null
      ? remainingSentence(share, seconds)
      : usualSeconds !== null && usualSentence(usualSeconds, seconds)
  const filled = share ?? (usualSeconds === null ? null : likelyShare(usualSeconds, seconds))
  return (
    <>
      <p className="tabular">
        {/* Most patterns are drawn within the first second. */}
        <span role="timer">{seconds > 0 && clockTime(seconds)}</span>
      </p>
      {sentence && <p className="quiet small">{i18n._(sentence)}</p>}
      {filled !== null && (
        <span
          className={styles['bar']}
          {...(share === null
            ? { 'aria-hidden': true }
            : {
                role: 'progressbar',
                'aria-label': t`Generating the image`,
                'aria-valuenow': Math.floor(share * 100),
              })}
        >
          <span style={{ scale: `${filled} 1` }} />
        </span>
      )}
    </>
  )
}

/** The images of a batch, from which one is chosen to be shown and shared. Nothing for a single image. */
export function BatchStrip({ draft, progress, choose }: Pick<Creation, 'draft' | 'progress' | 'choose'>) {
  const { i18n, t } = useLingui()
  const images = progress?.images ?? draft.batch.map((image) => newImage(image.id, 0, image))
  const total = images.length
  if (total < 2) return null
  const chosen = progress ? shownIndex(progress) : images.findIndex(({ id }) => id === draft.image?.id)
  return (
    <fieldset className={styles['strip']}>
      <legend>
        <VisuallyHidden>
          <Trans>Images of this batch</Trans>
        </VisuallyHidden>
      </legend>
      {images.map((image, index) => {
        const { state: descriptor, content } = describeTile(image, i18n)
        const number = index + 1
        const state = i18n._(descriptor)
        return (
          <label key={image.id ?? index} className={`choice layers ${styles['tile']}`}>
            <input
              type="radio"
              name="batch"
              checked={index === chosen}
              aria-label={t({
                message: `Image ${number} of ${total}, ${state}`,
                comment: 'state: such as "waiting" or "50 percent done"',
              })}
              // The running batch shows reasons of failures in the preview; a finished one is for sharing.
              disabled={!progress && image.result?.state !== 'succeeded'}
              onChange={() => choose(index)}
            />
            {content}
          </label>
        )
      })}
    </fieldset>
  )
}

/** The state of an image, which is announced with its number, and what its tile shows. */
function describeTile(image: ImageProgress, i18n: I18n): { state: MessageDescriptor; content: ReactNode } {
  const { preview, share, result } = image
  const mark = `quiet small strong tabular ${styles['mark']}`
  if (result && isSucceeded(result)) {
    return {
      state: msg({ message: 'ready', comment: 'State of an image' }),
      content: <SmallImage image={result} className="cover" />,
    }
  }
  if (result?.state === 'canceled') {
    const state = msg({ message: 'canceled', comment: 'State of an image' })
    return { state, content: <span className={mark}>–</span> }
  }
  if (result) {
    const reason = imageFailureMessage(result, i18n)
    return { state: msg`failed: ${reason}`, content: <span className={styles['failed']}>!</span> }
  }
  if (isWaiting(image)) {
    const state = msg({ message: 'waiting', comment: 'State of an image' })
    return { state, content: <span className={mark}>…</span> }
  }
  const percent = Math.floor((share ?? 0) * 100)
  return {
    state:
      share === null
        ? msg({ message: 'in progress', comment: 'State of an image' })
        : msg({ message: `${percent} percent done`, comment: 'State of an image' }),
    content: (
      <>
        {preview && <img className="cover" src={preview} alt="" />}
        {share === null ? (
          <span className={`${spinnerClass} ${styles['mark']}`} />
        ) : (
          <span className={preview ? `tabular ${styles['over']}` : mark}>
            <Trans>{percent} %</Trans>
          </span>
        )}
      </>
    ),
  }
}
