import { lazy } from 'react'
import { useSession } from '../auth/session.ts'
import { LazyPart } from '../../ui/loading.tsx'
import styles from './account.module.css'
import { AccountSkeleton } from './account-skeleton.tsx'
import { DataSection } from './data-section.tsx'
import { HostedAccount } from './hosted-account.tsx'
import { ApiKeysSection } from './api-keys-section.tsx'

const LocalAccount = lazy(() =>
  import('./local-account.tsx').then((module) => ({ default: module.LocalAccount })),
)

/** What a signed-in user can do about their account, wherever it is kept. */
export function AccountScreen(props: {
  viewerId: string
  /** What stands in the name's field and is not saved; null where that is the account's own name. */
  typedName: string | null
  onTypeName: (name: string | null) => void
  /** Called when the account is gone, and the user signed out. */
  onDeleted: () => void
}) {
  const { openProfile } = useSession()
  if (!openProfile) {
    return (
      <LazyPart fallback={<AccountSkeleton />}>
        <LocalAccount {...props} />
      </LazyPart>
    )
  }
  return (
    <div className={styles['sections']}>
      <HostedAccount onOpen={openProfile} />
      <ApiKeysSection viewerId={props.viewerId} />
      <DataSection />
    </div>
  )
}
