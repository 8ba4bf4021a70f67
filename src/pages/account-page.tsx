import { lazy, useState } from 'react'
import { AccountSkeleton } from '../account/account-skeleton.tsx'
import { forgetDrafts } from '../create/draft.ts'
import { forgetDailyCount } from '../create/use-daily-count.ts'
import { LazyPart } from '../ui/lazy-part.tsx'
import { PageHeading } from './page-heading.tsx'
import styles from './page.module.css'
import { SignedInOnly } from './signed-in-only.tsx'

const AccountScreen = lazy(() =>
  import('../account/account-screen.tsx').then((module) => ({ default: module.AccountScreen })),
)

/** Where people see to their own account. */
export function AccountPage() {
  // Above the form, which goes when the session ends: whoever signs in again finds what they typed.
  const [typed, setTyped] = useState<{ viewerId: string; name: string } | null>(null)
  return (
    <div className={styles['page']}>
      <PageHeading title="Your account">How you sign in, what you are called, and what is yours.</PageHeading>
      <SignedInOnly
        why="This page is about your own account, so you need to be signed in to see it."
        otherwise="your account can’t be shown just now."
        placeholder={<AccountSkeleton />}
      >
        {({ id }) => (
          <LazyPart fallback={<AccountSkeleton />}>
            <AccountScreen
              key={id}
              viewerId={id}
              typedName={typed?.viewerId === id ? typed.name : null}
              onTypeName={(name) => setTyped(name === null ? null : { viewerId: id, name })}
              onDeleted={() => {
                forgetDrafts()
                forgetDailyCount()
              }}
            />
          </LazyPart>
        )}
      </SignedInOnly>
    </div>
  )
}
