import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { FormEvent } from 'react'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { changeEmail, sendVerification } from '../auth/local/accounts.ts'
import type { Profile } from '../auth/local/accounts.ts'
import { emailError, fieldErrors, passwordError } from '../auth/local/check-account.ts'
import { Button } from '../../ui/button.tsx'
import { Field, textIn, useForm } from '../../ui/form.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import styles from './account.module.css'
import { FailureNotice } from '../auth/failure-notice.tsx'
import { Section, UsernameField, YourPasswordField } from './section.tsx'

/** Shows whether the email is confirmed, and changes it. Only on a site that sends mails. */
export function EmailSection(props: {
  profile: Profile
  /** Without a password, the change needs a recent sign-in. */
  hasPassword: boolean
  onReturn: () => void
}) {
  const { profile, hasPassword, onReturn } = props
  const [isWaiting, setIsWaiting] = useState(false)
  const { t } = useLingui()

  useEffect(() => {
    if (!isWaiting) return
    // The user has opened the link in another tab.
    addEventListener('focus', onReturn)
    return () => removeEventListener('focus', onReturn)
  }, [isWaiting, onReturn])

  return (
    <Section
      title={t`Email`}
      intro={t`You can reset a forgotten password only with an email that is yours. A new email is used once you confirm it.`}
    >
      <EmailStatus profile={profile} onSent={() => setIsWaiting(true)} />
      <ChangeEmail email={profile.email} hasPassword={hasPassword} onSent={() => setIsWaiting(true)} />
    </Section>
  )
}

function EmailStatus({ profile, onSent }: { profile: Profile; onSent: () => void }) {
  const { form, failure, isBusy, submit, clear } = useForm<never, AccountFailure>([])
  const [isSent, setIsSent] = useState(false)
  const { t, i18n } = useLingui()
  const { email, isEmailVerified } = profile

  async function send(event: FormEvent) {
    event.preventDefault()
    setIsSent(false)
    if (!(await submit({}, () => sendVerification(email, i18n)))) return
    setIsSent(true)
    onSent()
  }

  if (isEmailVerified) {
    return (
      <p className={styles['statement']}>
        <Trans>
          <bdi className={styles['address']}>{email}</bdi> is confirmed.
        </Trans>
      </p>
    )
  }
  return (
    <form ref={form} className={styles['form']} onSubmit={(event) => void send(event)}>
      <p className={styles['statement']}>
        <Trans>
          <bdi className={styles['address']}>{email}</bdi> is not confirmed yet. Open the link that we sent to
          it, or send another.
        </Trans>
      </p>
      <FailureNotice failure={failure} onSignIn={clear} />
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? t`Sending…` : t`Send a link to confirm it`}
      </Button>
      <Confirmation>{isSent && t`The link is on its way. Look into your spam folder too.`}</Confirmation>
    </form>
  )
}

function ChangeEmail(props: { email: string; hasPassword: boolean; onSent: () => void }) {
  const { hasPassword } = props
  const { form, errors, failure, isBusy, submit, clear } = useForm<
    'email' | 'currentPassword',
    AccountFailure
  >(['email', 'currentPassword'])
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { t, i18n } = useLingui()

  async function change(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setSentTo(null)
    const typed = event.currentTarget
    const newEmail = textIn(typed, 'email').trim()
    const password = hasPassword ? textIn(typed, 'currentPassword') : null
    const known = fieldErrors(
      { email: emailError(newEmail), currentPassword: password === null ? null : passwordError(password) },
      i18n,
    )
    if (!(await submit(known, () => changeEmail({ newEmail, password }, i18n)))) return
    typed.reset()
    setSentTo(newEmail)
    props.onSent()
  }

  return (
    <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void change(event)}>
      <FailureNotice failure={failure} onSignIn={clear} />
      <UsernameField email={props.email} />
      <Field label={t`New email`} error={errors.email}>
        {(control) => (
          <input
            {...control}
            name="email"
            type="email"
            required
            autoComplete="off"
            enterKeyHint="next"
            spellCheck={false}
          />
        )}
      </Field>
      {hasPassword && <YourPasswordField error={errors.currentPassword} />}
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? t`Sending…` : t`Change email`}
      </Button>
      <Confirmation>
        {sentTo !== null && (
          <span>
            <Trans>
              We sent a link to <bdi className={styles['address']}>{sentTo}</bdi>. Open it to confirm the
              change. Nothing arrives if another account has this email.
            </Trans>
          </span>
        )}
      </Confirmation>
    </form>
  )
}
