import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { sendsAccountMails } from '../../../shared/mailed-links.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useForm } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page.tsx'
import pageStyles from '../../ui/page.module.css'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { verifyEmail } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.ts'
import { useSession } from '../auth/session.ts'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import styles from './mailed-links.module.css'
import { emailsIn, removeLinkToken, useLinkToken, type LinkedEmails } from './link-token.ts'

/**
 * The page that a mailed link opens, on which users confirm their email or a new one. Confirms nothing by itself: programs
 * that examine mails open their links too.
 */
export function VerifyEmailPage() {
  const { auth } = useSite()
  const token = useLinkToken()
  const [confirmed, setConfirmed] = useState<LinkedEmails | null>(null)
  const { t } = useLingui()
  if (!sendsAccountMails(auth)) return <NotFoundPage />
  if (confirmed) return <EmailConfirmed {...confirmed} />
  if (token === undefined) {
    return (
      <Frame>
        <div className={styles['form']} aria-hidden="true">
          <Skeleton shape="line" />
          <Skeleton shape="pill" />
        </div>
      </Frame>
    )
  }
  const emails = token === null ? null : emailsIn(token)
  if (token === null || emails === null) {
    return (
      <Frame>
        <Notice>{t`This link is incomplete. Open the whole link from the mail, or copy it here.`}</Notice>
      </Frame>
    )
  }
  const form = (
    <ConfirmForm key={token} token={token} emails={emails} onConfirmed={() => setConfirmed(emails)} />
  )
  return (
    <Frame>
      {emails.newEmail === null ? (
        form
      ) : (
        <SignedInOnly
          why={t`Sign in with your present email and password first. Then you can confirm the new email.`}
          unavailable={t`Sign-in is unavailable, so your email can’t be changed right now.`}
          placeholder={<Skeleton shape="pill" />}
        >
          {() => form}
        </SignedInOnly>
      )}
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  return (
    <div className={pageStyles['page']}>
      <PageHeading title={t`Confirm your email`}>
        <Trans>So that no one else uses it for an account.</Trans>
      </PageHeading>
      <div className={styles['panel']}>{children}</div>
    </div>
  )
}

function ConfirmForm(props: { token: string; emails: LinkedEmails; onConfirmed: () => void }) {
  const { form, failure, isBusy, submit } = useForm<never, AccountFailure>([])
  const refreshSession = useRefreshSession()
  const { name: siteName } = useSite()
  const { t, i18n } = useLingui()
  const { email, newEmail } = props.emails

  async function confirm(event: FormEvent) {
    event.preventDefault()
    const isAccepted = await submit({}, () => verifyEmail(props.token, i18n))
    if (!isAccepted) return
    props.onConfirmed()
    removeLinkToken()
    await refreshSession()
  }

  return (
    <form ref={form} className={styles['form']} onSubmit={(event) => void confirm(event)}>
      <Notice>{failure?.message}</Notice>
      <p className={styles['text']}>
        {newEmail === null ? (
          <Trans>
            Confirm that you have an account on {siteName} with the email <Address email={email} />.
          </Trans>
        ) : (
          <Trans>
            Confirm that you sign in to your account on {siteName} with <Address email={newEmail} /> from now
            on, instead of <Address email={email} />.
          </Trans>
        )}
      </p>
      <Button variant="primary" type="submit" isBusy={isBusy}>
        {isBusy ? t`Confirming…` : t`Confirm email`}
      </Button>
    </form>
  )
}

function EmailConfirmed({ email, newEmail }: LinkedEmails) {
  const session = useSession()
  const { t } = useLingui()
  useEffect(() => {
    // Screen readers announce the success.
    document.querySelector<HTMLElement>('main h1')?.focus()
  }, [])
  return (
    <div className={pageStyles['page']}>
      <PageHeading title={newEmail === null ? t`Your email is confirmed` : t`Your email is changed`}>
        <Trans>
          From now on you sign in with <Address email={newEmail ?? email} />.
        </Trans>
      </PageHeading>
      <div className={styles['actions']}>
        {session.status === 'signed-in' ? (
          <Link href={pagePaths.account} className={buttonClass('primary')}>
            <Trans>Your account</Trans>
          </Link>
        ) : (
          <Button variant="primary" onClick={session.openSignIn}>
            <Trans>Sign In</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

function Address({ email }: { email: string }) {
  return <bdi className={styles['address']}>{email}</bdi>
}
