import { lazy } from 'react'
import { LazyPart, Skeleton } from '../../ui/loading.tsx'
import { PageHeading } from '../../ui/page.tsx'
import styles from '../../ui/page.module.css'
import { SignedInOnly } from '../auth/signed-in-only.tsx'

const ModerationScreen = lazy(() =>
  import('./moderation-screen.tsx').then((module) => ({ default: module.ModerationScreen })),
)

/** The page on which administrators review reports. */
export function ModerationPage() {
  return (
    <div className={styles['page']}>
      <PageHeading title="Reports">Posts that visitors reported, and hidden posts.</PageHeading>
      <SignedInOnly
        why="This page is for administrators, so you need to be signed in to see it."
        unavailable="Sign-in is unavailable, so the reports can’t be shown right now."
        placeholder={<Skeleton shape="square" />}
      >
        {({ role }) =>
          role === 'administrator' ? (
            <LazyPart fallback={<Skeleton shape="square" />}>
              <ModerationScreen />
            </LazyPart>
          ) : (
            <div className={styles['panel']}>
              <p>This page is for administrators of this site.</p>
            </div>
          )
        }
      </SignedInOnly>
    </div>
  )
}
