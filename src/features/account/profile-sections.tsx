import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { EmailField, TextField } from '../../ui/form.tsx'
import ui from '../../ui/primitives.module.css'
import { CallForm } from '../auth/call-form.tsx'
import { emailError, nameError, passwordError } from '../auth/local/account-errors.ts'
import { callAccount, type Profile } from '../auth/local/accounts.ts'
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
  onSaved: () => Promise<unknown>
}) {
  const refreshSession = useRefreshSession()
  const { t, i18n } = useLingui()

  async function save(name: string) {
    const failure = await callAccount('/update-user', { name }, i18n)
    if (!failure) await Promise.all([props.onSaved(), refreshSession()])
    return failure
  }

  return (
    <Section
      title={props.showsEmail ? t`Name and email` : t`Name`}
      intro={t`Your first name appears on the images you share from now on. Existing posts keep the name they show.`}
    >
      <CallForm
        submit={t`Save name`}
        busy={t`Saving…`}
        check={(text) => ({ name: nameError(text('name')) })}
        call={(text) => save(text('name'))}
        onDone={() => props.onType(null)}
        done={t`Your name is saved.`}
      >
        {props.showsEmail && (
          <dl className={`${ui['stack']} ${styles['fact']}`}>
            <dt className={ui['strong']}>{t`Email`}</dt>
            <dd>{props.profile.email}</dd>
            <dd className={ui['small']}>{t`It is not shown to others.`}</dd>
          </dl>
        )}
        <TextField
          label={t`Name`}
          name="name"
          required
          autoComplete="name"
          value={props.typed ?? props.profile.name}
          onChange={({ target }) => props.onType(target.value)}
        />
      </CallForm>
    </Section>
  )
}

/** Shows whether the email is confirmed, and changes it. Only on a site that sends mails. */
export function EmailSection({ profile, onReturn }: { profile: Profile; onReturn: () => void }) {
  const { email } = profile
  const [isWaiting, setIsWaiting] = useState(false)
  const [sentTo, setSentTo] = useState('')
  const { t, i18n } = useLingui()
  // Without a password, the change needs a recent sign-in.
  const { hasPassword } = profile.methods

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
      {profile.emailVerified ? (
        <p>
          <Trans>
            <bdi className={ui['strong']}>{email}</bdi> is confirmed.
          </Trans>
        </p>
      ) : (
        <>
          <p>
            <Trans>
              <bdi className={ui['strong']}>{email}</bdi> is not confirmed yet. Open the link that we sent to
              it, or send another.
            </Trans>
          </p>
          <CallForm
            submit={t`Send a link to confirm it`}
            busy={t`Sending…`}
            call={() => callAccount('/send-verification-email', { email }, i18n)}
            onDone={() => setIsWaiting(true)}
            done={t`The link is on its way. Look into your spam folder too.`}
          />
        </>
      )}
      <CallForm
        submit={t`Change email`}
        busy={t`Sending…`}
        check={(text) => ({
          email: emailError(text('email')),
          currentPassword: hasPassword && passwordError(text('currentPassword')),
        })}
        call={(text) => {
          const newEmail = text('email')
          setSentTo(newEmail)
          const body = { newEmail, ...(hasPassword && { password: text('currentPassword') }) }
          return callAccount('/change-email', body, i18n)
        }}
        onDone={(form) => {
          form.reset()
          setIsWaiting(true)
        }}
        done={
          <span>
            <Trans>
              We sent a link to <bdi className={ui['strong']}>{sentTo}</bdi>. Open it to confirm the change.
              Nothing arrives if another account has this email.
            </Trans>
          </span>
        }
      >
        <UsernameField email={email} />
        <EmailField label={t`New email`} autoComplete="off" enterKeyHint="next" />
        {hasPassword && <YourPasswordField />}
      </CallForm>
    </Section>
  )
}
