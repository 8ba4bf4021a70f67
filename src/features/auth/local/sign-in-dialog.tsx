import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import type { FormEvent } from 'react'
import { passwordMinLength } from '../../../../shared/limits.ts'
import { useSite } from '../../../api/site.tsx'
import { forgetContinuation } from '../../../browser/continuation.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, textIn, useForm } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RulesLink } from '../../../ui/site-links.tsx'
import type { AccountFailure } from './account-failure.ts'
import { signIn, signUp } from './accounts.ts'
import { checkAccount } from './check-account.ts'
import { offersPasskeys, signInWithPasskey, verifyPasskey } from './passkeys.ts'
import styles from './sign-in-dialog.module.css'
import { useSuggestedPasskeys } from './use-suggested-passkeys.ts'

export type AccountMode = 'sign-in' | 'sign-up'

/** Modal for signing in and, if sign-up is open, for creating an account. */
export function SignInDialog(props: {
  open: boolean
  mode: AccountMode
  /** Token of the invitation that led to the dialog, '' without one. */
  invitation: string
  /** Null if no account can be created. */
  onSwitch: ((mode: AccountMode) => void) | null
  siteName: string
  focusAfter: () => HTMLElement | null
  onClose: () => void
  onSignedIn: () => Promise<void>
}) {
  const { mode, siteName } = props
  const { t } = useLingui()
  return (
    <Dialog
      open={props.open}
      title={mode === 'sign-in' ? t`Welcome back to ${siteName}` : t`Join ${siteName}`}
      description={
        mode === 'sign-in'
          ? t`With an account you can make images and share them.`
          : t`An account lets you make images and share them. Your email is never shown.`
      }
      focusAfter={props.focusAfter}
      onClose={() => {
        forgetContinuation()
        props.onClose()
      }}
    >
      <AccountForm
        mode={mode}
        invitation={props.invitation}
        onSwitch={props.onSwitch}
        onSuccess={async () => {
          await props.onSignedIn()
          props.onClose()
        }}
      />
    </Dialog>
  )
}

/** @param props.onSwitch null if no account can be created */
function AccountForm(props: {
  mode: AccountMode
  invitation: string
  onSwitch: ((mode: AccountMode) => void) | null
  onSuccess: () => Promise<void>
}) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<
    'name' | 'email' | 'password',
    AccountFailure
  >(['name', 'email', 'password'])
  const { auth, hasRules } = useSite()
  const { t, i18n } = useLingui()
  const isSignUp = props.mode === 'sign-up'
  const shown = useRef(props.mode)
  const hasPasskeys = !isSignUp && offersPasskeys(auth)

  /** Runs a sign-in that needs no field of the form. */
  const signInBy = (call: () => Promise<AccountFailure | null>) =>
    submit({}, async () => {
      const error = await call()
      if (!error) await props.onSuccess()
      return error
    })

  useSuggestedPasskeys(hasPasskeys && !isBusy, (answer) => void signInBy(() => verifyPasskey(answer, i18n)))

  useEffect(() => {
    if (shown.current === props.mode) return
    shown.current = props.mode
    // The fields precede the button that switches the mode, so focus moves back to the first of them.
    const hasFocus = form.current?.contains(document.activeElement)
    if (hasFocus) form.current?.querySelector('input')?.focus()
  }, [form, props.mode])

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const account = readAccount(event.currentTarget)
    await submit(checkAccount(account, props.mode, i18n), async () => {
      const error = await (isSignUp ? signUp(account, props.invitation, i18n) : signIn(account, i18n))
      if (!error) await props.onSuccess()
      return error
    })
  }

  return (
    <form ref={form} className={styles['form']} noValidate onSubmit={(event) => void send(event)}>
      <Notice>{failure?.message}</Notice>
      {isSignUp && (
        <Field
          label={t`Name`}
          error={errors.name}
          hint={t`Shown with the images you share. You can change it each time.`}
        >
          {(control) => (
            <input
              {...control}
              name="name"
              required
              autoComplete="name"
              autoCapitalize="words"
              enterKeyHint="next"
            />
          )}
        </Field>
      )}
      <Field label={t`Email`} error={errors.email}>
        {(control) => (
          <input
            {...control}
            name="email"
            type="email"
            required
            autoComplete={hasPasskeys ? 'email webauthn' : 'email'}
            enterKeyHint="next"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label={t`Password`}
        error={errors.password}
        hint={
          isSignUp
            ? t`At least ${passwordMinLength} characters.`
            : t`Forgot your password? Ask the operator of this site for a new one.`
        }
      >
        {(control) => (
          <input
            {...control}
            name="password"
            type="password"
            required
            autoComplete={isSignUp ? 'new-password' : 'current-password'}
            enterKeyHint="go"
          />
        )}
      </Field>
      {isSignUp && hasRules && (
        <p className={styles['rules']}>
          <Trans>
            With an account you accept the <RulesLink>rules of this site</RulesLink>.
          </Trans>
        </p>
      )}
      <Button variant="primary" type="submit" isBusy={isBusy} wide>
        {isSignUp ? t`Sign up` : t`Sign in`}
      </Button>
      {hasPasskeys && (
        <Button wide isBusy={isBusy} onClick={() => void signInBy(() => signInWithPasskey(i18n))}>
          <Trans>Sign in with a passkey</Trans>
        </Button>
      )}
      {!props.onSwitch && auth.kind === 'local' && auth.signUp === 'invite' && (
        <p className={styles['switch']}>{t`New here? To create an account you need an invitation.`}</p>
      )}
      {props.onSwitch && (
        <p className={styles['switch']}>
          {isSignUp ? t`Already have an account?` : t`New here?`}{' '}
          <button
            type="button"
            className={styles['switchButton']}
            onClick={() => {
              clear()
              props.onSwitch?.(isSignUp ? 'sign-in' : 'sign-up')
            }}
          >
            {isSignUp ? t`Sign in instead` : t`Create an account`}
          </button>
        </p>
      )}
    </form>
  )
}

function readAccount(form: HTMLFormElement) {
  return {
    name: textIn(form, 'name').trim(),
    email: textIn(form, 'email').trim(),
    password: textIn(form, 'password'),
  }
}
