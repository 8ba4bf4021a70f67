import { Trans, useLingui } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import type { SignInMethods } from '../../../shared/provider-sign-in.ts'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { fieldErrors, passwordError } from '../auth/local/check-account.ts'
import { connectProvider, disconnectProvider } from '../auth/local/provider.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { textIn, useForm } from '../../ui/form.tsx'
import { pagePaths } from '../../../shared/routes.ts'
import styles from './account.module.css'
import { FailureNotice } from '../auth/failure-notice.tsx'
import { Section, UsernameField, YourPasswordField } from './section.tsx'

/** Shows whether the account is connected with the provider, and changes it for accounts with a password. */
export function ProviderSection(props: {
  provider: string
  email: string
  methods: SignInMethods
  /** Whether users can sign in with a password. */
  hasPasswords: boolean
  onChanged: () => Promise<unknown>
}) {
  const { provider, methods } = props
  const canChange = methods.hasPassword && (props.hasPasswords || !methods.hasProvider)
  const { t } = useLingui()
  return (
    <Section
      title={t`Sign-in with ${provider}`}
      intro={
        methods.hasProvider
          ? canChange
            ? t`Your account is connected: you sign in with ${provider} or your password.`
            : t`Your account is connected: you sign in with ${provider}.`
          : t`Connect your account, to sign in with ${provider} as well as with your password.`
      }
    >
      {canChange ? (
        <ConnectionForm key={String(methods.hasProvider)} {...props} />
      ) : (
        <p className={styles['statement']}>
          <Trans>Your password and the security of your account are managed at {provider}.</Trans>
        </p>
      )}
    </Section>
  )
}

/** Connects or disconnects the provider, which requires the password. */
function ConnectionForm(props: {
  provider: string
  email: string
  methods: SignInMethods
  onChanged: () => Promise<unknown>
}) {
  const { provider, email, onChanged } = props
  const { hasProvider } = props.methods
  const { form, errors, failure, isBusy, submit, clear } = useForm<'currentPassword', AccountFailure>([
    'currentPassword',
  ])
  const toast = useToast()
  const { t, i18n } = useLingui()

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = textIn(event.currentTarget, 'currentPassword')
    const known = fieldErrors({ currentPassword: passwordError(password) }, i18n)
    const isDone = await submit(known, () =>
      hasProvider
        ? disconnectProvider(password, i18n)
        : connectProvider({ password, callbackURL: pagePaths.account }, i18n),
    )
    if (!isDone || !hasProvider) return
    await onChanged()
    toast(t`${provider} is disconnected.`)
  }

  return (
    <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void send(event)}>
      <FailureNotice failure={failure} onSignIn={clear} />
      <UsernameField email={email} />
      <YourPasswordField error={errors.currentPassword} />
      <Button type="submit" isBusy={isBusy}>
        {hasProvider ? t`Disconnect ${provider}` : t`Connect ${provider}`}
      </Button>
    </form>
  )
}
