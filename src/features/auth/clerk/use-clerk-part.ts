import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import type { ClerkPart } from './clerk-part.tsx'

/** Time after which sign-in is shown as unavailable. Clerk may still load later. */
const loadTimeoutMs = 8_000

/** Maximum time to wait for the images of the page before loading Clerk. */
const pageLoadTimeoutMs = 2_000

/** Clerk's loader retries, so that a single failure does not count. */
const scriptFailuresMax = 3

/**
 * Loads Clerk's code after the first paint. `isOverdue` becomes true as soon as Clerk has failed to load or takes too
 * long.
 */
export function useClerkPart(publishableKey: string): {
  Part: ComponentType<Parameters<typeof ClerkPart>[0]> | null
  isOverdue: boolean
} {
  const [loaded, setLoaded] = useState<{ readonly Part: typeof ClerkPart } | null>(null)
  const [isOverdue, setIsOverdue] = useState(false)

  useEffect(() => {
    const fail = () => setIsOverdue(true)
    const stopListening = onScriptFailure(publishableKey, fail)
    let timer: ReturnType<typeof setTimeout> | undefined
    const cancel = afterFirstPaint(() => {
      timer = setTimeout(fail, loadTimeoutMs)
      import('./clerk-part.tsx').then(({ ClerkPart: Part }) => setLoaded({ Part }), fail)
    })
    return () => {
      cancel()
      stopListening()
      clearTimeout(timer)
    }
  }, [publishableKey])

  return { Part: loaded?.Part ?? null, isOverdue }
}

/** Calls `start` when the initial content of the page has loaded; returns a function that cancels the call. */
function afterFirstPaint(start: () => void): () => void {
  if (document.readyState === 'complete') {
    const frame = requestAnimationFrame(start)
    return () => cancelAnimationFrame(frame)
  }
  const cancel = () => {
    clearTimeout(timer)
    window.removeEventListener('load', go)
  }
  function go() {
    cancel()
    start()
  }
  const timer = setTimeout(go, pageLoadTimeoutMs)
  window.addEventListener('load', go)
  return cancel
}

/**
 * Calls `fail` when Clerk's scripts fail to load or throw, which Clerk itself reports after many seconds, if at all.
 *
 * @returns a function that stops listening
 */
function onScriptFailure(publishableKey: string, fail: () => void): () => void {
  let failures = 0

  function onError(event: Event) {
    const { target } = event
    if (target instanceof HTMLScriptElement && target.dataset['clerkPublishableKey'] === publishableKey) {
      failures += 1
      if (failures >= scriptFailuresMax) fail()
    }
    if (event instanceof ErrorEvent && isClerkScript(event.filename)) fail()
  }

  // The error event of a script does not bubble, but it passes the capture phase.
  window.addEventListener('error', onError, true)
  return () => window.removeEventListener('error', onError, true)
}

function isClerkScript(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.startsWith('/npm/@clerk/')
}
