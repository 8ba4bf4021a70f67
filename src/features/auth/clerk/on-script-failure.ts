/** Clerk's loader tries several times, and the first failure may be a moment's. */
const triesBeforeFailure = 3

/**
 * Calls `fail` when Clerk's scripts can't be fetched or end with an error, which Clerk itself reports only after
 * many seconds, if at all; returns how to stop listening.
 */
export function onScriptFailure(publishableKey: string, fail: () => void): () => void {
  let failures = 0

  function onError(event: Event) {
    const { target } = event
    if (target instanceof HTMLScriptElement && target.dataset['clerkPublishableKey'] === publishableKey) {
      failures += 1
      if (failures >= triesBeforeFailure) fail()
    }
    if (event instanceof ErrorEvent && isClerkScript(event.filename)) fail()
  }

  // A script's own error event does not bubble; the capture phase passes here all the same.
  window.addEventListener('error', onError, true)
  return () => window.removeEventListener('error', onError, true)
}

function isClerkScript(address: string): boolean {
  return URL.canParse(address) && new URL(address).pathname.startsWith('/npm/@clerk/')
}
