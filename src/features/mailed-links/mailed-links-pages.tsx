import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useReducer, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { isEmailTooLong } from '../../../shared/account.ts'
import { passwordMinLength } from '../../../shared/limits.ts'
import { sendsAccountMails, tokenIn } from '../../../shared/mailed-links.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { pageHeading } from '../../browser/apis.ts'
import { useHydrated } from '../../browser/hydration.ts'
import { useWindowEvent } from '../../browser/use-window-event.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Checkbox, PasswordField } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { SignInButton } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import { callAccount, isLinkInvalid, newPasswordError } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { ForgotPasswordForm } from '../auth/local/sign-in-dialog.tsx'
import { useSession } from '../auth/session.ts'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import { Sentence } from '../../ui/sentence.tsx'

function FormPage(props: { title: string; intro: ReactNode; children: ReactNode }) {
  return (
    <Page isText {...props}>
      <Panel>{props.children}</Panel>
    </Page>
  )
}

/** The page after a form. Its heading gets focus, so that screen readers announce the success. */
function SuccessPage(props: { title: string; intro: ReactNode; children?: ReactNode }) {
  const session = useSession()
  useEffect(() => {
    pageHeading()?.focus()
  }, [])
  return (
    <Page isText {...props}>
      <div className="row wider">
        {props.children || <SignInButton variant="primary" onClick={session.openSignIn} />}
      </div>
    </Page>
  )
}

/** The page that a mailed link opens, on which users choose a new password. Without a token, requests a link. */
export function ResetPasswordPage() {
  const { auth } = useSite()
  const token = useLinkToken()
  const [isChanged, setIsChanged] = useState(false)
  const { t } = useLingui()
  if (!sendsAccountMails(auth)) return <NotFoundPage />
  if (isChanged) {
    return (
      <SuccessPage
        title={t`Your password is changed`}
        intro={t`You are signed out on every device. Sign in with the new password.`}
      />
    )
  }
  if (token === null) {
    return (
      <FormPage title={t`Forgot your password?`} intro={t`We send you a link to choose a new one.`}>
        <ForgotPasswordForm email="" />
      </FormPage>
    )
  }
  return (
    <FormPage
      title={t`Choose a new password`}
      intro={t`It signs you out on every device, and revokes your API keys.`}
    >
      {token === undefined ? (
        <Skeleton shape="area" />
      ) : (
        <NewPasswordForm key={token} token={token} onChanged={() => setIsChanged(true)} />
      )}
    </FormPage>
  )
}

function NewPasswordForm({ token, onChanged }: { token: string; onChanged: () => void }) {
  const [isShown, setIsShown] = useState(false)
  const use = useToken(onChanged)
  const { t } = useLingui()
  return (
    <CallForm
      variant="primary"
      submit={t`Change password`}
      busy={t`Changing…`}
      call={(text) => use('/reset-password', { token, newPassword: text('password') })}
      renderAction={(failure) =>
        isLinkInvalid(failure) && (
          // Without its token, the page shows the form that requests another link.
          <Button onClick={() => (location.hash = '')}>{t`Request a new link`}</Button>
        )
      }
    >
      <PasswordField
        label={t`New password`}
        hint={t`At least ${passwordMinLength} characters.`}
        name="password"
        check={newPasswordError}
        isShown={isShown}
        autoComplete="new-password"
        enterKeyHint="done"
      />
      <Checkbox isChecked={isShown} onChange={setIsShown}>{t`Show password`}</Checkbox>
    </CallForm>
  )
}

/** Returns a call that uses a token. After it, removes the token and asks for the session again. */
function useToken(onUsed: () => void) {
  const refreshSession = useRefreshSession()
  return async (path: string, body: { token: string; newPassword?: string }) => {
    await callAccount(path, body)
    onUsed()
    // Also from the history.
    history.replaceState(history.state, '', location.pathname)
    await refreshSession()
  }
}

/**
 * The page that a mailed link opens, on which users confirm their email or a new one. Confirms nothing by itself: programs
 * that examine mails open their links too.
 */
export function VerifyEmailPage() {
  const { auth, name: siteName } = useSite()
  const { status } = useSession()
  const token = useLinkToken()
  const [confirmed, setConfirmed] = useState<ReturnType<typeof emailsIn>>(null)
  const { t } = useLingui()
  const emails = token ? emailsIn(token) : null
  const use = useToken(() => setConfirmed(emails))
  if (!sendsAccountMails(auth)) return <NotFoundPage />
  const { email = '', newEmail = null } = confirmed ?? emails ?? {}
  if (confirmed) {
    return (
      <SuccessPage
        title={newEmail === null ? t`Your email is confirmed` : t`Your email is changed`}
        intro={
          <Sentence
            className="name"
            of={msg`From now on you sign in with ${{ email: newEmail ?? email }}.`}
          />
        }
      >
        {status === 'signed-in' && (
          <Link href={pagePaths.account} className={buttonClass('primary')}>{t`Your account`}</Link>
        )}
      </SuccessPage>
    )
  }
  const form = token && emails && (
    <CallForm
      key={token}
      variant="primary"
      submit={t`Confirm email`}
      busy={t`Confirming…`}
      call={() => use('/verify-email', { token })}
    >
      <p>
        <Sentence
          className="name"
          of={
            newEmail === null
              ? msg`Confirm that you have an account on ${siteName} with the email ${email}.`
              : msg`Confirm that you sign in to your account on ${siteName} with ${newEmail} from now on, instead of ${email}.`
          }
        />
      </p>
    </CallForm>
  )
  return (
    <FormPage title={t`Confirm your email`} intro={t`So that no one else uses it for an account.`}>
      {token === undefined ? (
        <Skeleton shape="area" />
      ) : emails === null ? (
        <Notice>{t`This link is incomplete. Open the whole link from the mail, or copy it here.`}</Notice>
      ) : newEmail === null ? (
        form
      ) : (
        <SignedInOnly
          why={t`Sign in with your present email and password first. Then you can confirm the new email.`}
          unavailable={t`Sign-in is unavailable, so your email can’t be changed right now.`}
        >
          {() => form}
        </SignedInOnly>
      )}
    </FormPage>
  )
}

/** The token in the fragment of the page's address; null without one, and undefined before the page is hydrated. */
function useLinkToken(): string | null | undefined {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  // Another link to the same page, opened in the same tab, does not load it again.
  useWindowEvent('hashchange', renderAgain)
  return useHydrated() ? tokenIn(location.hash) : undefined
}

/**
 * Reads the emails from a token, without a check of its signature; null if it has none, and if they could be another text.
 */
function emailsIn(token: string) {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const claims = JSON.parse(atob(payload)) as Readonly<Record<string, unknown>> | null
    const email = claims?.['email']
    /** Email that replaces it; null if the email of the account itself is confirmed. */
    const newEmail = claims?.['updateTo'] ?? null
    return isEmail(email) && (newEmail === null || isEmail(newEmail)) ? { email, newEmail } : null
  } catch {
    return null
  }
}

function isEmail(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]+@[!-~]+$/.test(value) && !isEmailTooLong(value)
}
