import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { passwordMinLength } from '../../../shared/limits.ts'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { changePassword } from '../auth/local/accounts.ts'
import { fieldErrors, newPasswordError, passwordError } from '../auth/local/check-account.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import { Field, textIn, useForm } from '../../ui/form.tsx'
import styles from './account.module.css'
import { FailureNotice } from '../auth/failure-notice.tsx'
import { Section, UsernameField } from './section.tsx'

/** Changes the password. */
export function PasswordSection({ email }: { email: string }) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<
    'currentPassword' | 'password',
    AccountFailure
  >(['currentPassword', 'password'])
  const [isShown, setIsShown] = useState(false)
  const [isChanged, setIsChanged] = useState(false)
  const { t, i18n } = useLingui()
  const type = isShown ? 'text' : 'password'

  async function change(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsChanged(false)
    const typed = event.currentTarget
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
      <form
        ref={form}
        noValidate
        className={styles['form']}
        onSubmit={(event) => void change(event)}
        onChange={() => setIsChanged(false)}
      >
        <FailureNotice failure={failure} onSignIn={clear} />
        <UsernameField email={email} />
        <Field label={t`Current password`} error={errors.currentPassword}>
          {(control) => (
            <input
              {...control}
              name="currentPassword"
              type={type}
              required
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          label={t`New password`}
          error={errors.password}
          hint={t`At least ${passwordMinLength} characters.`}
        >
          {(control) => (
            <input
              {...control}
              name="password"
              type={type}
              required
              autoComplete="new-password"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Checkbox isChecked={isShown} onChange={setIsShown}>
          <Trans>Show passwords</Trans>
        </Checkbox>
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? t`Changing…` : t`Change password`}
        </Button>
        <Confirmation>{isChanged && t`Your password is changed. Other devices are signed out.`}</Confirmation>
      </form>
    </Section>
  )
}
