import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { passwordMinLength } from '../../../../shared/limits.ts'
import { resetLinkMinutes, sendsAccountMails } from '../../../../shared/mailed-links.ts'
import { providerErrorKey, providerErrors, type ProviderError } from '../../../../shared/provider-sign-in.ts'
import { useSite } from '../../../api/site.tsx'
import { forgetContinuation } from '../../../browser/continuation.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { EmailField, PasswordField, TextField } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Sentence } from '../../../ui/sentence.tsx'
import { RulesLink } from '../../../ui/site-links.tsx'
import { useCall } from '../call-failure.tsx'
import { CallForm } from '../call-form.tsx'
import { useSession, type SignInPurpose } from '../session.ts'
import {
  AccountError,
  callAccount,
  continueWithProvider,
  emailError,
  nameError,
  newPasswordError,
  passwordError,
  type ProviderRequest,
} from './accounts.ts'
import { offersPasskeys, signInWithPasskey, useSuggestedPasskeys, verifyPasskey } from './passkeys.ts'
import styles from './sign-in-dialog.module.css'

/** A step that takes the place of the form: a link is sent by mail. */
type MailStep =
  | { readonly kind: 'forgot-password'; readonly email: string }
  | { readonly kind: 'verification'; readonly email: string; readonly isNew: boolean }

type Mode = 'sign-in' | 'sign-up'

interface SignInProps {
  readonly firstMode: Mode
  /** False if no account can be created. */
  readonly canSignUp: boolean
  readonly purpose: SignInPurpose | undefined
  /** With which the user came back from the provider. */
  readonly error: ProviderError | undefined
  readonly focusAfter: () => HTMLElement | null
  readonly onSignedIn: () => Promise<void>
}

/** The first field of the dialog that was opened last. */
function firstField(): HTMLElement | null {
  const dialog = Array.from(document.querySelectorAll('[role=dialog]')).at(-1)
  return dialog?.querySelector<HTMLElement>('form input') ?? null
}

/** Modal for signing in and, if sign-up is open, for creating an account. */
export function SignInDialog(props: SignInProps) {
  const { purpose, error } = props
  const [isOpen, setIsOpen] = useState(true)
  const [mode, setMode] = useState(props.firstMode)
  const { status } = useSession()
  const [step, setStep] = useState<MailStep | null>(null)
  const { auth, name: siteName, hasRules } = useSite()
  const { t, i18n } = useLingui()
  const { provider, hasPasswords } =
    auth.kind === 'local' ? auth : ({ provider: null, hasPasswords: true } as const)
  const failure = error && provider ? i18n._(describeProviderError(error, provider.name, hasPasswords)) : null
  const texts = {
    'sign-in': [
      {
        like: t`Sign in to like this`,
        keep: t`Sign in to keep this drawing`,
        join: t`Sign in to ${siteName}`,
      }[purpose?.goal ?? 'join'],
      t`With an account you can make images and share them.`,
    ],
    'sign-up': [
      {
        like: t`Join ${siteName} to like this`,
        keep: t`Join ${siteName} to keep this drawing`,
        join: t`Join ${siteName}`,
      }[purpose?.goal ?? 'join'],
      t`An account lets you make images and share them. Your email is never shown.`,
    ],
    'forgot-password': [t`Forgot your password?`, t`We send you a link to choose a new one.`],
    verification: [t`Confirm your email`, t`One more step, so that your account is yours.`],
    failed: [t`That did not work`, failure],
  } as const
  // Connecting the provider, or confirming with it.
  const hasFailed = error && status === 'signed-in'
  const [title, description] = texts[hasFailed ? 'failed' : (step?.kind ?? mode)]
  const close = () => setIsOpen(false)
  if ((error && status === 'loading') || (hasFailed && !failure)) return null
  return (
    <Dialog
      open={isOpen}
      title={title}
      description={description}
      picture={purpose?.imageUrl}
      // Not the buttons above it, which switch between the forms, nor the form of a dialog below.
      initialFocus={() => (provider ? null : firstField())}
      focusAfter={props.focusAfter}
      onClose={forgetContinuation}
    >
      {provider && !step && !hasFailed && (
        <div className="stack">
          <ProviderButton
            provider={provider.name}
            request={purpose?.invitation ? { invitation: purpose.invitation } : {}}
            variant={hasPasswords ? 'plain' : 'primary'}
            failure={failure}
          />
          {hasPasswords ? (
            <p className={`beside quiet small ${styles['or']}`}>{t`or with your email`}</p>
          ) : (
            hasRules && <AcceptedRules />
          )}
        </div>
      )}
      {hasFailed ? (
        <DialogActions>
          <Button variant="primary" onClick={close}>{t`OK`}</Button>
        </DialogActions>
      ) : step ? (
        <MailStepContent
          step={step}
          onBack={() => {
            setStep(null)
            setMode('sign-in')
          }}
        />
      ) : (
        hasPasswords && (
          <AccountForm
            {...props}
            mode={mode}
            onMode={setMode}
            onStep={setStep}
            onSuccess={async () => {
              await props.onSignedIn()
              close()
              purpose?.onSignedIn?.()
            }}
          />
        )
      )}
    </Dialog>
  )
}

