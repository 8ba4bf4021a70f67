import { useCallback, useEffect, useRef } from 'react'
import type { SessionState } from '../session.ts'

/** Frames in which Clerk's dialog, gone already, may still be looking for the button that opened it. */
const framesAfterDialog = 3

/**
 * Clerk's dialog gives the focus back to the button that opened it; once signed in that is gone, and the page's
 * heading stands in for it. Returns what to call when the dialog is opened.
 */
export function useFocusAfterSignIn(status: SessionState['status']): () => void {
  const isAwaited = useRef(false)
  useEffect(() => {
    if (status !== 'signed-in' || !isAwaited.current) return
    isAwaited.current = false
    let framesLeft = framesAfterDialog
    let frame = requestAnimationFrame(function look() {
      if (!document.querySelector('.cl-modalBackdrop')) framesLeft -= 1
      if (framesLeft > 0) frame = requestAnimationFrame(look)
      else if (document.activeElement === document.body) focusHeading()
    })
    return () => cancelAnimationFrame(frame)
  }, [status])
  return useCallback(() => {
    isAwaited.current = true
  }, [])
}

function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus()
}
