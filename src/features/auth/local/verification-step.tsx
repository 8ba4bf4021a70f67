import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useForm } from '../../../ui/form.tsx'
import { Confirmation, Notice } from '../../../ui/notice.tsx'
import type { AccountFailure } from './account-failure.ts'
import { sendVerification } from './accounts.ts'
import styles from './sign-in-dialog.module.css'

/** Tells a user to open the link that verifies the email, and sends another one. */
export function VerificationStep(props: {
  email: string
  /** True if a link has just been sent. */
  isNew: boolean
}) {
  const { email } = props
  const { form, failure, isBusy, submit } = useForm<never, AccountFailure>([])
  const [isSent, setIsSent] = useState(false)
  const { t, i18n } = useLingui()

  async function send(event: FormEvent) {
    event.preventDefault()
    setIsSent(false)
    if (await submit({}, () => sendVerification(email, i18n))) setIsSent(true)
  }

  return (
    <form ref={form} className={styles['form']} onSubmit={(event) => void send(event)}>
      <p tabIndex={-1} className={styles['text']}>
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
    </form>
  )
}
