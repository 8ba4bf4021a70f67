import { useLingui } from '@lingui/react/macro'
import { browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { useEffect, useEffectEvent } from 'react'
import { waitForSuggestedPasskey, type PasskeyAnswer } from './passkeys.ts'

/** Time after which the request is renewed, which the server accepts for five minutes. */
const renewalMs = 4 * 60 * 1_000

/**
 * Lets the browser suggest passkeys in the page's field with `autocomplete="… webauthn"`.
 *
 * @param isActive false while there is no such field, or another request for a passkey is running
 * @param onChoose called with the passkey that the user chose
 */
export function useSuggestedPasskeys(isActive: boolean, onChoose: (answer: PasskeyAnswer) => void): void {
  const { i18n } = useLingui()
  const choose = useEffectEvent(onChoose)

  useEffect(() => {
    if (!isActive) return
    let waiting = new AbortController()

    async function wait(signal: AbortSignal) {
      if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return
      const answer = await waitForSuggestedPasskey(signal, i18n)
      if (answer && !signal.aborted) choose(answer)
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
