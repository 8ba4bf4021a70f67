import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sendsAccountMails } from '../../../shared/mailed-links.ts'
import { useSite } from '../../api/site.tsx'
import { RetryButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { readProfile } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import ui from '../../ui/primitives.module.css'
import styles from './account.module.css'
import { CommonSections } from './common-sections.tsx'
import { DeleteSection } from './delete-account.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { EmailSection, NameSection } from './profile-sections.tsx'
import { AccountSkeleton } from './section.tsx'
import { PasswordSection, ProviderSection, SessionsSection } from './sign-in-sections.tsx'

/** The account page of a local account. */
export function LocalAccount(props: {
  viewerId: string
  typedName: string | null
  onTypeName: (name: string | null) => void
  onDeleted: () => void
}) {
  const { viewerId } = props
  const { t } = useLingui()
  const { auth } = useSite()
  const refreshSession = useRefreshSession()
  const query = useQuery({
    queryKey: ['profile', viewerId],
    queryFn: readProfile,
    // Dropped when the page closes.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const { data: profile, isError, refetch } = query
  const hasEnded = profile === null
  useEffect(() => {
    if (hasEnded) void refreshSession()
  }, [hasEnded, refreshSession])
  if (!profile) {
    if (!isError && !hasEnded) return <AccountSkeleton />
    return (
      <Notice action={<RetryButton onClick={() => void refetch()} />}>
        {t`Your account could not be loaded. Try again in a moment.`}
      </Notice>
    )
  }
  const { email, methods } = profile
  const { provider, hasPasswords, hasMail } =
    auth.kind === 'local' ? auth : { provider: null, hasPasswords: false, hasMail: false }
  return (
    <div className={`${ui['stack']} ${styles['sections']}`}>
      <NameSection
        profile={profile}
        showsEmail={!sendsAccountMails(auth)}
        typed={props.typedName}
        onType={props.onTypeName}
        onSaved={() => refetch()}
      />
      {sendsAccountMails(auth) && <EmailSection profile={profile} onReturn={() => void refetch()} />}
      {provider && (
        <ProviderSection
          provider={provider.name}
          profile={profile}
          hasPasswords={hasPasswords}
          onChanged={() => refetch()}
        />
      )}
      {hasPasswords && methods.hasPassword && <PasswordSection email={email} />}
      {hasPasswords && <PasskeysSection viewerId={viewerId} />}
      <SessionsSection />
      <CommonSections viewerId={viewerId} noticesTo={hasMail ? email : null} />
      <DeleteSection
        viewerId={viewerId}
        profile={profile}
        onDeleted={props.onDeleted}
        onUnconfirmed={() => refetch()}
      />
    </div>
  )
}
