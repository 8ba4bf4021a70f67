import { useEffect, useRef } from 'react'

/** Once everything that somebody waits for has had its turn, in milliseconds. */
const calm = 2_000

/**
 * Has the cookie of a session renewed, once each time the page is loaded: a session that is used from time to
 * time never ends.
 */
export function useRenewal(isSignedIn: boolean): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (!isSignedIn || isDone.current) return
    const timer = setTimeout(() => {
      isDone.current = true
      // What fails today is done by the next visit.
      fetch('/api/auth/get-session', { priority: 'low' }).catch(() => {})
    }, calm)
    return () => clearTimeout(timer)
  }, [isSignedIn])
}
