import { useEffect, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'

/** Events on the document: React starts to capture the page's events; the page is hydrated. */
export const hydrationEvents = { start: 'hydration-start', end: 'hydration-end' } as const

/** Announces that React captures events from now on, and replays them after hydration. */
export function startHydration(): void {
  document.dispatchEvent(new Event(hydrationEvents.start))
}

/** Wraps the page and announces the end of hydration. */
export function Hydrated({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.dispatchEvent(new Event(hydrationEvents.end))
  }, [])
  return children
}

const subscribe = () => () => {}

/** False on the server and in the first render in the browser, which must agree; true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
