import type { ReadyImage } from '../../shared/images.ts'
import { thumbnailUrl } from '../../shared/pictures.ts'
import { PreviewPlaceholder } from '../brand/preview-placeholder.tsx'
import { shortened } from '../ui/shortened.ts'
import { Spinner } from '../ui/spinner.tsx'
import styles from './preview.module.css'

/** The square in which the picture appears. `ahead`: how many other pictures the server makes first. */
export function Preview(props: { image: ReadyImage | null; isBusy: boolean; ahead: number }) {
  const { image, isBusy, ahead } = props
  return (
    <div className={styles['preview']} aria-busy={isBusy}>
      {image ? (
        <img
          className={styles['picture']}
          src={thumbnailUrl(image.photo, 640)}
          width={image.width}
          height={image.height}
          alt={shortened(image.prompt)}
        />
      ) : (
        <PreviewPlaceholder />
      )}
      {isBusy && (
        <div className={styles['overlay']}>
          <Spinner label="Generating the picture" size="large" />
          {ahead > 0 && (
            <p className={styles['ahead']}>
              {ahead === 1 ? 'One picture' : `${ahead} pictures`} before yours
            </p>
          )}
        </div>
      )}
    </div>
  )
}
