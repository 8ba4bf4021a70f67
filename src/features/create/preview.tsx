import type { SucceededImage } from '../../../shared/images.ts'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { PreviewPlaceholder } from '../../ui/brand/preview-placeholder.tsx'
import { averageColor, SourceLabel } from '../../images/image.tsx'
import { shorten } from '../../ui/text.tsx'
import { GenerationStatus } from './generation-status.tsx'
import styles from './preview.module.css'
import type { Progress } from './creation-store.ts'

/** Square that shows the progress of a generation, then its image. */
export function Preview({ image, progress }: { image: SucceededImage | null; progress: Progress | null }) {
  return (
    <div className={styles['preview']} aria-busy={progress !== null}>
      <Image image={image} progress={progress} />
      {image && !progress && <SourceLabel source="generated" engine={image.engine} />}
      {progress && <GenerationStatus progress={progress} />}
    </div>
  )
}

/** Uses the same element for intermediate and final images, so that one replaces the other without flicker. */
function Image({ image, progress }: { image: SucceededImage | null; progress: Progress | null }) {
  if (progress?.preview) {
    const alt = `Unfinished: ${shorten(progress.prompt)}`
    return <img className={styles['image']} src={progress.preview} alt={alt} />
  }
  if (!image) return <PreviewPlaceholder />
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
