import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { passwordMinLength } from '../../../../shared/limits.ts'
import { sendsAccountMails } from '../../../../shared/mailed-links.ts'
import type { ProviderError } from '../../../../shared/provider-sign-in.ts'
import { useSite } from '../../../api/site.tsx'
import { forgetContinuation } from '../../../browser/continuation.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmailField, TextField } from '../../../ui/form.tsx'
import ui from '../../../ui/primitives.module.css'
import type { CallFailure } from '../call-failure.tsx'
import { CallForm, useCallForm } from '../call-form.tsx'
import { askAccount, settle } from './accounts.ts'
import { checkAccount } from './account-errors.ts'
import { AcceptedRules, ProviderErrorDialog, ProviderSignIn } from './provider-sign-in.tsx'
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
    <div ref={content} className={ui['stack']}>
      {step.kind === 'forgot-password' ? (
        <ForgotPasswordForm email={step.email} />
      ) : (
        <VerificationStep email={step.email} isNew={step.isNew} />
      )}
      <p className={styles['switch']}>
        <LinkButton onClick={onBack}>
          <Trans>Back to sign-in</Trans>
        </LinkButton>
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
  const { mode, invitation, onSwitch, onStep, onSuccess } = props
  const { auth, hasRules } = useSite()
  const hasMail = sendsAccountMails(auth)
  const { t, i18n } = useLingui()
  const isSignUp = mode === 'sign-up'
  const shown = useRef(mode)
  const hasPasskeys = !isSignUp && offersPasskeys(auth)
  const state = useCallForm()
  const { isBusy, text, run, clear } = state

  useEffect(() => {
    if (shown.current === mode) return
    shown.current = mode
    // The fields precede the button that switches the mode, so focus moves back to the first of them.
    document.activeElement?.closest('form')?.querySelector('input')?.focus()
  }, [mode])

  async function send(account: { name: string; email: string; password: string }) {
    const { name, email, password } = account
    const body = isSignUp ? { name, email, password, ...(invitation && { invitation }) } : { email, password }
    let isUnverified = false
    const call = askAccount<{ token: string | null }>(isSignUp ? '/sign-up/email' : '/sign-in/email', body)
    const failure = await settle(
      call.then((answer) => {
        isUnverified = answer.data?.token === null || answer.error?.code === 'EMAIL_NOT_VERIFIED'
        return answer
      }),
      i18n,
    )
    if (isUnverified) onStep({ kind: 'verification', email, isNew: isSignUp })
    else if (!failure) await onSuccess()
    return failure
  }

  return (
    <CallForm
      variant="primary"
      isWide
      submit={isSignUp ? t`Sign up` : t`Sign in`}
      check={() => checkAccount(readAccount(text), mode)}
      call={() => send(readAccount(text))}
      state={state}
      after={
        <>
          {hasPasskeys && (
            <PasskeyButton
              isBusy={isBusy}
              onSignIn={(call) =>
                void run(async () => {
                  const failure = await call()
                  if (!failure) await onSuccess()
                  return failure
                })
              }
            />
          )}
          {hasMail && !isSignUp && (
            <p className={styles['switch']}>
              <LinkButton onClick={() => onStep({ kind: 'forgot-password', email: text('email') })}>
                {t`Forgot your password?`}
              </LinkButton>
            </p>
          )}
          {!onSwitch && auth.kind === 'local' && auth.signUp === 'invite' && (
            <p className={styles['switch']}>{t`New here? To create an account you need an invitation.`}</p>
          )}
          {onSwitch && (
            <p className={styles['switch']}>
              {isSignUp ? t`Already have an account?` : t`New here?`}{' '}
              <LinkButton
                onClick={() => {
                  clear()
                  onSwitch(isSignUp ? 'sign-in' : 'sign-up')
                }}
              >
                {isSignUp ? t`Sign in instead` : t`Create an account`}
              </LinkButton>
            </p>
          )}
        </>
      }
    >
      {isSignUp && (
        <TextField
          label={t`Name`}
          hint={t`Shown with the images you share. You can change it each time.`}
          name="name"
          required
          autoComplete="name"
          autoCapitalize="words"
          enterKeyHint="next"
        />
      )}
      <EmailField
        label={t`Email`}
        autoComplete={hasPasskeys ? 'email webauthn' : 'email'}
        enterKeyHint="next"
      />
      <TextField
        label={t`Password`}
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
      {isSignUp && hasRules && <AcceptedRules />}
    </CallForm>
  )
}

function readAccount(text: (field: string) => string) {
  return { name: text('name'), email: text('email'), password: text('password') }
}

/** Signs in with a passkey, also with one that the browser suggests for the field of the email. */
function PasskeyButton(props: {
  isBusy: boolean
  onSignIn: (call: () => Promise<CallFailure | null>) => void
}) {
  const { isBusy, onSignIn } = props
  const { i18n } = useLingui()
  useSuggestedPasskeys(!isBusy, (answer) => onSignIn(() => verifyPasskey(answer, i18n)))
  return (
    <Button wide isBusy={isBusy} onClick={() => onSignIn(() => signInWithPasskey(i18n))}>
      <Trans>Sign in with a passkey</Trans>
    </Button>
  )
}

function LinkButton(props: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles['switchButton']} onClick={props.onClick}>
      {props.children}
    </button>
  )
}
