import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation } from 'wouter'
import type { InvitationFacts } from '../../../shared/invitations.ts'
import { matchPath, pagePaths } from '../../../shared/routes.ts'
import type { SignUpMode } from '../../../shared/site-options.ts'
import { usePageData } from '../../api/site.tsx'
import { Button, buttonClass, RetryButton } from '../../ui/button.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/framed-page.tsx'
import { PageHeading } from '../../ui/page.tsx'
import styles from '../../ui/page.module.css'
import { UserText } from '../../ui/text.tsx'
import { useSession } from '../auth/session.ts'

/** The page to which an invitation leads: says whether it is valid, and creates an account with it. */
export function InvitationPage() {
  const { site, invitation } = usePageData()
  const { name: siteName, auth } = site
  const { t, i18n } = useLingui()
  if (!invitation || auth.kind !== 'local') return <NotFoundPage />
  const problem = problemOf(invitation, auth.signUp)
  return (
    <div className={styles['page']}>
      <PageHeading title={problem ? t`Invitation` : t`You are invited to ${siteName}`}>
        {problem ? i18n._(problem) : t`With an account you can make images and share them.`}
      </PageHeading>
      <NextStep isOpen={!problem} expiresAt={invitation.expiresAt} />
    </div>
  )
}

function problemOf({ state }: InvitationFacts, signUp: SignUpMode) {
  if (signUp === 'closed') return msg`Sign-up is closed on this site.`
  switch (state) {
    case 'open':
      return null
    case 'used_up':
      return msg`This invitation has been used already. Ask for another one.`
    case 'expired':
      return msg`This invitation has expired. Ask for another one.`
    case 'revoked':
      return msg`This invitation has been withdrawn. Ask for another one.`
    case 'unknown':
      return msg`This is not an invitation of this site. Check whether the link is complete, or ask for another one.`
  }
}

function NextStep({ isOpen, expiresAt }: { isOpen: boolean; expiresAt: string | null }) {
  const session = useSession()
  const token = matchPath(pagePaths.invitation, useLocation()[0]) ?? ''
  const { t } = useLingui()
  switch (session.status) {
    case 'loading':
      return <Skeleton shape="area" />
    case 'error':
      return (
        <Notice action={<RetryButton onClick={session.retry} />}>
          {t`Sign-in is unavailable. Please try again in a moment.`}
        </Notice>
      )
    case 'signed-in': {
      const { firstName } = session.viewer
      return (
        <Panel>
          <p>
            <Trans>
              Welcome, <UserText text={firstName} />. You are signed in.
            </Trans>
          </p>
          <Link href={pagePaths.create} className={buttonClass('primary')}>
            {t`Make an image`}
          </Link>
        </Panel>
      )
    }
    case 'signed-out':
      return (
        <Panel>
          {isOpen && expiresAt !== null && (
            <p>
              <Trans>
                The invitation is valid until <DateTime at={expiresAt} />.
              </Trans>
            </p>
          )}
          <div className="row wider">
            {isOpen && (
              <Button variant="primary" onClick={() => session.openSignUp(token)}>
                {t`Create an account`}
              </Button>
            )}
            <Button onClick={session.openSignIn}>{t`Sign In`}</Button>
          </div>
        </Panel>
      )
  }
}
