import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import {
  WebAuthnAbortService,
  WebAuthnError,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { useEffect, useEffectEvent } from 'react'
import type { SignInSettings } from '../../../../shared/page-data.ts'
import { unreachable, type CallFailure } from '../call-failure.tsx'
import { describeAccountError } from './account-errors.ts'
import { askAccount, callAccount } from './accounts.ts'

/** Checks whether the browser can use passkeys of the site at the address of the page. */
export function offersPasskeys(auth: SignInSettings): boolean {
  return auth.kind === 'local' && auth.passkeyDomain === location.hostname && browserSupportsWebAuthn()
}

/** Lets the user choose a passkey, and signs them in. */
export async function signInWithPasskey(i18n: I18n): Promise<CallFailure | null> {
  const options = await fetchOptions('authenticate', i18n)
  if ('failure' in options) return options.failure
  try {
    const answer = await startAuthentication({ optionsJSON: options.json })
    return await verifyPasskey(answer, i18n)
  } catch (error) {
    return { message: i18n._(describeSignInError(error)) }
  }
}

/** Signs a user in with the answer of their authenticator. */
export async function verifyPasskey(
  { id, rawId, type, response }: AuthenticationResponseJSON,
  i18n: I18n,
): Promise<CallFailure | null> {
  const body = { response: { id, rawId, type, response } }
  const failure = await callAccount('/passkey/verify-authentication', body, i18n)
  if (failure?.code === 'PASSKEY_NOT_FOUND') forgetPasskey(id)
  return failure
}

/** Adds a passkey to the account of the signed-in user. */
export async function addPasskey(name: string, i18n: I18n): Promise<CallFailure | null> {
  const options = await fetchOptions('register', i18n)
  if ('failure' in options) return options.failure
  let answer: RegistrationResponseJSON
  try {
    answer = await startRegistration({ optionsJSON: options.json })
  } catch (error) {
    return { message: i18n._(describeRegistrationError(error)) }
  }
  const { id, rawId, type, response } = answer
  const { clientDataJSON, attestationObject, transports } = response
  const body = {
    name,
    response: { id, rawId, type, response: { clientDataJSON, attestationObject, transports } },
  }
  return callAccount('/passkey/verify-registration', body, i18n)
}

/** Options of the two ceremonies. */
interface CeremonyOptions {
  readonly authenticate: PublicKeyCredentialRequestOptionsJSON
  readonly register: PublicKeyCredentialCreationOptionsJSON
}

async function fetchOptions<Ceremony extends keyof CeremonyOptions>(
  ceremony: Ceremony,
  i18n: I18n,
): Promise<{ json: CeremonyOptions[Ceremony] } | { failure: CallFailure }> {
  try {
    const path = `/passkey/generate-${ceremony}-options`
    const { data, error } = await askAccount<CeremonyOptions[Ceremony]>(path)
    return error ? { failure: describeAccountError(error, i18n) } : { json: data }
  } catch {
    return { failure: unreachable(i18n) }
  }
}

/** Reports to the browser that the site does not accept a passkey, so that it stops suggesting it. */
function forgetPasskey(credentialId: string): void {
  const signaler: Partial<Pick<typeof PublicKeyCredential, 'signalUnknownCredential'>> = PublicKeyCredential
  // A failure changes nothing: the passkey is suggested again.
  signaler.signalUnknownCredential?.({ rpId: location.hostname, credentialId }).catch(() => {})
}

/** Browsers don't say whether the user canceled, took too long, or has no passkey. */
function describeSignInError(error: unknown): MessageDescriptor {
  if (isRejection(error)) return msg`No passkey was used. Try again, or sign in another way.`
  console.error('could not use a passkey', error)
  return msg`The browser could not use a passkey. Try again, or sign in another way.`
}

function describeRegistrationError(error: unknown): MessageDescriptor {
  if (isRejection(error)) return msg`No passkey was added. Try again if you did not cancel.`
  switch (error instanceof WebAuthnError && error.code) {
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      return msg`This device or password manager already has a passkey for your account.`
    case 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT':
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
      return msg`This device can’t keep passkeys that are protected by fingerprint, face or PIN. Use another one.`
    default:
      console.error('could not add a passkey', error)
      return msg`The browser could not add a passkey. Try again.`
  }
}

function isRejection(error: unknown): boolean {
  if (!(error instanceof WebAuthnError)) return false
  return error.code === 'ERROR_CEREMONY_ABORTED' || error.name === 'NotAllowedError'
}

/** Time after which the request is renewed, which the server accepts for five minutes. */
const renewalMs = 4 * 60 * 1_000

/**
 * Lets the browser suggest passkeys in the page's field with `autocomplete="… webauthn"`.
 *
 * @param isActive false while there is no such field, or another request for a passkey is running
 * @param onChoose called with the passkey that the user chose
 */
export function useSuggestedPasskeys(
  isActive: boolean,
  onChoose: (answer: AuthenticationResponseJSON) => void,
): void {
  const { i18n } = useLingui()
  const choose = useEffectEvent(onChoose)

  useEffect(() => {
    if (!isActive) return
    let waiting = new AbortController()

    async function wait(signal: AbortSignal) {
      if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return
      const options = await fetchOptions('authenticate', i18n)
      if ('failure' in options || signal.aborted) return
      const cancel = () => WebAuthnAbortService.cancelCeremony()
      signal.addEventListener('abort', cancel)
      try {
        const answer = await startAuthentication({ optionsJSON: options.json, useBrowserAutofill: true })
        if (!signal.aborted) choose(answer)
      } catch {
        // Canceled, or no passkey can be suggested.
      } finally {
        signal.removeEventListener('abort', cancel)
      }
    }

    function start() {
      waiting.abort()
      waiting = new AbortController()
      void wait(waiting.signal)
    }

    // Another tab may have made a request meanwhile: the server knows one of each browser.
    const startIfVisible = () => document.visibilityState === 'visible' && start()
    start()
    const timer = setInterval(start, renewalMs)
    document.addEventListener('visibilitychange', startIfVisible)
    return () => {
      waiting.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', startIfVisible)
    }
  }, [isActive, i18n])
}
