import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { providerErrorKey, providerErrors, type ProviderError } from '../../../../shared/provider-sign-in.ts'
import { useSite } from '../../../api/site.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RulesLink } from '../../../ui/site-links.tsx'
import type { AccountFailure } from '../call-failure.tsx'
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
    <div className={styles['provider']}>
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
        hasRules && (
          <p className={styles['rules']}>
            <Trans>
              With an account you accept the <RulesLink>rules of this site</RulesLink>.
            </Trans>
          </p>
        )
      )}
    </div>
  )
}

/** Leads to the provider's page. `onFailure` gets null before each attempt. */
export function ProviderButton(props: {
  provider: string
  request: ProviderRequest
  variant: 'primary' | 'plain'
  onFailure: (failure: AccountFailure | null) => void
}) {
  const { provider, request, onFailure } = props
  const [isBusy, setIsBusy] = useState(false)
  const { t, i18n } = useLingui()

  async function leave() {
    onFailure(null)
    setIsBusy(true)
    onFailure(await continueWithProvider(request, i18n))
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
          <Trans>OK</Trans>
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
export function describeProviderError(
  error: ProviderError,
  { provider, hasPasswords }: { readonly provider: string; readonly hasPasswords: boolean },
  i18n: I18n,
): string {
  switch (error) {
    case 'canceled':
      return i18n._(msg`You did not sign in with ${provider}: it was canceled, or you may not use this site.`)
    case 'expired':
      return i18n._(msg`This took too long, or was started in another tab. Try again.`)
    case 'unavailable':
      return i18n._(
        msg`${provider} could not confirm who you are. Try again. If that does not help, tell the operator of this site.`,
      )
    case 'rejected':
      return i18n._(msg`${provider} does not accept this site. Tell the operator of this site.`)
    case 'no_email':
      return i18n._(msg`${provider} sent no valid email address, which an account here needs.`)
    case 'email_not_verified':
      return i18n._(msg`Your email address is not verified at ${provider}, which this site requires.`)
    case 'not_connected':
      return hasPasswords
        ? i18n._(
            msg`There is already an account with your email address. Sign in with its password, then connect ${provider} on your account page.`,
          )
        : i18n._(
            msg`There is already an account with your email address, which is not connected with ${provider}. Ask the operator of this site.`,
          )
    case 'sign_up_closed':
      return i18n._(msg`You have no account here, and sign-up is closed. Ask the operator of this site.`)
    case 'invitation_needed':
      return i18n._(msg`You have no account here yet. Open the link of an invitation first.`)
    case 'invitation_invalid':
      return i18n._(msg`This invitation is not valid any more. Ask for another one.`)
    case 'blocked':
      return i18n._(msg`Your account is blocked. Ask the operator of this site.`)
    case 'connected_elsewhere':
      return i18n._(msg`This account at ${provider} is connected with another account here.`)
    case 'failed':
      return i18n._(msg`Signing in with ${provider} did not work. Try again.`)
  }
}

/** Opens the dialog that says with which error the user came back from the provider, and removes the error from the address. */
export function openAfterReturn(open: (dialog: AccountDialog) => void): void {
  const code = new URLSearchParams(location.hash.slice(1)).get(providerErrorKey)
  if (code === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  const error = providerErrors.find((known) => known === code) ?? 'failed'
  open({ isOpen: true, mode: 'sign-in', invitation: '', error })
}
