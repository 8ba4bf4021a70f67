import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ProviderError } from '../../../../shared/provider-sign-in.ts'

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
