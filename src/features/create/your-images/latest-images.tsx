import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { Link } from 'wouter'
import { pagePaths } from '../../../../shared/routes.ts'
import { RetryButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Creation } from '../use-creation.ts'
import type { OwnImages } from '../use-own-images.ts'
import { ImageGrid } from './image-grid.tsx'
import styles from './image-grid.module.css'

/** Number of images that are listed below the form. */
const latestCount = 8

/** The latest images of a user, with a link to all of them. */
export function LatestImages({ ownImages, creation }: { ownImages: OwnImages; creation: Creation }) {
  const headingId = useId()
  const { listed } = ownImages
  if (listed.length === 0 && !ownImages.failure && !ownImages.hasMore) return null

  return (
    <section aria-labelledby={headingId} className={`stack ${styles['latest']}`}>
      <div className={`row ${styles['top']}`}>
        <h2 id={headingId}>
          <Trans>Your images</Trans>
        </h2>
        <Link href={pagePaths.yourImages}>
          <Trans>All your images</Trans>
        </Link>
      </div>
      {listed.length > 0 && <ImageGrid images={listed.slice(0, latestCount)} creation={creation} />}
      <Notice action={<RetryButton onClick={ownImages.retry} />}>{ownImages.failure}</Notice>
    </section>
  )
}
