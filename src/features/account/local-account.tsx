import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './account.module.css'
import { AccountSkeleton } from './account-skeleton.tsx'
import { DataSection } from './data-section.tsx'
import { DeleteSection } from './delete-section.tsx'
import { NameSection } from './name-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { ApiKeysSection } from './api-keys-section.tsx'
import { useProfile } from './use-profile.ts'

/** An account that this site keeps itself. */
export function LocalAccount(props: {
  viewerId: string
  typedName: string | null
  onTypeName: (name: string | null) => void
  onDeleted: () => void
}) {
  const { profile, hasFailed, reload } = useProfile(props.viewerId)
  if (!profile) {
    if (!hasFailed) return <AccountSkeleton />
    return (
      <Notice action={<Button onClick={() => void reload()}>Try again</Button>}>
        Your account could not be loaded. Try again in a moment.
      </Notice>
    )
  }
  return (
    <div className={styles['sections']}>
      <NameSection
        profile={profile}
        typed={props.typedName}
        onType={props.onTypeName}
        onSaved={async () => {
          await reload()
        }}
      />
      <PasswordSection email={profile.email} />
      <SessionsSection />
      <ApiKeysSection viewerId={props.viewerId} />
      <DataSection />
      <DeleteSection viewerId={props.viewerId} email={profile.email} onDeleted={props.onDeleted} />
    </div>
  )
}