function MailStepContent({ step, onBack }: { step: MailStep; onBack: () => void }) {
  const content = useRef<HTMLDivElement>(null)
  const { t } = useLingui()
  useEffect(() => {
    // The control that had the focus is gone. Screen readers read the field or the text.
    content.current?.querySelector<HTMLElement>('input, [tabindex="-1"]')?.focus()
  }, [])
  const { email } = step
  return (
    <div ref={content} className="stack">
      {step.kind === 'forgot-password' ? (
        <ForgotPasswordForm email={email} />
      ) : (
        <>
          <p tabIndex={-1}>
            <Sentence
              className="name"
              of={
                step.isNew
                  ? msg`We sent a link to ${email}. Open it, then sign in here.`
                  : msg`You have not confirmed yet that ${email} is yours. Open the link that we sent there, then sign in here.`
              }
            />
          </p>
          <p className="quiet small breakable">
            {t`Nothing has arrived? Look into your spam folder, check the address, or send the link again.`}
          </p>
          <CallForm
            isWide
            submit={t`Send the link again`}
            busy={t`Sending…`}
            call={() => callAccount('/send-verification-email', { email })}
            done={t`Another link is on its way.`}
          />
        </>
      )}
      <SwitchButton onClick={onBack}>{t`Back to sign-in`}</SwitchButton>
    </div>
  )
}

/**
 * Requests a link to choose a new password. Says the same for every email, with an account or without.
 *
 * @param props.email first text of the field
 */
export function ForgotPasswordForm(props: { email: string }) {
  const [sentTo, setSentTo] = useState('')
  const { t } = useLingui()
  return (
    <CallForm
      variant="primary"
      isWide
      submit={t`Send the link`}
      busy={t`Sending…`}
      call={(typed) => {
        const email = typed('email')
        setSentTo(email)
        return callAccount('/request-password-reset', { email })
      }}
      done={
        <Sentence
          className="name"
          of={msg`If there is an account with the email ${sentTo}, a link is on its way. Look into your spam folder too. The link is valid for ${resetLinkMinutes} minutes.`}
        />
      }
    >
      <EmailField
        label={t`Email`}
        check={emailError}
        defaultValue={props.email}
        autoComplete="email"
        enterKeyHint="send"
      />
    </CallForm>
  )
}

