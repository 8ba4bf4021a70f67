import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { RetryButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ImageGrid } from './your-images/image-grid.tsx'
import type { Creation } from './use-creation.ts'
import { useImageIntoForm, useSettingsIntoForm } from './use-image-into-form.ts'
import type { OwnImages } from './use-own-images.ts'
import styles from './your-images.module.css'

/** Number of images that are listed below the form. */
const latestCount = 8

/** The latest images of a user, with a link to all of them. */
export function YourImages({ ownImages, creation }: { ownImages: OwnImages; creation: Creation }) {
  const headingId = useId()
  const putIntoForm = useImageIntoForm(creation)
  const putSettingsIntoForm = useSettingsIntoForm(creation)
  const { listed } = ownImages
  if (listed.length === 0 && !ownImages.failure && !ownImages.hasMore) return null

  return (
    <section aria-labelledby={headingId} className={styles['section']}>
      <div className={styles['top']}>
        <h2 id={headingId} className={styles['heading']}>
          <Trans>Your images</Trans>
        </h2>
        <Link href={pagePaths.yourImages}>
          <Trans>All your images</Trans>
        </Link>
      </div>
      {listed.length > 0 && (
        <ImageGrid
          images={listed.slice(0, latestCount)}
          isBusy={creation.progress !== null || creation.isSharing}
          onEdit={putIntoForm}
          onRetry={(image) => void creation.retry(image)}
          onUseSettings={(recipe) => void putSettingsIntoForm(recipe)}
          onDeleted={creation.remove}
        />
      )}
      <Notice action={<RetryButton onClick={ownImages.retry} />}>{ownImages.failure}</Notice>
    </section>
  )
}
