import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { formatBytes } from '../../ui/formats.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import ui from '../../ui/primitives.module.css'
import styles from './account.module.css'
import { ApiKeysSection } from './api-keys-section.tsx'
import { DataSection } from './data-section.tsx'
import { Section } from './section.tsx'
import { MailSection, PostsSection } from './settings-sections.tsx'

/**
 * The sections of every account.
 *
 * @param props.noticesTo email of the account on a site that sends notices; null on others
 */
export function CommonSections({ viewerId, noticesTo }: { viewerId: string; noticesTo: string | null }) {
  return (
    <>
      <PostsSection viewerId={viewerId} />
      {noticesTo !== null && <MailSection email={noticesTo} />}
      <StorageSection />
      <ApiKeysSection viewerId={viewerId} />
      <WebhooksSection />
      <DataSection />
    </>
  )
}

const trash = `${pagePaths.yourImages}?show=trash`

/** Shows how much of the user's storage is used; nothing on sites without a limit. */
function StorageSection() {
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
      <div className={`${ui['stack']} ${styles['storage']}`}>
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

const Webhooks = lazyPart(
  async () => (await import('../webhooks/webhooks.tsx')).Webhooks,
  <Skeleton shape="line" />,
)

/** Webhooks about the signed-in user's images and posts. */
function WebhooksSection() {
  const { t } = useLingui()
  return (
    <Section
      title={t`Webhooks`}
      intro={t`The site sends your server a signed request when something happens to your images and posts, and repeats it for about three days until the server accepts it.`}
    >
      <Webhooks owner="user" />
    </Section>
  )
}
