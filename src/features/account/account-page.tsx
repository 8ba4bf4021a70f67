import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sendsAccountMails } from '../../../shared/mailed-links.ts'
import { useSite } from '../../api/site.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { readProfile } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { useSession } from '../auth/session.ts'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import { CommonSections } from './common-sections.tsx'
import {
  DeleteSection,
  EmailSection,
  NameSection,
  PasskeysSection,
  PasswordSection,
  ProviderSection,
  SessionsSection,
} from './local-sections.tsx'
import { AccountSkeleton, Section } from './section.tsx'

export function AccountPage() {
  const { t } = useLingui()
  const { openProfile } = useSession()
  // Kept above the form, which unmounts when the session ends, so that typed text survives signing in again.
  const [typed, setTyped] = useState<{ viewerId: string; name: string } | null>(null)
  return (
    <Page isText title={t`Your account`} intro={t`Your sign-in, your name, your API keys and your data.`}>
      <SignedInOnly
        why={t`This page is about your own account, so you need to be signed in to see it.`}
        unavailable={t`Sign-in is unavailable, so your account can’t be shown right now.`}
        placeholder={<AccountSkeleton />}
      >
        {({ id }) =>
          openProfile ? (
            <div key={id} className="stack widest">
              <Section
                title={t`Name, password and deletion`}
                intro={t`Change your name, email and password, or delete your account, in your profile.`}
              >
                <Button variant="primary" onClick={openProfile}>{t`Manage your account`}</Button>
              </Section>
              <CommonSections viewerId={id} noticesTo={null} />
            </div>
          ) : (
            <LocalAccount
              key={id}
              viewerId={id}
              typedName={typed?.viewerId === id ? typed.name : null}
              onTypeName={(name) => setTyped(name === null ? null : { viewerId: id, name })}
            />
          )
        }
      </SignedInOnly>
    </Page>
  )
}

function LocalAccount(props: {
  viewerId: string
  typedName: string | null
  onTypeName: (name: string | null) => void
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
  const { data: profile, refetch } = query
  const hasEnded = profile === null
  useEffect(() => {
    if (hasEnded) void refreshSession('ended')
  }, [hasEnded, refreshSession])
  const failed = t`Your account could not be loaded. Try again in a moment.`
  if (hasEnded) return <AccountSkeleton />
  if (!profile) return <QueryState query={query} failed={failed} placeholder={<AccountSkeleton />} />
  const { email, methods } = profile
  const { provider, hasPasswords, hasMail } =
    auth.kind === 'local' ? auth : { provider: null, hasPasswords: false, hasMail: false }
  return (
    <div className="stack widest">
      <NameSection
        profile={profile}
        showsEmail={!sendsAccountMails(auth)}
        typed={props.typedName}
        onType={props.onTypeName}
        onSaved={refetch}
      />
      {sendsAccountMails(auth) && <EmailSection profile={profile} onReturn={() => void refetch()} />}
      {provider && (
        <ProviderSection
          provider={provider.name}
          profile={profile}
          hasPasswords={hasPasswords}
          onChanged={refetch}
        />
      )}
      {hasPasswords && methods.hasPassword && <PasswordSection email={email} />}
      {hasPasswords && <PasskeysSection />}
      <SessionsSection />
      <CommonSections viewerId={viewerId} noticesTo={hasMail ? email : null} />
      <DeleteSection viewerId={viewerId} profile={profile} onUnconfirmed={refetch} />
    </div>
  )
}
