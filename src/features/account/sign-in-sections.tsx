import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { passwordMinLength } from '../../../shared/limits.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Checkbox, PasswordField } from '../../ui/form.tsx'
import { CallForm } from '../auth/call-form.tsx'
import { newPasswordError, passwordError } from '../auth/local/account-errors.ts'
import { callAccount, continueWithProvider, type Profile } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { Section, UsernameField, YourPasswordField } from './section.tsx'

/** Changes the password. */
export function PasswordSection({ email }: { email: string }) {
  const [isShown, setIsShown] = useState(false)
  const { t, i18n } = useLingui()
  return (
    <Section
      title={t`Password`}
      intro={t`Changing your password signs you out on every other device. You stay signed in here.`}
    >
      <CallForm
        submit={t`Change password`}
        busy={t`Changing…`}
        check={(text) => ({
          currentPassword: passwordError(text('currentPassword')),
          password: newPasswordError(text('password')),
        })}
        call={(text) => {
          const [currentPassword, newPassword] = [text('currentPassword'), text('password')]
          const body = { currentPassword, newPassword, revokeOtherSessions: true }
          return callAccount('/change-password', body, i18n)
        }}
        onDone={(form) => {
          form.reset()
          setIsShown(false)
        }}
        done={t`Your password is changed. Other devices are signed out.`}
      >
        <UsernameField email={email} />
        <PasswordField
          label={t`Current password`}
          name="currentPassword"
          isShown={isShown}
          autoComplete="current-password"
        />
        <PasswordField
          label={t`New password`}
          hint={t`At least ${passwordMinLength} characters.`}
          name="password"
          isShown={isShown}
          autoComplete="new-password"
        />
        <Checkbox isChecked={isShown} onChange={setIsShown}>
          {t`Show passwords`}
        </Checkbox>
      </CallForm>
    </Section>
  )
}

/**
 * Shows whether the account is connected with the provider, and changes it for accounts with a password.
 *
 * @param props.hasPasswords true if users can sign in with a password
 */
export function ProviderSection(props: {
  provider: string
  profile: Profile
  hasPasswords: boolean
  onChanged: () => Promise<unknown>
}) {
  const { provider, profile, onChanged } = props
  const { hasPassword, hasProvider } = profile.methods
  const canChange = hasPassword && (props.hasPasswords || !hasProvider)
  const toast = useToast()
  const { t, i18n } = useLingui()

  /** Both require the password. */
  async function change(password: string) {
    if (!hasProvider) {
      return continueWithProvider('/link-social', { password, callbackURL: pagePaths.account }, i18n)
    }
    const failure = await callAccount('/disconnect-provider', { password }, i18n)
    if (failure) return failure
    await onChanged()
    toast(t`${provider} is disconnected.`)
    return null
  }

  return (
    <Section
      title={t`Sign-in with ${provider}`}
      intro={
        hasProvider
          ? canChange
            ? t`Your account is connected: you sign in with ${provider} or your password.`
            : t`Your account is connected: you sign in with ${provider}.`
          : t`Connect your account, to sign in with ${provider} as well as with your password.`
      }
    >
      {canChange ? (
        <CallForm
          key={String(hasProvider)}
          submit={hasProvider ? t`Disconnect ${provider}` : t`Connect ${provider}`}
          check={(text) => ({ currentPassword: passwordError(text('currentPassword')) })}
          call={(text) => change(text('currentPassword'))}
        >
          <UsernameField email={profile.email} />
          <YourPasswordField />
        </CallForm>
      ) : (
        <p>
          <Trans>Your password and the security of your account are managed at {provider}.</Trans>
        </p>
      )}
    </Section>
  )
}

/** Ends every session of the user. */
export function SessionsSection() {
  const refreshSession = useRefreshSession()
  const toast = useToast()
  const { t, i18n } = useLingui()
  return (
    <Section
      title={t`Sign out everywhere`}
      intro={t`Ends your sessions on all devices, including this one. Use it if you lost a phone or used a shared computer.`}
    >
      <CallForm
        submit={t`Sign out everywhere`}
        busy={t`Signing out…`}
        call={async () => {
          const failure = await callAccount('/revoke-sessions', {}, i18n)
          if (failure) return failure
          await refreshSession()
          toast(t`You are signed out everywhere.`)
          return null
        }}
      />
    </Section>
  )
}
