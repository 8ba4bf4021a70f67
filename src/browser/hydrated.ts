import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False on the server and in the first render in the browser, which have to agree; true from then on.
 * What only the browser can know waits for it.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
