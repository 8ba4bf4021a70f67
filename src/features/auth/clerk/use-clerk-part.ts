import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { afterFirstPaint } from './after-first-paint.ts'
import type { ClerkPart } from './clerk-part.tsx'
import { onScriptFailure } from './on-script-failure.ts'

/** Clerk may still come after this time, in milliseconds, but nobody is kept waiting for it any longer. */
const patience = 8_000

/**
 * Loads what needs Clerk's code once the page has been painted. `isOverdue` is true as soon as it can be told
 * that Clerk does not come, or takes too long.
 */
export function useClerkPart(publishableKey: string): {
  Part: ComponentType<Parameters<typeof ClerkPart>[0]> | null
  isOverdue: boolean
} {
  const [loaded, setLoaded] = useState<{ readonly Part: typeof ClerkPart } | null>(null)
  const [isOverdue, setIsOverdue] = useState(false)

  useEffect(() => {
    const giveUp = () => setIsOverdue(true)
    const stopListening = onScriptFailure(publishableKey, giveUp)
    let timer: ReturnType<typeof setTimeout> | undefined
    const callOff = afterFirstPaint(() => {
      timer = setTimeout(giveUp, patience)
      import('./clerk-part.tsx').then(({ ClerkPart: Part }) => setLoaded({ Part }), giveUp)
    })
    return () => {
      callOff()
      stopListening()
      clearTimeout(timer)
    }
  }, [publishableKey])

  return { Part: loaded?.Part ?? null, isOverdue }
}
