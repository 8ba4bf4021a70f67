import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { passwordMinLength } from '../../../../shared/limits.ts'
import { sendsAccountMails } from '../../../../shared/mailed-links.ts'
import type { ProviderError } from '../../../../shared/provider-sign-in.ts'
import { useSite } from '../../../api/site.tsx'
import { forgetContinuation } from '../../../browser/continuation.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField, Form, textIn, useForm } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RulesLink } from '../../../ui/site-links.tsx'
import type { AccountFailure } from '../call-failure.tsx'
import { signIn, signUp } from './accounts.ts'
import { checkAccount } from './account-errors.ts'
import { ProviderErrorDialog, ProviderSignIn } from './provider-sign-in.tsx'
import { useSession } from '../session.ts'
import { offersPasskeys, signInWithPasskey, useSuggestedPasskeys, verifyPasskey } from './passkeys.ts'
import { ForgotPasswordForm, VerificationStep } from './mail-steps.tsx'
import styles from './sign-in-dialog.module.css'

export type AccountMode = 'sign-in' | 'sign-up'

/** A step that takes the place of the form: a link is sent by mail. */
type MailStep =
  | { readonly kind: 'forgot-password'; readonly email: string }
  | { readonly kind: 'verification'; readonly email: string; readonly isNew: boolean }

/** Modal for signing in and, if sign-up is open, for creating an account. */
export function SignInDialog(props: {
  open: boolean
  mode: AccountMode
  /** Token of the invitation that led to the dialog, '' without one. */
  invitation: string
  /** Null if no account can be created. */
  onSwitch: ((mode: AccountMode) => void) | null
  siteName: string
  /** With which the user came back from the provider; null without one. */
  error: ProviderError | null
  focusAfter: () => HTMLElement | null
  onClose: () => void
  onSignedIn: () => Promise<void>
}) {
  const { mode, siteName, error } = props
  const { status } = useSession()
  const [step, setStep] = useState<MailStep | null>(null)
  const { auth } = useSite()
  const { t } = useLingui()
  const { provider, hasPasswords } = auth.kind === 'local' ? auth : noProvider
  const texts = {
    'sign-in': [
      hasPasswords ? t`Welcome back to ${siteName}` : t`Sign in to ${siteName}`,
      t`With an account you can make images and share them.`,
    ],
    'sign-up': [
      t`Join ${siteName}`,
      t`An account lets you make images and share them. Your email is never shown.`,
    ],
    'forgot-password': [t`Forgot your password?`, t`We send you a link to choose a new one.`],
    verification: [t`Confirm your email`, t`One more step, so that your account is yours.`],
  } as const
  const [title, description] = texts[step?.kind ?? mode]
  if (error && status === 'loading') return null
  if (error && status === 'signed-in') {
    return <ProviderErrorDialog {...props} error={error} />
  }
  return (
    <Dialog
      open={props.open}
      title={title}
      description={description}
      focusAfter={props.focusAfter}
      onClose={() => {
        forgetContinuation()
        props.onClose()
      }}
      onClosed={() => setStep(null)}
    >
      {provider && !step && (
        <ProviderSignIn
          provider={provider.name}
          hasPasswords={hasPasswords}
          invitation={props.invitation}
          error={error}
        />
      )}
      {step ? (
        <MailStepContent
          step={step}
          onBack={() => {
            setStep(null)
            props.onSwitch?.('sign-in')
          }}
        />
      ) : (
        hasPasswords && (
          <AccountForm
            mode={mode}
            invitation={props.invitation}
            onSwitch={props.onSwitch}
            onStep={setStep}
            onSuccess={async () => {
              await props.onSignedIn()
              props.onClose()
            }}
          />
        )
      )}
    </Dialog>
  )
}

const noProvider = { provider: null, hasPasswords: true } as const

function MailStepContent({ step, onBack }: { step: MailStep; onBack: () => void }) {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The control that had the focus is gone. Screen readers read the field or the text.
    content.current?.querySelector<HTMLElement>('input, [tabindex="-1"]')?.focus()
  }, [])
  return (
    <div ref={content} className={styles['form']}>
      {step.kind === 'forgot-password' ? (
        <ForgotPasswordForm email={step.email} />
      ) : (
        <VerificationStep email={step.email} isNew={step.isNew} />
      )}
      <p className={styles['switch']}>
        <button type="button" className={styles['switchButton']} onClick={onBack}>
          <Trans>Back to sign-in</Trans>
        </button>
      </p>
    </div>
  )
}

/** @param props.onSwitch null if no account can be created */
function AccountForm(props: {
  mode: AccountMode
  invitation: string
  onSwitch: ((mode: AccountMode) => void) | null
  onStep: (step: MailStep) => void
  onSuccess: () => Promise<void>
}) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<
    'name' | 'email' | 'password',
    AccountFailure
  >(['name', 'email', 'password'])
  const { auth, hasRules } = useSite()
  const hasMail = sendsAccountMails(auth)
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

  async function send(element: HTMLFormElement) {
    const account = readAccount(element)
    const { email } = account
    await submit(checkAccount(account, props.mode, i18n), async () => {
      if (isSignUp) {
        const { failure: error, needsVerification } = await signUp(account, props.invitation, i18n)
        if (needsVerification) props.onStep({ kind: 'verification', email, isNew: true })
        else if (!error) await props.onSuccess()
        return error
      }
      const error = await signIn(account, i18n)
      if (error?.code === 'EMAIL_NOT_VERIFIED') props.onStep({ kind: 'verification', email, isNew: false })
      else if (!error) await props.onSuccess()
      return error
    })
  }

  return (
    <Form ref={form} onSubmit={send}>
      <Notice>{failure?.message}</Notice>
      {isSignUp && (
        <TextField
          label={t`Name`}
          error={errors.name}
          hint={t`Shown with the images you share. You can change it each time.`}
          name="name"
          required
          autoComplete="name"
          autoCapitalize="words"
          enterKeyHint="next"
        />
      )}
      <TextField
        label={t`Email`}
        error={errors.email}
        name="email"
        type="email"
        required
        autoComplete={hasPasskeys ? 'email webauthn' : 'email'}
        enterKeyHint="next"
        spellCheck={false}
      />
      <TextField
        label={t`Password`}
        error={errors.password}
        hint={
          isSignUp
            ? t`At least ${passwordMinLength} characters.`
            : !hasMail && t`Forgot your password? Ask the operator of this site for a new one.`
        }
        name="password"
        type="password"
        required
        autoComplete={isSignUp ? 'new-password' : 'current-password'}
        enterKeyHint="go"
      />
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
      {hasMail && !isSignUp && (
        <p className={styles['switch']}>
          <button
            type="button"
            className={styles['switchButton']}
            onClick={() => {
              const email = form.current ? textIn(form.current, 'email').trim() : ''
              props.onStep({ kind: 'forgot-password', email })
            }}
          >
            <Trans>Forgot your password?</Trans>
          </button>
        </p>
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
    </Form>
  )
}

function readAccount(form: HTMLFormElement) {
  return {
    name: textIn(form, 'name').trim(),
    email: textIn(form, 'email').trim(),
    password: textIn(form, 'password'),
  }
}
