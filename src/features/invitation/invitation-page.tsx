import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation } from 'wouter'
import type { InvitationState } from '../../../shared/invitations.ts'
import { matchPath, pagePaths } from '../../../shared/routes.ts'
import { usePageData } from '../../api/site.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { useSession } from '../auth/session.ts'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import { Sentence } from '../../ui/sentence.tsx'

const problems: Readonly<Record<InvitationState | 'unknown', MessageDescriptor | null>> = {
  open: null,
  used_up: msg`This invitation has been used already. Ask for another one.`,
  expired: msg`This invitation has expired. Ask for another one.`,
  revoked: msg`This invitation has been withdrawn. Ask for another one.`,
  unknown: msg`This is not an invitation of this site. Check whether the link is complete, or ask for another one.`,
}

/** The page to which an invitation leads: says whether it is valid, and creates an account with it. */
export function InvitationPage() {
  const { site, invitation } = usePageData()
  const { name: siteName, auth } = site
  const { openSignIn, openSignInFor } = useSession()
  const token = matchPath(pagePaths.invitation, useLocation()[0]) ?? ''
  const { t, i18n } = useLingui()
  if (!invitation || auth.kind !== 'local') return <NotFoundPage />
  const problem = auth.signUp === 'closed' ? msg`Sign-up is closed on this site.` : problems[invitation.state]
  const { expiresAt } = invitation
  const renderForVisitors = () => (
    <Panel>
      {!problem && expiresAt !== null && (
        <p>
          <Trans>
            The invitation is valid until <DateTime at={expiresAt} />.
          </Trans>
        </p>
      )}
      <div className="row wider">
        {!problem && (
          <Button variant="primary" onClick={() => openSignInFor({ goal: 'join', invitation: token })}>
            {t`Create an account`}
          </Button>
        )}
        <Button onClick={openSignIn}>{t`Sign In`}</Button>
      </div>
    </Panel>
  )
  return (
    <Page
      isText
      title={problem ? t`Invitation` : t`You are invited to ${siteName}`}
      intro={problem ? i18n._(problem) : t`With an account you can make images and share them.`}
    >
      <SignedInOnly
        renderForVisitors={renderForVisitors}
        unavailable={t`Sign-in is unavailable. Please try again in a moment.`}
      >
        {({ firstName }) => (
          <Panel>
            <p>
              <Sentence of={msg`Welcome, ${firstName}. You are signed in.`} />
            </p>
            <Link href={pagePaths.create} className={buttonClass('primary')}>{t`Make an image`}</Link>
          </Panel>
        )}
      </SignedInOnly>
    </Page>
  )
}
