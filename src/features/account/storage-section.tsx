import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { formatBytes } from '../../ui/format-bytes.ts'
import styles from './account.module.css'
import { Section } from './section.tsx'

const trash = `${pagePaths.yourImages}?show=trash`

/** Shows how much of the user's storage is used; nothing on sites without a limit. */
export function StorageSection() {
  const { i18n, t } = useLingui()
  const labelId = useId()
  const { data } = trpc.images.quota.useQuery()
  const storage = data?.storage
  if (!storage) return null
  const isFull = storage.used >= storage.limit
  const used = formatBytes(storage.used, i18n)
  const limit = formatBytes(storage.limit, i18n)
  return (
    <Section
      title={t`Storage`}
      intro={
        <Trans>
          All images that you generated or uploaded, also those in <Link href={trash}>the trash</Link>.
        </Trans>
      }
    >
      <div className={styles['storage']}>
        <p id={labelId}>
          {isFull
            ? t`Full: ${used} of ${limit}. Delete images, and empty the trash.`
            : t`${used} of ${limit}`}
        </p>
        <div
          role="meter"
          aria-labelledby={labelId}
          aria-valuemin={0}
          aria-valuemax={storage.limit}
          aria-valuenow={Math.min(storage.used, storage.limit)}
          className={isFull ? `${styles['meter']} ${styles['isFull']}` : styles['meter']}
        >
          <span style={{ inlineSize: `${Math.min(1, storage.used / storage.limit) * 100}%` }} />
        </div>
      </div>
    </Section>
  )
}
