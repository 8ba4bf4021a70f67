import { useLingui } from '@lingui/react/macro'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import { Page, Panel } from '../../ui/framed-page.tsx'
import { SignedInOnly } from '../auth/signed-in-only.tsx'

const ModerationScreen = lazyPart(
  async () => (await import('./moderation-screen.tsx')).ModerationScreen,
  <Skeleton shape="area" />,
)

/** The page on which moderators and administrators review reports. */
export function ModerationPage() {
  const { t } = useLingui()
  return (
    <Page title={t`Reports`} intro={t`Posts that visitors reported, and hidden posts.`}>
      <SignedInOnly
        why={t`This page is for moderators, so you need to be signed in to see it.`}
        unavailable={t`Sign-in is unavailable, so the reports can’t be shown right now.`}
        placeholder={<Skeleton shape="area" />}
      >
        {({ role }) =>
          role === 'member' ? (
            <Panel>
              <p>{t`This page is for moderators and administrators of this site.`}</p>
            </Panel>
          ) : (
            <ModerationScreen canDelete={role === 'administrator'} />
          )
        }
      </SignedInOnly>
    </Page>
  )
}
