import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField, Form, textIn, useForm } from '../../ui/form.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import { FailureNotice, type AccountFailure } from '../auth/call-failure.tsx'
import { emailError, fieldErrors, nameError, passwordError } from '../auth/local/account-errors.ts'
import { changeEmail, changeName, sendVerification, type Profile } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import styles from './account.module.css'
import { Section, UsernameField, YourPasswordField } from './section.tsx'

/** Changes the name, and shows the email unless a section of its own does. */
export function NameSection(props: {
  profile: Profile
  showsEmail: boolean
  /** Unsaved text of the field; null if unchanged. */
  typed: string | null
  onType: (name: string | null) => void
  onSaved: () => Promise<void>
}) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<'name', AccountFailure>(['name'])
  const [isSaved, setIsSaved] = useState(false)
  const refreshSession = useRefreshSession()
  const { t, i18n } = useLingui()
  const name = props.typed ?? props.profile.name

  async function save() {
    setIsSaved(false)
    const newName = name.trim()
    const isAccepted = await submit(fieldErrors({ name: nameError(newName) }, i18n), async () => {
      const error = await changeName(newName, i18n)
      if (!error) await Promise.all([props.onSaved(), refreshSession()])
      return error
    })
    if (!isAccepted) return
    props.onType(null)
    setIsSaved(true)
  }

  return (
    <Section
      title={props.showsEmail ? t`Name and email` : t`Name`}
      intro={t`Your first name appears on the images you share from now on. Existing posts keep the name they show.`}
    >
      <Form ref={form} onSubmit={save}>
        <FailureNotice failure={failure} onSignIn={clear} />
        {props.showsEmail && (
          <dl className={styles['fact']}>
            <dt>
              <Trans>Email</Trans>
            </dt>
            <dd>{props.profile.email}</dd>
            <dd className={styles['hint']}>
              <Trans>It is not shown to others.</Trans>
            </dd>
          </dl>
        )}
        <TextField
          label={t`Name`}
          error={errors.name}
          name="name"
          required
          autoComplete="name"
          readOnly={isBusy}
          value={name}
          onChange={(event) => {
            setIsSaved(false)
            props.onType(event.target.value)
          }}
        />
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? t`Saving…` : t`Save name`}
        </Button>
        <Confirmation>{isSaved && t`Your name is saved.`}</Confirmation>
      </Form>
    </Section>
  )
}

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

  async function send() {
    setIsSent(false)
    if (!(await submit({}, () => sendVerification(email, i18n)))) return
    setIsSent(true)
    onSent()
  }

  if (isEmailVerified) {
    return (
      <p>
        <Trans>
          <bdi className={styles['address']}>{email}</bdi> is confirmed.
        </Trans>
      </p>
    )
  }
  return (
    <Form ref={form} onSubmit={send}>
      <p>
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
    </Form>
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

  async function change(typed: HTMLFormElement) {
    setSentTo(null)
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
    <Form ref={form} onSubmit={change}>
      <FailureNotice failure={failure} onSignIn={clear} />
      <UsernameField email={props.email} />
      <TextField
        label={t`New email`}
        error={errors.email}
        name="email"
        type="email"
        required
        autoComplete="off"
        enterKeyHint="next"
        spellCheck={false}
      />
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
    </Form>
  )
}
