import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { clearLocalData } from '../../browser/apis.ts'
import { AccountSkeleton } from './section.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { Page } from '../../ui/framed-page.tsx'
import { useSession } from '../auth/session.ts'
import { SignedInOnly } from '../auth/signed-in-only.tsx'

const HostedAccount = lazyPart(
  async () => (await import('./hosted-account.tsx')).HostedAccount,
  <AccountSkeleton />,
)
const LocalAccount = lazyPart(
  async () => (await import('./local-account.tsx')).LocalAccount,
  <AccountSkeleton />,
)

/** The page of the viewer's own account. */
export function AccountPage() {
  const { t } = useLingui()
  const { openProfile } = useSession()
  // Kept above the form, which unmounts when the session ends, so that typed text survives signing in again.
  const [typed, setTyped] = useState<{ viewerId: string; name: string } | null>(null)
  return (
    <Page title={t`Your account`} intro={t`Your sign-in, your name, your API keys and your data.`}>
      <SignedInOnly
        why={t`This page is about your own account, so you need to be signed in to see it.`}
        unavailable={t`Sign-in is unavailable, so your account can’t be shown right now.`}
        placeholder={<AccountSkeleton />}
      >
        {({ id }) =>
          openProfile ? (
            <HostedAccount key={id} viewerId={id} openProfile={openProfile} />
          ) : (
            <LocalAccount
              key={id}
              viewerId={id}
              typedName={typed?.viewerId === id ? typed.name : null}
              onTypeName={(name) => setTyped(name === null ? null : { viewerId: id, name })}
              onDeleted={clearLocalData}
            />
          )
        }
      </SignedInOnly>
    </Page>
  )
}
