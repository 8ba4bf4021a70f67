import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { resetLinkMinutes } from '../../../../shared/mailed-links.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField, Form, textIn, useForm } from '../../../ui/form.tsx'
import { Confirmation, Notice } from '../../../ui/notice.tsx'
import type { AccountFailure } from '../call-failure.tsx'
import { emailError, fieldErrors } from './account-errors.ts'
import { requestPasswordReset, sendVerification } from './accounts.ts'
import styles from './sign-in-dialog.module.css'

/** Requests a link to choose a new password. Says the same for every email, with an account or without. */
export function ForgotPasswordForm(props: {
  /** First text of the field. */
  email: string
}) {
  const { form, errors, failure, isBusy, submit } = useForm<'email', AccountFailure>(['email'])
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { t, i18n } = useLingui()

  async function send(element: HTMLFormElement) {
    const email = textIn(element, 'email').trim()
    setSentTo(null)
    const known = fieldErrors({ email: emailError(email) }, i18n)
    if (await submit(known, () => requestPasswordReset(email, i18n))) setSentTo(email)
  }

  return (
    <Form ref={form} onSubmit={send}>
      <Notice>{failure?.message}</Notice>
      <TextField
        label={t`Email`}
        error={errors.email}
        name="email"
        type="email"
        required
        defaultValue={props.email}
        autoComplete="email"
        enterKeyHint="send"
        spellCheck={false}
      />
      <Button variant="primary" type="submit" isBusy={isBusy} wide>
        {isBusy ? t`Sending…` : t`Send the link`}
      </Button>
      <Confirmation>
        {sentTo !== null && (
          <span>
            <Trans>
              If there is an account with the email <bdi className={styles['address']}>{sentTo}</bdi>, a link
              is on its way. Look into your spam folder too. The link is valid for {resetLinkMinutes} minutes.
            </Trans>
          </span>
        )}
      </Confirmation>
    </Form>
  )
}

/** Asks a user to open the link that verifies the email, and sends another one. */
export function VerificationStep(props: {
  email: string
  /** True if a link has just been sent. */
  isNew: boolean
}) {
  const { email } = props
  const { form, failure, isBusy, submit } = useForm<never, AccountFailure>([])
  const [isSent, setIsSent] = useState(false)
  const { t, i18n } = useLingui()

  async function send() {
    setIsSent(false)
    if (await submit({}, () => sendVerification(email, i18n))) setIsSent(true)
  }

  return (
    <Form ref={form} onSubmit={send}>
      <p tabIndex={-1}>
        {props.isNew ? (
          <Trans>
            We sent a link to <bdi className={styles['address']}>{email}</bdi>. Open it, then sign in here.
          </Trans>
        ) : (
          <Trans>
            You have not confirmed yet that <bdi className={styles['address']}>{email}</bdi> is yours. Open
            the link that we sent there, then sign in here.
          </Trans>
        )}
      </p>
      <p className={styles['rules']}>
        <Trans>
          Nothing has arrived? Look into your spam folder, check the address, or send the link again.
        </Trans>
      </p>
      <Notice>{failure?.message}</Notice>
      <Button type="submit" isBusy={isBusy} wide>
        {isBusy ? t`Sending…` : t`Send the link again`}
      </Button>
      <Confirmation>{isSent && t`Another link is on its way.`}</Confirmation>
    </Form>
  )
}
