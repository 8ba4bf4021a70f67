import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sendsAccountMails } from '../../../shared/mailed-links.ts'
import { useSite } from '../../api/site.tsx'
import { RetryButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { readProfile, readSignInMethods } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import styles from './account.module.css'
import { AccountSkeleton } from './section.tsx'
import { DeleteSection } from './delete-account.tsx'
import { EmailSection, NameSection } from './profile-sections.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection, ProviderSection, SessionsSection } from './sign-in-sections.tsx'
import { CommonSections } from './common-sections.tsx'

/** The account page of a local account. */
export function LocalAccount(props: {
  viewerId: string
  typedName: string | null
  onTypeName: (name: string | null) => void
  onDeleted: () => void
}) {
  const { auth } = useSite()
  const { profile, hasFailed, reload } = useProfile(props.viewerId)
  if (!profile) {
    if (!hasFailed) return <AccountSkeleton />
    return (
      <Notice action={<RetryButton onClick={() => void reload()} />}>
        <Trans>Your account could not be loaded. Try again in a moment.</Trans>
      </Notice>
    )
  }
  const { email, methods } = profile
  const provider = auth.kind === 'local' ? auth.provider : null
  const hasPasswords = auth.kind === 'local' && auth.hasPasswords
  return (
    <div className={styles['sections']}>
      <NameSection
        profile={profile}
        showsEmail={!sendsAccountMails(auth)}
        typed={props.typedName}
        onType={props.onTypeName}
        onSaved={async () => {
          await reload()
        }}
      />
      {sendsAccountMails(auth) && (
        <EmailSection profile={profile} hasPassword={methods.hasPassword} onReturn={() => void reload()} />
      )}
      {provider && (
        <ProviderSection
          provider={provider.name}
          email={email}
          methods={methods}
          hasPasswords={hasPasswords}
          onChanged={reload}
        />
      )}
      {hasPasswords && methods.hasPassword && <PasswordSection email={email} />}
      {hasPasswords && <PasskeysSection viewerId={props.viewerId} />}
      <SessionsSection />
      <CommonSections
        viewerId={props.viewerId}
        noticesTo={auth.kind === 'local' && auth.hasMail ? email : null}
      />
      <DeleteSection
        viewerId={props.viewerId}
        email={email}
        methods={methods}
        onDeleted={props.onDeleted}
        onUnconfirmed={reload}
      />
    </div>
  )
}

/** Reads name and email, and how the user signs in; null if signed out. */
async function readAccount() {
  const [profile, methods] = await Promise.all([readProfile(), readSignInMethods()])
  return profile && methods && { ...profile, methods }
}

/** Queries name and email; refreshes the session if it has ended. */
function useProfile(viewerId: string) {
  const refreshSession = useRefreshSession()
  const { data, isError, refetch } = useQuery({
    queryKey: ['profile', viewerId],
    queryFn: readAccount,
    // Dropped when the page closes.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const hasEnded = data === null
  useEffect(() => {
    if (hasEnded) void refreshSession()
  }, [hasEnded, refreshSession])
  return { profile: data ?? null, hasFailed: isError || hasEnded, reload: () => refetch() }
}
