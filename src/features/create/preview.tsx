import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, useState } from 'react'
import { isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { PreviewPlaceholder } from '../../ui/preview-placeholder.tsx'
import { averageColor, SourceLabel } from '../../images/image.tsx'
import { LazyPart } from '../../ui/loading.tsx'
import { shorten } from '../../ui/text.tsx'
import { GenerationStatus } from './generation-status.tsx'
import styles from './preview.module.css'
import { imageFailureMessage, shownIndex, type Progress } from './creation-store.ts'

const ImageViewer = lazy(() =>
  import('../../images/image-viewer.tsx').then((module) => ({ default: module.ImageViewer })),
)

/** Square that shows the progress of a generation, then its image. */
export function Preview({ image, progress }: { image: Image | null; progress: Progress | null }) {
  const shown = progress?.images[shownIndex(progress)]
  const result = shown ? shown.result : image
  return (
    <div className={styles['preview']} aria-busy={progress !== null}>
      <Content
        isEmpty={progress !== null}
        image={shown?.result ?? image}
        partial={shown?.preview ? { src: shown.preview, prompt: progress?.prompt ?? '' } : null}
      />
      {result && isSucceeded(result) && (
        <>
          <SourceLabel source="generated" engineKind={result.engineKind} />
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
        className={styles['open']}
        aria-label={t`Open image`}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <LazyPart fallback={null}>
          <ImageViewer
            images={[image]}
            shownId={image.id}
            onShow={() => {}}
            focusAfter={() => null}
            onClosed={() => setIsOpen(false)}
          />
        </LazyPart>
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
    return <img className={styles['image']} src={partial.src} alt={t`Unfinished: ${prompt}`} />
  }
  if (!image) return props.isEmpty ? null : <PreviewPlaceholder />
  if (!isSucceeded(image)) {
    return (
      <p className={styles['reason']}>
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
      className={styles['image']}
      src={thumbnailUrl(image.photo, 640)}
      width={image.width}
      height={image.height}
      alt={shorten(image.prompt)}
      style={{ backgroundColor: averageColor(image.placeholder) }}
    />
  )
}
