import { Trans, useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import { Button } from '../../ui/button.tsx'
import { LazyPart } from '../../ui/loading.tsx'
import { useSession } from '../auth/session.ts'
import styles from './account.module.css'
import { AccountSkeleton } from './account-skeleton.tsx'
import { ApiKeysSection } from './api-keys-section.tsx'
import { DataSection } from './data-section.tsx'
import { PostsSection } from './posts-section.tsx'
import { StorageSection } from './storage-section.tsx'
import { Section } from './section.tsx'
import { WebhooksSection } from './webhooks-section.tsx'

const LocalAccount = lazy(() =>
  import('./local-account.tsx').then((module) => ({ default: module.LocalAccount })),
)

/** The account page of a signed-in user, with a local account or one of a hosted sign-in service. */
export function AccountScreen(props: {
  viewerId: string
  /** Unsaved text of the name field; null if unchanged. */
  typedName: string | null
  onTypeName: (name: string | null) => void
  /** Called after the account is deleted and the user is signed out. */
  onDeleted: () => void
}) {
  const { openProfile } = useSession()
  const { t } = useLingui()
  if (!openProfile) {
    return (
      <LazyPart fallback={<AccountSkeleton />}>
        <LocalAccount {...props} />
      </LazyPart>
    )
  }
  return (
    <div className={styles['sections']}>
      <Section
        title={t`Name, password and deletion`}
        intro={t`Change your name, email and password, or delete your account, in your profile.`}
      >
        <Button variant="primary" onClick={openProfile}>
          <Trans>Manage your account</Trans>
        </Button>
      </Section>
      <PostsSection viewerId={props.viewerId} />
      <StorageSection />
      <ApiKeysSection viewerId={props.viewerId} />
      <WebhooksSection />
      <DataSection />
    </div>
  )
}
