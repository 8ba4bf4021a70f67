import { startTransition, useEffect, useState } from 'react'

/** Event on the document: the page is hydrated. */
export const hydrationEnd = 'hydration-end'

let hasEnded = false

export function endHydration(): void {
  hasEnded = true
  document.dispatchEvent(new Event(hydrationEnd))
}

/** False on the server and in the first render in the browser, which must agree; true afterwards. */
export function useHydrated(): boolean {
  const [isHydrated, setIsHydrated] = useState(hasEnded)
  // Not in the task of the first effects, which is a long one.
  useEffect(() => startTransition(() => setIsHydrated(true)), [])
  return isHydrated
}
