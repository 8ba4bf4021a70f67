import { useLingui } from '@lingui/react/macro'
import type { SucceededImage } from '../../../shared/images.ts'
import { useDownload } from '../../images/load-image.ts'
import { DownloadIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './image-card.module.css'

/** Button that downloads an image, with an error if that fails. */
export function DownloadImage({ image, describedBy }: { image: SucceededImage; describedBy: string }) {
  const { t } = useLingui()
  const { failure, download } = useDownload('images', image.id)
  return (
    <>
      <button
        type="button"
        className={styles['action']}
        aria-label={t`Download image`}
        aria-describedby={describedBy}
        onClick={() => void download()}
      >
        <DownloadIcon />
      </button>
      <Notice>{failure}</Notice>
    </>
  )
}