function AccountForm(
  props: SignInProps & {
    mode: Mode
    onMode: (mode: Mode) => void
    onStep: (step: MailStep) => void
    onSuccess: () => Promise<void>
  },
) {
  const { mode, canSignUp, purpose, onStep, onSuccess } = props
  const { auth, hasRules } = useSite()
  const hasMail = sendsAccountMails(auth)
  const { t } = useLingui()
  const isSignUp = mode === 'sign-up'
  const shown = useRef(mode)
  const tabs = useRef<HTMLDivElement>(null)
  const hasPasskeys = !isSignUp && offersPasskeys(auth)

  useEffect(() => {
    if (shown.current === mode) return
    shown.current = mode
    // The button that switched the mode is gone.
    tabs.current?.closest('form')?.querySelector('input')?.focus()
  }, [mode])

  async function send(text: (field: string) => string) {
    const email = text('email')
    const invitation = purpose?.invitation
    const body = {
      email,
      password: text('password'),
      ...(isSignUp && { name: text('name'), ...(invitation && { invitation }) }),
    }
    const askToVerify = () => onStep({ kind: 'verification', email, isNew: isSignUp })
    try {
      const path = isSignUp ? '/sign-up/email' : '/sign-in/email'
      const { token } = await callAccount<{ token: string | null }>(path, body)
      await (token === null ? askToVerify() : onSuccess())
    } catch (error) {
      if (error instanceof AccountError && error.code === 'EMAIL_NOT_VERIFIED') askToVerify()
      throw error
    }
  }

  return (
    <CallForm
      variant="primary"
      isWide
      submit={isSignUp ? t`Sign up` : t`Sign in`}
      call={send}
      renderBefore={({ clear }) => {
        if (!canSignUp) return null
        const show = (shownMode: Mode) => {
          clear()
          props.onMode(shownMode)
        }
        return (
          <div ref={tabs} className={styles['tabs']}>
            <ModeTab isCurrent={!isSignUp} action={t`Sign in instead`} onClick={() => show('sign-in')}>
              {t`Sign in`}
            </ModeTab>
            <ModeTab isCurrent={isSignUp} onClick={() => show('sign-up')}>{t`Create an account`}</ModeTab>
          </div>
        )
      }}
      renderAfter={({ isBusy, text, run }) => (
        <>
          {hasPasskeys && (
            <PasskeyButton
              isBusy={isBusy}
              onSignIn={(call) =>
                void run(async () => {
                  await call()
                  await onSuccess()
                })
              }
            />
          )}
          {hasMail && !isSignUp && (
            <SwitchButton onClick={() => onStep({ kind: 'forgot-password', email: text('email') })}>
              {t`Forgot your password?`}
            </SwitchButton>
          )}
          {!canSignUp && auth.kind === 'local' && auth.signUp === 'invite' && (
            <p className={`quiet small ${styles['switch']}`}>
              {t`New here? To create an account you need an invitation.`}
            </p>
          )}
        </>
      )}
    >
      {isSignUp && (
        <TextField
          label={t`Name`}
          hint={t`Shown with the images you share. You can change it each time.`}
          name="name"
          required
          check={(name) => nameError(name)}
          autoComplete="name"
          autoCapitalize="words"
          enterKeyHint="next"
        />
      )}
      <EmailField
        label={t`Email`}
        check={emailError}
        autoComplete={hasPasskeys ? 'email webauthn' : 'email'}
        enterKeyHint="next"
      />
      <PasswordField
        label={t`Password`}
        hint={
          isSignUp
            ? t`At least ${passwordMinLength} characters.`
            : !hasMail && t`Forgot your password? Ask the operator of this site for a new one.`
        }
        name="password"
        // Existing accounts may predate the rules for new passwords.
        check={isSignUp ? newPasswordError : passwordError}
        autoComplete={isSignUp ? 'new-password' : 'current-password'}
        enterKeyHint="go"
      />
      {isSignUp && hasRules && <AcceptedRules />}
    </CallForm>
  )
}

/** One of two forms: the one that is shown, or a button that shows it. */
function ModeTab(props: { isCurrent: boolean; action?: string; onClick: () => void; children: string }) {
  return props.isCurrent ? (
    <span aria-current="true" className="strong">
      {props.children}
    </span>
  ) : (
    <button type="button" className="strong quiet" aria-label={props.action} onClick={props.onClick}>
      {props.children}
    </button>
  )
}

