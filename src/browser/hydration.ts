import { useSyncExternalStore } from 'react'

/** Event on the document: the page is hydrated. */
export const hydrationEnd = 'hydration-end'

const subscribe = () => () => {}

/** False on the server and in the first render in the browser, which must agree; true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
