import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Link } from 'wouter'
import { isEmailTooLong } from '../../../shared/account.ts'
import { passwordMinLength } from '../../../shared/limits.ts'
import { sendsAccountMails, tokenIn } from '../../../shared/mailed-links.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PasswordField, Form, Checkbox, textIn, useForm } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import pageStyles from '../../ui/page.module.css'
import { PageHeading } from '../../ui/page.tsx'
import type { AccountFailure } from '../auth/call-failure.tsx'
import { fieldErrors, isLinkInvalid, newPasswordError } from '../auth/local/account-errors.ts'
import { resetPassword, verifyEmail } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { ForgotPasswordForm } from '../auth/local/mail-steps.tsx'
import { useSession } from '../auth/session.ts'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import styles from './mailed-links.module.css'

/** The page that a mailed link opens, on which users choose a new password. Without a token, requests a link. */
export function ResetPasswordPage() {
  const { auth } = useSite()
  const token = useLinkToken()
  const [isChanged, setIsChanged] = useState(false)
  const { t } = useLingui()
  if (!sendsAccountMails(auth)) return <NotFoundPage />
  if (isChanged) return <PasswordChanged />
  if (token === null) {
    return (
      <div className={pageStyles['page']}>
        <PageHeading title={t`Forgot your password?`}>
          <Trans>We send you a link to choose a new one.</Trans>
        </PageHeading>
        <div className={styles['panel']}>
          <ForgotPasswordForm email="" />
        </div>
      </div>
    )
  }
  return (
    <div className={pageStyles['page']}>
      <PageHeading title={t`Choose a new password`}>
        <Trans>It signs you out on every device, and revokes your API keys.</Trans>
      </PageHeading>
      <div className={styles['panel']}>
        {token === undefined ? (
          <div className={styles['form']} aria-hidden="true">
            <Skeleton shape="line" />
            <Skeleton shape="control" />
            <Skeleton shape="pill" />
          </div>
        ) : (
          <NewPasswordForm key={token} token={token} onChanged={() => setIsChanged(true)} />
        )}
      </div>
    </div>
  )
}

function NewPasswordForm(props: { token: string; onChanged: () => void }) {
  const { form, errors, failure, isBusy, submit } = useForm<'password', AccountFailure>(['password'])
  const [isShown, setIsShown] = useState(false)
  const refreshSession = useRefreshSession()
  const { t, i18n } = useLingui()

  async function change(element: HTMLFormElement) {
    const newPassword = textIn(element, 'password')
    const known = fieldErrors({ password: newPasswordError(newPassword) }, i18n)
    const isAccepted = await submit(known, () => resetPassword({ token: props.token, newPassword }, i18n))
    if (!isAccepted) return
    props.onChanged()
    removeLinkToken()
    await refreshSession()
  }

  const again = isLinkInvalid(failure) && (
    <Button onClick={leaveLink}>
      <Trans>Request a new link</Trans>
    </Button>
  )
  return (
    <Form ref={form} onSubmit={change}>
      <Notice action={again}>{failure?.message}</Notice>
      <PasswordField
        label={t`New password`}
        error={errors.password}
        hint={t`At least ${passwordMinLength} characters.`}
        name="password"
        isShown={isShown}
        autoComplete="new-password"
        enterKeyHint="done"
      />
      <Checkbox isChecked={isShown} onChange={setIsShown}>
        <Trans>Show password</Trans>
      </Checkbox>
      <Button variant="primary" type="submit" isBusy={isBusy}>
        {isBusy ? t`Changing…` : t`Change password`}
      </Button>
    </Form>
  )
}

/** Opens the page without its token, which shows the form that requests another link. */
function leaveLink(): void {
  location.hash = ''
}

function PasswordChanged() {
  const session = useSession()
  const { t } = useLingui()
  useEffect(() => {
    // Screen readers announce the success.
    document.querySelector<HTMLElement>('main h1')?.focus()
  }, [])
  return (
    <div className={pageStyles['page']}>
      <PageHeading title={t`Your password is changed`}>
        <Trans>You are signed out on every device. Sign in with the new password.</Trans>
      </PageHeading>
      <div className={styles['actions']}>
        <Button variant="primary" onClick={session.openSignIn}>
          <Trans>Sign In</Trans>
        </Button>
      </div>
    </div>
  )
}

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

  async function confirm() {
    const isAccepted = await submit({}, () => verifyEmail(props.token, i18n))
    if (!isAccepted) return
    props.onConfirmed()
    removeLinkToken()
    await refreshSession()
  }

  return (
    <Form ref={form} onSubmit={confirm}>
      <Notice>{failure?.message}</Notice>
      <p>
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
    </Form>
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

/** The emails that a link to confirm an email is about. */
export interface LinkedEmails {
  /** Email of the account. */
  readonly email: string
  /** Email that replaces it; null if the email of the account itself is confirmed. */
  readonly newEmail: string | null
}

/** The token in the fragment of the page's address; null without one, and undefined before the page is hydrated. */
export function useLinkToken(): string | null | undefined {
  return useSyncExternalStore<string | null | undefined>(
    subscribe,
    () => tokenIn(location.hash),
    () => undefined,
  )
}

function subscribe(onChange: () => void): () => void {
  // Another link to the same page, opened in the same tab, does not load it again.
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** Removes the token from the address and from the history, once it is used. */
export function removeLinkToken(): void {
  history.replaceState(history.state, '', location.pathname)
}

/**
 * Reads the emails from a token, without a check of its signature; null if it has none, and if they could be another text.
 */
export function emailsIn(token: string): LinkedEmails | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const claims = JSON.parse(atob(payload)) as Readonly<Record<string, unknown>> | null
    const email = claims?.['email']
    const newEmail = claims?.['updateTo'] ?? null
    return isEmail(email) && (newEmail === null || isEmail(newEmail)) ? { email, newEmail } : null
  } catch {
    return null
  }
}

function isEmail(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]+@[!-~]+$/.test(value) && !isEmailTooLong(value)
}