/** Signs in with a passkey, also with one that the browser suggests for the field of the email. */
function PasskeyButton(props: { isBusy: boolean; onSignIn: (call: () => Promise<void>) => void }) {
  const { isBusy, onSignIn } = props
  useSuggestedPasskeys(!isBusy, (answer) => onSignIn(() => verifyPasskey(answer)))
  return (
    <Button wide isBusy={isBusy} onClick={() => onSignIn(signInWithPasskey)}>
      <Trans>Sign in with a passkey</Trans>
    </Button>
  )
}

/** A line with a button that leads to another form. */
function SwitchButton(props: { onClick: () => void; children: ReactNode }) {
  return (
    <p className={`quiet small ${styles['switch']}`}>
      <button type="button" className={styles['switchButton']} onClick={props.onClick}>
        {props.children}
      </button>
    </p>
  )
}

/** Says that the rules apply to new accounts. */
function AcceptedRules() {
  return (
    <p className="quiet small breakable">
      <Trans>
        With an account you accept the <RulesLink>rules of this site</RulesLink>.
      </Trans>
    </p>
  )
}

/** Leads to the provider's page. @param props.failure why the user came back from there */
export function ProviderButton(props: {
  provider: string
  request: ProviderRequest
  variant: 'primary' | 'plain'
  failure?: string | null
}) {
  const { provider, request, variant, failure } = props
  const { t } = useLingui()
  const call = useCall()
  return (
    <>
      <Notice>{!call.isBusy && (call.failure?.message ?? failure)}</Notice>
      <Button
        variant={variant}
        wide
        isBusy={call.isBusy}
        onClick={() => call.run(() => continueWithProvider('/sign-in/social', request))}
      >
        {t`Continue with ${provider}`}
      </Button>
    </>
  )
}

/** Describes why signing in with the provider, or connecting it, did not work. */
function describeProviderError(
  error: ProviderError,
  provider: string,
  hasPasswords: boolean,
): MessageDescriptor {
  const withPassword = msg`There is already an account with your email address. Sign in with its password, then connect ${provider} on your account page.`
  const withoutPassword = msg`There is already an account with your email address, which is not connected with ${provider}. Ask the operator of this site.`
  const messages: Readonly<Record<ProviderError, MessageDescriptor>> = {
    canceled: msg`You did not sign in with ${provider}: it was canceled, or you may not use this site.`,
    expired: msg`This took too long, or was started in another tab. Try again.`,
    unavailable: msg`${provider} could not confirm who you are. Try again. If that does not help, tell the operator of this site.`,
    rejected: msg`${provider} does not accept this site. Tell the operator of this site.`,
    no_email: msg`${provider} sent no valid email address, which an account here needs.`,
    email_not_verified: msg`Your email address is not verified at ${provider}, which this site requires.`,
    not_connected: hasPasswords ? withPassword : withoutPassword,
    sign_up_closed: msg`You have no account here, and sign-up is closed. Ask the operator of this site.`,
    invitation_needed: msg`You have no account here yet. Open the link of an invitation first.`,
    invitation_invalid: msg`This invitation is not valid any more. Ask for another one.`,
    blocked: msg`Your account is blocked. Ask the operator of this site.`,
    connected_elsewhere: msg`This account at ${provider} is connected with another account here.`,
    failed: msg`Signing in with ${provider} did not work. Try again.`,
  }
  return messages[error]
}

/** Calls `open` with the error with which the user came back from the provider, and removes it from the address. */
export function openAfterReturn(open: (error: ProviderError) => void): void {
  const code = new URLSearchParams(location.hash.slice(1)).get(providerErrorKey)
  if (code === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  open(providerErrors.find((known) => known === code) ?? 'failed')
}
