import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { passwordMinLength } from '../../../shared/limits.ts'
import type { SignInMethods } from '../../../shared/provider-sign-in.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordField, Form, Checkbox, textIn, useForm } from '../../ui/form.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import { FailureNotice, type AccountFailure } from '../auth/call-failure.tsx'
import { fieldErrors, newPasswordError, passwordError } from '../auth/local/account-errors.ts'
import {
  changePassword,
  connectProvider,
  disconnectProvider,
  signOutEverywhere,
} from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { Section, UsernameField, YourPasswordField } from './section.tsx'

/** Changes the password. */
export function PasswordSection({ email }: { email: string }) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<
    'currentPassword' | 'password',
    AccountFailure
  >(['currentPassword', 'password'])
  const [isShown, setIsShown] = useState(false)
  const [isChanged, setIsChanged] = useState(false)
  const { t, i18n } = useLingui()

  async function change(typed: HTMLFormElement) {
    setIsChanged(false)
    const currentPassword = textIn(typed, 'currentPassword')
    const newPassword = textIn(typed, 'password')
    const known = fieldErrors(
      { currentPassword: passwordError(currentPassword), password: newPasswordError(newPassword) },
      i18n,
    )
    const isAccepted = await submit(known, () => changePassword({ currentPassword, newPassword }, i18n))
    if (!isAccepted) return
    typed.reset()
    setIsShown(false)
    setIsChanged(true)
  }

  return (
    <Section
      title={t`Password`}
      intro={t`Changing your password signs you out on every other device. You stay signed in here.`}
    >
      <Form ref={form} onSubmit={change} onChange={() => setIsChanged(false)}>
        <FailureNotice failure={failure} onSignIn={clear} />
        <UsernameField email={email} />
        <PasswordField
          label={t`Current password`}
          error={errors.currentPassword}
          name="currentPassword"
          isShown={isShown}
          autoComplete="current-password"
        />
        <PasswordField
          label={t`New password`}
          error={errors.password}
          hint={t`At least ${passwordMinLength} characters.`}
          name="password"
          isShown={isShown}
          autoComplete="new-password"
        />
        <Checkbox isChecked={isShown} onChange={setIsShown}>
          <Trans>Show passwords</Trans>
        </Checkbox>
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? t`Changing…` : t`Change password`}
        </Button>
        <Confirmation>{isChanged && t`Your password is changed. Other devices are signed out.`}</Confirmation>
      </Form>
    </Section>
  )
}

/** Shows whether the account is connected with the provider, and changes it for accounts with a password. */
export function ProviderSection(props: {
  provider: string
  email: string
  methods: SignInMethods
  /** True if users can sign in with a password. */
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
        <p>
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

  async function send(element: HTMLFormElement) {
    const password = textIn(element, 'currentPassword')
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
    <Form ref={form} onSubmit={send}>
      <FailureNotice failure={failure} onSignIn={clear} />
      <UsernameField email={email} />
      <YourPasswordField error={errors.currentPassword} />
      <Button type="submit" isBusy={isBusy}>
        {hasProvider ? t`Disconnect ${provider}` : t`Connect ${provider}`}
      </Button>
    </Form>
  )
}

/** Ends every session of the user. */
export function SessionsSection() {
  const { form, failure, isBusy, submit, clear } = useForm<never, AccountFailure>([])
  const refreshSession = useRefreshSession()
  const toast = useToast()
  const { t, i18n } = useLingui()

  async function end() {
    const isDone = await submit({}, async () => {
      const error = await signOutEverywhere(i18n)
      if (!error) await refreshSession()
      return error
    })
    if (isDone) toast(t`You are signed out everywhere.`)
  }

  return (
    <Section
      title={t`Sign out everywhere`}
      intro={t`Ends your sessions on all devices, including this one. Use it if you lost a phone or used a shared computer.`}
    >
      <Form ref={form} onSubmit={end}>
        <FailureNotice failure={failure} onSignIn={clear} />
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? t`Signing out…` : t`Sign out everywhere`}
        </Button>
      </Form>
    </Section>
  )
}
