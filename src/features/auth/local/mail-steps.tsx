import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { resetLinkMinutes } from '../../../../shared/mailed-links.ts'
import { EmailField } from '../../../ui/form.tsx'
import ui from '../../../ui/primitives.module.css'
import { CallForm } from '../call-form.tsx'
import { emailError } from './account-errors.ts'
import { callAccount } from './accounts.ts'

/**
 * Requests a link to choose a new password. Says the same for every email, with an account or without.
 *
 * @param props.email first text of the field
 */
export function ForgotPasswordForm(props: { email: string }) {
  const [sentTo, setSentTo] = useState('')
  const { t, i18n } = useLingui()
  return (
    <CallForm
      variant="primary"
      isWide
      submit={t`Send the link`}
      busy={t`Sending…`}
      check={(typed) => ({ email: emailError(typed('email')) })}
      call={(typed) => {
        const email = typed('email')
        setSentTo(email)
        return callAccount('/request-password-reset', { email }, i18n)
      }}
      done={
        <span>
          <Trans>
            If there is an account with the email <bdi className={ui['strong']}>{sentTo}</bdi>, a link is on
            its way. Look into your spam folder too. The link is valid for {resetLinkMinutes} minutes.
          </Trans>
        </span>
      }
    >
      <EmailField label={t`Email`} defaultValue={props.email} autoComplete="email" enterKeyHint="send" />
    </CallForm>
  )
}

/**
 * Asks a user to open the link that verifies the email, and sends another one.
 *
 * @param props.isNew true if a link has just been sent
 */
export function VerificationStep({ email, isNew }: { email: string; isNew: boolean }) {
  const { t, i18n } = useLingui()
  return (
    <>
      <p tabIndex={-1}>
        {isNew ? (
          <Trans>
            We sent a link to <bdi className={ui['strong']}>{email}</bdi>. Open it, then sign in here.
          </Trans>
        ) : (
          <Trans>
            You have not confirmed yet that <bdi className={ui['strong']}>{email}</bdi> is yours. Open the
            link that we sent there, then sign in here.
          </Trans>
        )}
      </p>
      <p className={ui['small']}>
        {t`Nothing has arrived? Look into your spam folder, check the address, or send the link again.`}
      </p>
      <CallForm
        isWide
        submit={t`Send the link again`}
        busy={t`Sending…`}
        call={() => callAccount('/send-verification-email', { email }, i18n)}
        done={t`Another link is on its way.`}
      />
    </>
  )
}
