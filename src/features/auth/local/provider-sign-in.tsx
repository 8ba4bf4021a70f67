import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { providerErrorKey, providerErrors, type ProviderError } from '../../../../shared/provider-sign-in.ts'
import { useSite } from '../../../api/site.tsx'
import { Button, DialogActions } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import ui from '../../../ui/primitives.module.css'
import { RulesLink } from '../../../ui/site-links.tsx'
import type { CallFailure } from '../call-failure.tsx'
import { continueWithProvider, type ProviderRequest } from './accounts.ts'
import type { AccountDialog } from './local-session.tsx'
import styles from './sign-in-dialog.module.css'

/**
 * The way to sign in at the provider, above the form for passwords if there is one.
 *
 * @param props.error with which the user came back from the provider; null without one
 */
export function ProviderSignIn(props: {
  provider: string
  hasPasswords: boolean
  invitation: string
  error: ProviderError | null
}) {
  const { provider, hasPasswords, invitation, error } = props
  const { hasRules } = useSite()
  const { i18n } = useLingui()
  const [failure, setFailure] = useState(() => error && describeProviderError(error, props, i18n))
  return (
    <div className={ui['stack']}>
      <Notice>{failure}</Notice>
      <ProviderButton
        provider={provider}
        request={invitation === '' ? {} : { invitation }}
        variant={hasPasswords ? 'plain' : 'primary'}
        onFailure={(next) => setFailure(next?.message ?? null)}
      />
      {hasPasswords ? (
        <p className={styles['or']}>
          <Trans>or with your email</Trans>
        </p>
      ) : (
        hasRules && <AcceptedRules />
      )}
    </div>
  )
}

/** Says that the rules apply to new accounts. */
export function AcceptedRules() {
  return (
    <p className={ui['small']}>
      <Trans>
        With an account you accept the <RulesLink>rules of this site</RulesLink>.
      </Trans>
    </p>
  )
}

/** Leads to the provider's page. `onFailure` gets null before each attempt. */
export function ProviderButton(props: {
  provider: string
  request: ProviderRequest
  variant: 'primary' | 'plain'
  onFailure: (failure: CallFailure | null) => void
}) {
  const { provider, request, onFailure } = props
  const [isBusy, setIsBusy] = useState(false)
  const { t, i18n } = useLingui()

  async function leave() {
    onFailure(null)
    setIsBusy(true)
    onFailure(await continueWithProvider('/sign-in/social', request, i18n))
    setIsBusy(false)
  }

  return (
    <Button variant={props.variant} wide isBusy={isBusy} onClick={() => void leave()}>
      {t`Continue with ${provider}`}
    </Button>
  )
}

/** Explains to a signed-in user why connecting the provider, or confirming with it, did not work. */
export function ProviderErrorDialog(props: {
  open: boolean
  error: ProviderError
  focusAfter: () => HTMLElement | null
  onClose: () => void
}) {
  const { auth } = useSite()
  const { t, i18n } = useLingui()
  if (auth.kind !== 'local' || !auth.provider) return null
  const site = { provider: auth.provider.name, hasPasswords: auth.hasPasswords }
  return (
    <Dialog
      open={props.open}
      title={t`That did not work`}
      description={describeProviderError(props.error, site, i18n)}
      focusAfter={props.focusAfter}
      onClose={props.onClose}
    >
      <DialogActions>
        <Button variant="primary" onClick={props.onClose}>
          {t`OK`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/**
 * Describes why signing in with the provider, or connecting it, did not work.
 *
 * @param site.provider its name
 * @param site.hasPasswords whether users can sign in with a password too
 */
function describeProviderError(
  error: ProviderError,
  { provider, hasPasswords }: { readonly provider: string; readonly hasPasswords: boolean },
  i18n: I18n,
): string {
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
  return i18n._(messages[error])
}

/** Opens the dialog that says with which error the user came back from the provider, and removes the error from the address. */
export function openAfterReturn(open: (dialog: AccountDialog) => void): void {
  const code = new URLSearchParams(location.hash.slice(1)).get(providerErrorKey)
  if (code === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  const error = providerErrors.find((known) => known === code) ?? 'failed'
  open({ isOpen: true, mode: 'sign-in', invitation: '', error })
}
