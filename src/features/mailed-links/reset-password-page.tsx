import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { FormEvent } from 'react'
import { passwordMinLength } from '../../../shared/limits.ts'
import { sendsAccountMails } from '../../../shared/mailed-links.ts'
import { useSite } from '../../api/site.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, textIn, useForm } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page.tsx'
import pageStyles from '../../ui/page.module.css'
import { isLinkInvalid, type AccountFailure } from '../auth/local/account-failure.ts'
import { resetPassword } from '../auth/local/accounts.ts'
import { fieldErrors, newPasswordError } from '../auth/local/check-account.ts'
import { ForgotPasswordForm } from '../auth/local/forgot-password-form.tsx'
import { useRefreshSession } from '../auth/local/local-session.ts'
import { useSession } from '../auth/session.ts'
import styles from './mailed-links.module.css'
import { removeLinkToken, useLinkToken } from './link-token.ts'

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

  async function change(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const newPassword = textIn(event.currentTarget, 'password')
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
    <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void change(event)}>
      <Notice action={again}>{failure?.message}</Notice>
      <Field
        label={t`New password`}
        error={errors.password}
        hint={t`At least ${passwordMinLength} characters.`}
      >
        {(control) => (
          <input
            {...control}
            name="password"
            type={isShown ? 'text' : 'password'}
            required
            autoComplete="new-password"
            autoCapitalize="none"
            enterKeyHint="done"
            spellCheck={false}
          />
        )}
      </Field>
      <Checkbox isChecked={isShown} onChange={setIsShown}>
        <Trans>Show password</Trans>
      </Checkbox>
      <Button variant="primary" type="submit" isBusy={isBusy}>
        {isBusy ? t`Changing…` : t`Change password`}
      </Button>
    </form>
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
