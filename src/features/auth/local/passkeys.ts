import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
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
} from '@simplewebauthn/browser'
import { useEffect, useEffectEvent } from 'react'
import type { SignInSettings } from '../../../../shared/page-data.ts'
import { CallError } from '../call-failure.tsx'
import { AccountError, callAccount } from './accounts.ts'

/** Checks whether the browser can use passkeys of the site at the address of the page. */
export function offersPasskeys(auth: SignInSettings): boolean {
  return auth.kind === 'local' && auth.passkeyDomain === location.hostname && browserSupportsWebAuthn()
}

/** Lets the user choose a passkey, and signs them in. */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await fetchSignInOptions()
  await verifyPasskey(await ceremony(startAuthentication({ optionsJSON }), describeSignInError))
}

/** Signs a user in with the answer of their authenticator. */
export async function verifyPasskey(answer: AuthenticationResponseJSON): Promise<void> {
  const { id, rawId, type, response } = answer
  try {
    await callAccount('/passkey/verify-authentication', { response: { id, rawId, type, response } })
  } catch (error) {
    if (error instanceof AccountError && error.code === 'PASSKEY_NOT_FOUND') forgetPasskey(id)
    throw error
  }
}

/** Adds a passkey to the account of the signed-in user. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await callAccount<PublicKeyCredentialCreationOptionsJSON>(
    '/passkey/generate-register-options',
  )
  const answer = await ceremony(startRegistration({ optionsJSON }), describeRegistrationError)
  const { id, rawId, type, response } = answer
  const { clientDataJSON, attestationObject, transports } = response
  await callAccount('/passkey/verify-registration', {
    name,
    response: { id, rawId, type, response: { clientDataJSON, attestationObject, transports } },
  })
}

const fetchSignInOptions = () =>
  callAccount<PublicKeyCredentialRequestOptionsJSON>('/passkey/generate-authenticate-options')

async function ceremony<Answer>(
  answer: Promise<Answer>,
  describe: (error: unknown) => MessageDescriptor,
): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    const message = describe(error)
    throw new CallError((i18n) => ({ message: i18n._(message) }), error)
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
  const choose = useEffectEvent(onChoose)

  useEffect(() => {
    if (!isActive) return
    let waiting = new AbortController()

    async function wait(signal: AbortSignal) {
      const cancel = () => WebAuthnAbortService.cancelCeremony()
      try {
        if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return
        const optionsJSON = await fetchSignInOptions()
        if (signal.aborted) return
        signal.addEventListener('abort', cancel)
        const answer = await startAuthentication({ optionsJSON, useBrowserAutofill: true })
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
  }, [isActive])
}
